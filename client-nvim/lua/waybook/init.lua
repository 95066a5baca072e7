-- What a person's own configuration may use. There is no setup(): `vim.lsp.enable('waybook')` is enough.
local M = {}

--- For 'statusline': `%{v:lua.require'waybook'.statusline()}`.
---@return string such as "4 instructions · 2.1k tok · stale"; empty for what is no file
function M.statusline()
  return require("waybook.status").text(vim.api.nvim_win_get_buf(vim.g.statusline_winid or 0))
end

--- Run a command of the server, as docs/commands.md lists them, in the workspace of the current buffer.
---@param id string such as "memory.list"
---@param params? table
---@param done fun(failure: {message: string, code: string, hint?: string}?, result: any)
function M.command(id, params, done)
  local server, task = require("waybook.server"), require("waybook.task")
  local root = server.root()
  task.run(function()
    local fine, result = pcall(server.call, root, id, params)
    if fine then
      done(nil, result)
    else
      done(type(result) == "table" and result or { message = tostring(result), code = "failed" }, nil)
    end
  end)
end

return M
