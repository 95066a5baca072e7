-- The statusline component: "4 instructions · 2.1k tok · stale". Asked once for a buffer, and again when the server says
-- that something changed; nothing here runs on a timer.
local server = require("waybook.server")
local task = require("waybook.task")

local M = {}

---@type table<integer, {text: string, root: string, name: string}>
local known = {}
---@type table<integer, "asked"|"again"> a change while a buffer is asked about: once more, so that nothing old stays
local asking = {}

local function size(explained, agents)
  local most = 0
  for _, loading in ipairs(agents) do
    most = math.max(most, loading.tokens or 0)
  end
  if most > 0 then
    return most < 1000 and ("%d tok"):format(most) or ("%.1fk tok"):format(most / 1000)
  end
  return explained.bytes < 1000 and ("%d bytes"):format(explained.bytes) or ("%.1f kB"):format(explained.bytes / 1000)
end

---@param root string
---@return string
local function state(root)
  local fine, drift = pcall(server.ask, root, "instructions.drift")
  if fine then
    return drift.stale and "stale" or "pinned"
  end
  return type(drift) == "table" and drift.code == "no-baseline" and "not pinned" or "unknown"
end

---@param root string
---@param name string
---@return string
local function text(root, name)
  local fine, explained = pcall(server.ask, root, "instructions.explain", { target = name })
  if not fine then
    return "instructions refused"
  end
  local asked, answer = pcall(server.ask, root, "agents.explain", { target = name })
  local number = #explained.sources
  local words = number == 1 and "1 instruction" or ("%d instructions"):format(number)
  return table.concat({ words, size(explained, asked and answer.agents or {}), state(root) }, " · ")
end

local ask

---@param buffer integer
function ask(buffer)
  local name, root = vim.api.nvim_buf_get_name(buffer), server.root(buffer)
  asking[buffer] = "asked"
  task.run(function()
    local fine, found = pcall(text, root, name)
    local again = asking[buffer] == "again"
    asking[buffer] = nil
    if again and vim.api.nvim_buf_is_valid(buffer) then
      return ask(buffer)
    end
    if vim.api.nvim_buf_is_valid(buffer) then
      known[buffer] = { text = fine and found or "", root = root, name = name }
      vim.cmd.redrawstatus({ bang = true })
    end
  end)
end

--- Ask about a buffer for the first time. A file that lies in no workspace starts nothing.
local function begin(buffer)
  local root, marked = server.root(buffer)
  if marked or server.running(root) then
    return ask(buffer)
  end
  asking[buffer] = nil
  known[buffer] = { text = "", root = root, name = vim.api.nvim_buf_get_name(buffer) }
end

--- The component for a buffer's window; empty for what is no file, and until the server has answered.
---@param buffer? integer
---@return string
function M.text(buffer)
  buffer = buffer or vim.api.nvim_get_current_buf()
  local name = vim.api.nvim_buf_get_name(buffer)
  if vim.bo[buffer].buftype ~= "" or name == "" or name:find("^%a[%w+.-]+:") then
    return ""
  end
  local entry = known[buffer]
  if (not entry or entry.name ~= name) and not asking[buffer] then
    asking[buffer] = "asked"
    vim.schedule(function()
      if vim.api.nvim_buf_is_valid(buffer) then begin(buffer) end
    end)
  end
  return entry and entry.name == name and entry.text or ""
end

--- What `waybook/contextChanged` brings: what is shown of that workspace is asked about again, the rest when it is shown.
---@param params? {workspace: string, reason: string}
function M.changed(params)
  for buffer, entry in pairs(known) do
    local concerned = not params or entry.root == params.workspace
    if not vim.api.nvim_buf_is_valid(buffer) or (concerned and #vim.fn.win_findbuf(buffer) == 0) then
      known[buffer] = nil
    elseif concerned and not asking[buffer] then
      ask(buffer)
    end
  end
  for buffer in pairs(asking) do
    asking[buffer] = "again"
  end
  require("waybook.document").refresh()
  vim.api.nvim_exec_autocmds("User", { pattern = "WaybookChanged", modeline = false, data = params })
end

return M
