-- candidates: what finished work concluded becomes memory only when a person confirms exactly what was read.
local server = require("waybook.server")
local ui = require("waybook.ui")

local M = {}

---@return waybook.Row[]
local function rows(candidate)
  local lines = {
    { text = ("# %s"):format(candidate.title) },
    { text = "\n" .. candidate.content },
    { text = ("\nWritten by %s; rests on: %s"):format(candidate.author, candidate.basis.confidence) },
  }
  if candidate.source_changed then
    table.insert(lines, { text = "**Its note has changed since, so it cannot be kept as it is.**" })
  end
  table.insert(lines, { text = "It is in no prompt until you confirm it." })
  return lines
end

---@param call waybook.Call
function M.candidates(call)
  local fine, queue = pcall(server.ask, call.root, "candidates.list")
  local waiting = fine and queue.candidates or {}
  if not fine and queue.code ~= "not-found" and queue.code ~= "no-workspace" then
    error(queue, 0)
  end
  if #waiting == 0 then
    return ui.say("no candidate waits.")
  end
  local candidate = ui.select("Candidates for memory", waiting, function(item) return item.title end)
  if not candidate then return end
  candidate = server.call(call.root, "candidates.show", { candidate = candidate.id })
  local _, window = ui.float("Candidate", rows(candidate))
  vim.cmd.redraw()
  local choice = ui.select("Keep it as memory", { "Keep", "Reject", "Decide later" }, function(item) return item end)
  if vim.api.nvim_win_is_valid(window) then
    vim.api.nvim_win_close(window, true)
  end
  local read = {
    candidate = candidate.id,
    version = candidate.version,
    fingerprint = candidate.fingerprint,
    note_version = candidate.note_version,
  }
  if choice == "Keep" then
    server.call(call.root, "candidates.confirm", vim.tbl_extend("force", read, { confirm = true }))
    ui.say("kept as memory.")
  elseif choice == "Reject" then
    server.call(call.root, "candidates.reject", read)
    ui.say("rejected; its text is not kept.")
  end
end

return M
