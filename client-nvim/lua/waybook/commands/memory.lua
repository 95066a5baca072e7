-- memory: long-term memories; one opens as a buffer, and writing the buffer keeps its next version.
local document = require("waybook.document")
local server = require("waybook.server")
local ui = require("waybook.ui")

local M = {}

local function word(memory)
  local state = memory.expired and "expired" or memory.status
  return ("%s  [%s, %s]"):format(memory.title, memory.scope, state)
end

local function uri(memory) return ("waybook-memory:/%s/%s.md"):format(memory.scope, memory.id) end

---@return table? the memory of the current buffer, else one that is chosen
local function chosen(call, prompt)
  local name = vim.api.nvim_buf_get_name(call.buffer)
  if name:find("^waybook%-memory:/") then
    return server.call(call.root, "memory.read_document", { uri = name }).memory
  end
  local memories = server.ask(call.root, "memory.list", { all = true, limit = 500 }).memories
  if #memories == 0 then
    return ui.say("no memories yet. `:Waybook memory new` keeps one.")
  end
  return ui.select(prompt, memories, word)
end

local actions = {}

function actions.list(call)
  local memory = chosen(vim.tbl_extend("force", call, { buffer = vim.api.nvim_create_buf(false, true) }), "Memories")
  if memory then
    document.open(call.root, uri(memory))
  end
end

--- new [user|project]: of the range that was given, else of what is typed; it opens as a buffer.
function actions.new(call)
  local scope = call.args[2] or ui.select("Keep it for", { "project", "user" }, function(item) return item end)
  local title = scope and ui.input("The memory in one line")
  local content = title and (call.selection or ui.input("The memory, which can be edited at once", title))
  if content then
    local params = { scope = scope, title = title, content = content }
    document.open(call.root, uri(server.ask(call.root, "memory.create", params)))
  end
end

function actions.search(call)
  local words = vim.list_slice(call.args, 2)
  if #words == 0 then
    words = { ui.input("Words") }
  end
  if #words == 0 then return end
  local hits = server.ask(call.root, "memory.search", { words = words, all = true }).hits
  if #hits == 0 then
    return ui.say("no memory holds all of these words.")
  end
  local hit = ui.select("Found", hits, function(item) return word(item.memory) end)
  if hit then
    document.open(call.root, uri(hit.memory))
  end
end

function actions.delete(call)
  local memory = chosen(call, "Delete")
  if not memory or not ui.confirm(("Delete %q for good"):format(memory.title), "Delete") then return end
  server.call(call.root, "memory.delete", { memory = memory.id, version = memory.version })
  local buffer = vim.fn.bufnr(uri(memory))
  if buffer >= 0 then
    vim.api.nvim_buf_delete(buffer, { force = true })
  end
  ui.say("deleted.")
end

local function switch(call, id, said)
  local memory = chosen(call, said)
  if memory then
    server.call(call.root, id, { memory = memory.id, version = memory.version })
    ui.say(("%s: %s"):format(said, memory.title))
    document.refresh()
  end
end

function actions.enable(call) switch(call, "memory.enable", "enabled") end

function actions.disable(call) switch(call, "memory.disable", "disabled") end

---@param call waybook.Call
function M.memory(call)
  local action = actions[call.args[1] or "list"]
  if not action then
    require("waybook.task").refuse("No such action.", "usage", ":Waybook memory list|new|search|delete|enable|disable")
  end
  action(call)
end

return M
