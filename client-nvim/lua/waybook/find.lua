-- Where the language server is: what the person set, PATH, then uv's runner. A program that lies in the workspace is
-- never run unasked: opening a repository must not run what it brings.
local M = {}

---@class waybook.Found
---@field cmd string[]
---@field source "vim.g.waybook.cmd"|"PATH"|"uvx"|"nowhere"

---@return waybook.Found
function M.find()
  local set = (vim.g.waybook or {}).cmd
  if type(set) == "string" then
    set = { set }
  end
  if type(set) == "table" and #set > 0 then
    return { cmd = vim.list_extend(vim.list_slice(set), { "lsp" }), source = "vim.g.waybook.cmd" }
  end
  if vim.fn.executable("waybook") == 1 then
    return { cmd = { "waybook", "lsp" }, source = "PATH" }
  end
  if vim.fn.executable("uvx") == 1 then
    return { cmd = { "uvx", "waybook", "lsp" }, source = "uvx" }
  end
  return { cmd = { "waybook", "lsp" }, source = "nowhere" }
end

---@return string[]
function M.command()
  return M.find().cmd
end

M.advice = "Install it with `uv tool install waybook` or `pipx install waybook`, or name it: "
  .. "vim.g.waybook = { cmd = { '/path/to/waybook' } }"

return M
