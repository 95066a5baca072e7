-- sessions: what agents' transcripts say, as conversations.
local server = require("waybook.server")
local ui = require("waybook.ui")

local M = {}

local function word(session)
  local title = session.title ~= "" and session.title or session.native_id
  return ("%s  [%s, %s]"):format(title, session.agent, session.updated_at:sub(1, 10))
end

local function open(root, session, agent)
  local shown = server.call(root, "sessions.show", { session = session, agent = agent, markdown = true })
  ui.show("session/" .. session, shown.text, "markdown")
end

local actions = {}

--- The sessions that worked in this workspace.
function actions.list(call)
  local found = server.ask(call.root, "sessions.list").sessions
  if #found == 0 then
    return ui.say("no session worked here; `waybook sessions list` has those of other projects.")
  end
  local session = ui.select("Sessions", found, word)
  if session then
    open(call.root, session.id, session.agent)
  end
end

function actions.search(call)
  local query = table.concat(vim.list_slice(call.args, 2), " ")
  query = query ~= "" and query or ui.input("Text")
  if not query then return end
  local places = server.ask(call.root, "sessions.search", { query = query })
  if places.pending > 0 then
    ui.say(("%s not imported yet: `:Waybook sessions import`"):format(ui.count(places.pending, "transcript is", "transcripts are")))
  end
  if #places.found == 0 then
    return ui.say("not found.")
  end
  local place = ui.select("Found", places.found, function(item) return item.session.title .. ": " .. item.excerpt end)
  if place then
    open(call.root, place.session.id, place.session.agent)
  end
end

function actions.scan(call)
  local rows = vim.tbl_map(function(item)
    return { text = ("- %s: %s, %d not imported yet"):format(item.agent, ui.count(item.files, "transcript"), item.pending) }
  end, server.call(call.root, "sessions.scan").agents)
  ui.float("Transcripts", #rows > 0 and rows or { { text = "No agent's transcripts are here." } })
end

function actions.import(call)
  local done = server.call(call.root, "sessions.import")
  ui.say(("%s, %s new."):format(ui.count(done.new_sessions, "session"), ui.count(done.new_messages, "message")))
end

---@param call waybook.Call
function M.sessions(call)
  local action = actions[call.args[1] or "list"]
  if not action then
    require("waybook.task").refuse("No such action.", "usage", ":Waybook sessions list|search|scan|import")
  end
  action(call)
end

return M
