-- explain, context, matrix, agents: what is loaded, in which order, and why.
local server = require("waybook.server")
local task = require("waybook.task")
local ui = require("waybook.ui")

local M = {}

---@param call waybook.Call
---@return string a path, never empty
local function target(call) return call.file ~= "" and call.file or call.root end

---@return waybook.Row[]
local function chain(root, explained)
  local number = ui.count(#explained.sources, "instruction file")
  local title = explained.target == "." and "the workspace root" or explained.target
  local rows = { { text = ("# %s\n\n%s, %d bytes, read from top to bottom; the later one prevails."):format(title, number, explained.bytes) } }
  for _, source in ipairs(explained.sources) do
    local text = ("%d. `%s` %s"):format(source.ordinal, source.path, source.why_effective)
    table.insert(rows, { text = text, path = vim.fs.joinpath(root, source.path) })
  end
  for _, item in ipairs(explained.ignored) do
    local text = ("- not applied: `%s` %s"):format(item.path, item.reason)
    table.insert(rows, { text = text, path = vim.fs.joinpath(root, item.path) })
  end
  return rows
end

local WHEN = { start = "at the start", lazy = "when it touches such a file", listed = "named only, not read" }

---@return waybook.Row[]
local function loading(agent)
  local tokens = agent.tokens and (", %d tokens"):format(agent.tokens) or ""
  local head = ("\n## %s loads %s%s (%s)"):format(agent.agent, ui.count(#agent.chain, "file"), tokens, agent.confidence)
  local rows = { { text = head } }
  for number, item in ipairs(agent.chain) do
    local cut = item.complete and "" or ", cut"
    local text = ("%d. `%s` %s%s"):format(number, item.path, WHEN[item.when] or item.when, cut)
    table.insert(rows, { text = text, path = item.abs_path })
  end
  local foreign = {}
  for _, item in ipairs(agent.not_loaded) do
    if item.reason == "wrong_name" then
      table.insert(foreign, ("`%s`"):format(item.path))
    else
      table.insert(rows, { text = ("- not `%s`: %s"):format(item.path, item.why), path = item.abs_path })
    end
  end
  if #foreign > 0 then
    table.insert(rows, { text = "- of other agents: " .. table.concat(foreign, ", ") })
  end
  return rows
end

---@param call waybook.Call
local function loadings(call)
  local asked = { target = target(call) }
  if #call.args > 0 then
    asked.agent = call.args
  end
  return server.ask(call.root, "agents.explain", asked).agents
end

--- Which instructions the file of this buffer receives; with agents' ids: what each of them loads.
---@param call waybook.Call
function M.explain(call)
  local rows = {}
  if #call.args == 0 then
    local fine, explained = pcall(server.ask, call.root, "instructions.explain", { target = target(call) })
    if fine then
      vim.list_extend(rows, chain(call.root, explained))
    else
      table.insert(rows, { text = "# Refused\n\n" .. task.sentence(explained), path = nil })
    end
  end
  local agents = loadings(call)
  for _, agent in ipairs(agents) do
    vim.list_extend(rows, loading(agent))
  end
  if #agents == 0 then
    table.insert(rows, { text = "\nNo agent's traces are here. Name some: `:Waybook explain codex claude-code`" })
  end
  ui.float("Waybook: Enter opens, q closes", rows)
end

---@param text string
local function fenced(text)
  local longest = 2
  for ticks in text:gmatch("`+") do
    longest = math.max(longest, #ticks)
  end
  local fence = ("`"):rep(longest + 1)
  return ("%s\n%s\n%s"):format(fence, (text:gsub("\n+$", "")), fence)
end

--- The text that is delivered for the file, as one document.
---@param call waybook.Call
function M.context(call)
  local snapshot = server.ask(call.root, "instructions.inspect", { target = target(call) })
  local parts = { "# Instructions for " .. snapshot.target_path }
  for _, source in ipairs(snapshot.sources) do
    table.insert(parts, ("## %d. %s"):format(source.ordinal, source.path))
    table.insert(parts, fenced(source.content))
  end
  ui.show("context", table.concat(parts, "\n\n"), "markdown")
end

local CELLS = { start = "yes", lazy = "touch", listed = "named", cut = "cut", unread = "." }

--- Files and agents as a table.
---@param call waybook.Call
function M.matrix(call)
  local matrix = server.ask(call.root, "agents.matrix", #call.args > 0 and { agent = call.args } or {})
  local lines = { { "", unpack(matrix.agents) } }
  for _, row in ipairs(matrix.rows) do
    local line = { row.path }
    for _, agent in ipairs(matrix.agents) do
      local cell = row.agents[agent]
      table.insert(line, cell and (cell.reason and "no" or CELLS[cell.state] or cell.state) or "")
    end
    table.insert(lines, line)
  end
  local widths = {}
  for _, line in ipairs(lines) do
    for column, cell in ipairs(line) do
      widths[column] = math.max(widths[column] or 0, vim.fn.strdisplaywidth(cell))
    end
  end
  local texts = {}
  for _, line in ipairs(lines) do
    local cells = {}
    for column, cell in ipairs(line) do
      cells[column] = cell .. (" "):rep(widths[column] - vim.fn.strdisplaywidth(cell))
    end
    table.insert(texts, (table.concat(cells, "  "):gsub("%s+$", "")))
  end
  ui.show("matrix", table.concat(texts, "\n"), "waybook-matrix")
end

--- The agents that are known, and which are in use here.
---@param call waybook.Call
function M.agents(call)
  local rows = {}
  for _, agent in ipairs(server.ask(call.root, "agents.list").agents) do
    local text = ("%s `%s` %s, %s"):format(agent.in_use and "*" or "-", agent.id, agent.version, agent.confidence)
    table.insert(rows, { text = text })
  end
  ui.float("Agents (*: in use here)", rows)
end

return M
