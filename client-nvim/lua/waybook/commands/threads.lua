-- threads: what pins belong to.
local server = require("waybook.server")
local ui = require("waybook.ui")

local M = {}

local function word(thread)
  return ("%s  [%s, %s]"):format(thread.title, thread.state, ui.count(thread.pins, "pin"))
end

---@param root string
---@return table[]
local function threads(root)
  local fine, found = pcall(server.ask, root, "threads.list")
  if not fine and (found.code == "not-found" or found.code == "no-workspace") then
    return {} -- a workspace that nothing was kept for yet
  end
  return fine and found.threads or error(found, 0)
end

---@param root string
---@return table?
local function made(root)
  local title = ui.input("What the thread is about")
  return title and server.ask(root, "threads.create", { title = title }) or nil
end

--- A thread that the person chooses; the only one there is without a question; a new one where there is none.
---@param root string
---@return table?
function M.choose(root)
  local found = threads(root)
  if #found < 2 then
    return found[1] or made(root)
  end
  return ui.select("Thread", found, word)
end

---@param call waybook.Call
function M.threads(call)
  local action = call.args[1] or "list"
  if action == "new" then
    local thread = made(call.root)
    return thread and ui.say("opened the thread " .. thread.title)
  end
  local found = threads(call.root)
  if #found == 0 then
    return ui.say("no threads yet. `:Waybook threads new` opens one.")
  end
  local thread = ui.select("Threads", found, word)
  if not thread then return end
  if action == "close" then
    if ui.confirm(("Close %q"):format(thread.title), "Close") then
      server.call(call.root, "threads.close", { thread = thread.id, version = thread.version })
    end
    return
  end
  local shown = server.call(call.root, "threads.show", { thread = thread.id })
  local rows = { { text = "# " .. thread.title } }
  for _, run in ipairs(shown.chain) do
    table.insert(rows, { text = ("%d. %s: %s"):format(run.sequence, run.state, run.goal) })
  end
  ui.float("Thread", rows)
end

return M
