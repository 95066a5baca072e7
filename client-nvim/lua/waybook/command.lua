-- `:Waybook NAME ...`: the subcommands, their completion, and what each is given.
local server = require("waybook.server")
local task = require("waybook.task")

local M = {}

---@class waybook.Call
---@field args string[] the words after the subcommand
---@field bang boolean
---@field root string the workspace
---@field buffer integer
---@field file string the buffer's file, absolute, or empty
---@field selection? string the lines of a given range

---@class waybook.Subcommand
---@field module string below waybook/commands/
---@field needs string[] any of these commands of the server makes it available; none: always
---@field actions? string[] what may follow
---@field agents? boolean agents' ids may follow
---@field files? boolean files may follow

---@type table<string, waybook.Subcommand>
M.subcommands = {
  agents = { module = "instructions", needs = { "agents.list" } },
  candidates = { module = "candidates", needs = { "candidates.list" } },
  check = { module = "check", needs = { "instructions.check" }, files = true },
  checkpoint = { module = "continuity", needs = { "sessions.checkpoint" } },
  compare = { module = "continuity", needs = { "sessions.compare" } },
  confirm = { module = "drift", needs = { "instructions.confirm" } },
  context = { module = "instructions", needs = { "instructions.inspect" } },
  doctor = { module = "process", needs = { "doctor" } },
  drift = { module = "drift", needs = { "instructions.drift" } },
  explain = { module = "instructions", needs = { "instructions.explain" }, agents = true },
  fork = { module = "continuity", needs = { "sessions.fork" } },
  handoff = { module = "continuity", needs = { "sessions.handoff" } },
  log = { module = "process", needs = {} },
  matrix = { module = "instructions", needs = { "agents.matrix" }, agents = true },
  memory = {
    module = "memory",
    needs = { "memory.list" },
    actions = { "list", "new", "search", "delete", "enable", "disable" },
  },
  pin = { module = "drift", needs = { "instructions.pin" } },
  pins = { module = "pins", needs = { "pins.list" }, actions = { "list", "add", "remove", "proposals" } },
  preview = {
    module = "preview",
    needs = { "context.preview" },
    actions = { "file", "run", "session", "thread" },
  },
  restart = { module = "process", needs = {} },
  resume = { module = "continuity", needs = { "sessions.resume" } },
  runs = { module = "runs", needs = { "runs.list" }, actions = { "list", "new" } },
  sessions = {
    module = "sessions",
    needs = { "sessions.list" },
    actions = { "list", "search", "scan", "import" },
  },
  stop = { module = "process", needs = {} },
  threads = { module = "threads", needs = { "threads.list" }, actions = { "list", "new", "close" } },
  tree = { module = "continuity", needs = { "sessions.tree" } },
}

---@param needs string[]
---@param known table<string, true>
local function able(needs, known)
  return #needs == 0 or vim.iter(needs):any(function(id) return known[id] end)
end

--- The subcommands that the running server can serve; all of them while none runs.
---@return string[]
local function names()
  local client = server.running(server.root())
  local known = client and client.initialized and server.abilities(client)
  return vim
    .iter(vim.spairs(M.subcommands))
    :filter(function(_, item) return not known or able(item.needs, known) end)
    :map(function(name) return name end)
    :totable()
end

---@return string[] ids of agents, when a server runs that can be asked at once
local function agents()
  local client = server.running(server.root())
  if not (client and client.initialized) then
    return {}
  end
  local params = { command = "waybook.agents.list", arguments = { { workspace = client.root_dir } } }
  local answer = client:request_sync("workspace/executeCommand", params, 1000)
  return vim.tbl_map(function(item) return item.id end, answer and answer.result and answer.result.agents or {})
end

---@param lead string
---@param line string
---@param position integer
---@return string[]
function M.complete(lead, line, position)
  local words = vim.split(line:sub(1, position):gsub("^.-Waybook!?%s+", ""), "%s+")
  local found
  if #words <= 1 then
    found = names()
  else
    local subcommand = M.subcommands[words[1]] or {}
    if subcommand.files then
      return vim.fn.getcompletion(lead, "file")
    end
    found = subcommand.agents and agents() or #words == 2 and subcommand.actions or {}
  end
  return vim.tbl_filter(function(word) return vim.startswith(word, lead) end, found)
end

---@return waybook.Call
local function given(call)
  local buffer = vim.api.nvim_get_current_buf()
  local file = vim.bo[buffer].buftype == "" and vim.api.nvim_buf_get_name(buffer) or ""
  local lines = call.range > 0 and vim.api.nvim_buf_get_lines(buffer, call.line1 - 1, call.line2, false)
  return {
    args = vim.list_slice(call.fargs, 2),
    bang = call.bang,
    root = server.root(buffer),
    buffer = buffer,
    file = file,
    selection = lines and table.concat(lines, "\n") or nil,
  }
end

--- Run what was typed.
---@param call vim.api.keyset.create_user_command.command_args
function M.run(call)
  local asked = given(call)
  task.run(function()
    local name = call.fargs[1]
    if not name then
      local ui = require("waybook.ui")
      name = ui.select("Waybook", names(), function(item) return item end)
      if not name then return end
    end
    local subcommand = M.subcommands[name]
    if not subcommand then
      task.refuse(("There is no :Waybook %s."):format(name), "usage", "Try: " .. table.concat(names(), ", "))
    end
    if #subcommand.needs > 0 and not able(subcommand.needs, server.abilities(server.client(asked.root))) then
      task.refuse(("This server has no %s."):format(name), "unknown-command", "Upgrade it, then :Waybook restart.")
    end
    require("waybook.commands." .. subcommand.module)[name](asked)
  end)
end

return M
