-- log, doctor, restart, stop: the server itself.
local server = require("waybook.server")
local ui = require("waybook.ui")

local M = {}

--- The server's log file, else Neovim's own log of language servers.
---@param call waybook.Call
function M.log(call)
  local fine, report = pcall(server.ask, call.root, "doctor")
  local path = fine and report.store.path and vim.fs.joinpath(vim.fs.dirname(report.store.path), "lsp.log")
  if not (path and vim.uv.fs_stat(path)) then
    path = vim.lsp.log.get_filename()
  end
  vim.cmd("botright split " .. vim.fn.fnameescape(path))
  vim.bo.readonly, vim.bo.autoread = true, true
  vim.cmd("normal! G")
end

--- Versions, the database, and what is wrong.
---@param call waybook.Call
function M.doctor(call)
  local report = server.ask(call.root, "doctor")
  local rows = {
    { text = ("Waybook %s, Python %s"):format(report.version, report.python) },
    { text = "Workspace: " .. report.workspace },
    { text = "Database: " .. (report.store.path or report.store.url or "?") },
  }
  for _, problem in ipairs(report.problems) do
    table.insert(rows, { text = "- " .. problem })
  end
  if #report.problems == 0 then
    table.insert(rows, { text = "No problems." })
  end
  ui.float("Doctor", rows)
end

function M.stop()
  server.stop()
  ui.say("stopped.")
end

--- Stop, and start again for the buffers that were attached.
---@param call waybook.Call
function M.restart(call)
  local client = server.running(call.root)
  local buffers = client and vim.tbl_keys(client.attached_buffers) or {}
  server.stop()
  local started = server.client(call.root)
  for _, buffer in ipairs(buffers) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      vim.lsp.buf_attach_client(buffer, started.id)
    end
  end
  require("waybook.status").changed()
  ui.say("restarted.")
end

return M
