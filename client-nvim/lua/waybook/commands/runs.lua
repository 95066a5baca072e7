-- runs: pieces of work that are pinned to the instructions they began with.
local server = require("waybook.server")
local ui = require("waybook.ui")

local M = {}

---@param call waybook.Call
function M.runs(call)
  if call.args[1] == "new" then
    local goal = ui.input("What the run is to achieve")
    if goal then
      local target = call.file ~= "" and call.file or "."
      local run = server.ask(call.root, "runs.create", { goal = goal, target = target })
      ui.say(("%s is pinned to the instructions of %s."):format(run.id, run.target))
    end
    return
  end
  local rows = vim.tbl_map(function(run)
    return { text = ("- `%s` %s: %s"):format(run.id, run.state, run.goal) }
  end, server.ask(call.root, "runs.list").runs)
  ui.float("Runs", #rows > 0 and rows or { { text = "No runs yet. `:Waybook runs new` creates one." } })
end

return M
