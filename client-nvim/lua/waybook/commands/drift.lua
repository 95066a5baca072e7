-- pin, drift, confirm: what was reviewed beside what the disk says.
local patch = require("waybook.patch")
local server = require("waybook.server")
local task = require("waybook.task")
local ui = require("waybook.ui")

local M = {}

--- Pin the workspace's instructions as reviewed.
---@param call waybook.Call
function M.pin(call)
  local done = server.ask(call.root, "instructions.pin")
  local how = done.unchanged and "was pinned already" or "is pinned"
  ui.say(("%s: revision %d %s."):format(ui.count(#done.scopes, "directory", "directories"), done.revision, how))
end

--- The lines of a file as they are delivered now; empty for one that is gone.
---@return string[]?
local function delivered(root, drift, change)
  for _, scope in ipairs(drift.scopes) do
    local diff = scope.diff or {}
    if vim.list_contains(diff.changed or {}, change.path) or vim.list_contains(diff.added or {}, change.path) then
      local target = scope.scope == "" and "." or scope.scope
      for _, source in ipairs(server.ask(root, "instructions.inspect", { target = target }).sources) do
        if source.path == change.path then return patch.lines_of(source.content) end
      end
    end
  end
end

---@return string[] pinned, string[]? live nil: the file itself can be shown
local function sides(root, drift, change)
  if change.change == "removed" then
    return patch.before({}, change.difference) or {}, {}
  end
  local fine, lines = pcall(vim.fn.readfile, vim.fs.joinpath(root, change.path))
  lines = fine and vim.tbl_map(function(line) return (line:gsub("\r$", "")) end, lines) or nil
  local pinned = lines and patch.before(lines, change.difference)
  if pinned then
    return pinned, nil
  end
  -- What is delivered is not what the file says byte for byte: secrets are replaced in both texts.
  local live = delivered(root, drift, change)
  pinned = live and patch.before(live, change.difference)
  if not pinned then
    task.refuse("The file changed while its difference was made.", "live-changed", "Run :Waybook drift again.")
  end
  return pinned, live
end

--- Two windows in a tab of their own: left what is pinned, right the file, which may be edited.
local function compare(root, drift, change)
  local pinned, live = sides(root, drift, change)
  vim.cmd.tabnew()
  if live then
    ui.scratch(root, "waybook://disk/" .. change.path, live)
  else
    vim.cmd.edit(vim.fn.fnameescape(vim.fs.joinpath(root, change.path)))
  end
  vim.cmd.diffthis()
  vim.cmd("leftabove vsplit")
  ui.scratch(root, ("waybook://pinned/%d/%s"):format(drift.revision, change.path), pinned)
  vim.cmd.diffthis()
end

---@return string[] one sentence for each thing that drifted
local function summary(drift)
  local lines = {}
  for _, scope in ipairs(drift.scopes) do
    local where = scope.scope == "" and "the root" or scope.scope
    table.insert(lines, ("%s: %s%s"):format(where, scope.state, scope.error and ", " .. scope.error.message or ""))
  end
  return lines
end

--- What changed since the instructions were pinned, file by file.
---@param call waybook.Call
function M.drift(call)
  local drift = server.ask(call.root, "instructions.drift")
  if not drift.stale then
    return ui.say(("nothing drifted since revision %d."):format(drift.revision))
  end
  local change = drift.files[1]
  if #drift.files ~= 1 then
    change = ui.select("What drifted", drift.files, function(item) return item.change .. " " .. item.path end)
  end
  if change then
    compare(call.root, drift, change)
  elseif #drift.files == 0 then
    local rows = vim.tbl_map(function(line) return { text = "- " .. line } end, summary(drift))
    ui.float("No text changed: ignored files, order or limits did", rows)
  end
end

---@return {pinned: string, live: string, scope: string?}
local function expected(drift, wanted)
  if not wanted and drift.expected_live_fingerprint ~= "" then
    return { pinned = drift.expected_fingerprint, live = drift.expected_live_fingerprint }
  end
  for _, scope in ipairs(drift.scopes) do
    local name = scope.scope == "" and "." or scope.scope
    if name == wanted then
      return { pinned = scope.fingerprint, live = scope.live_fingerprint, scope = name }
    end
  end
  return task.refuse(
    wanted and ("%s did not drift."):format(wanted) or "A directory is refused, so the whole cannot be confirmed.",
    "refused-scope",
    "Mend it, or name one directory: :Waybook confirm DIR"
  )
end

--- Show every difference, ask, and confirm exactly what was shown; with a directory, that one alone.
---@param call waybook.Call
function M.confirm(call)
  local drift = server.ask(call.root, "instructions.drift")
  if not drift.stale then
    return ui.say(("nothing drifted since revision %d."):format(drift.revision))
  end
  local bound = expected(drift, call.args[1])
  local texts = vim.tbl_map(function(item) return item.difference end, drift.files)
  vim.list_extend(texts, vim.tbl_map(function(line) return "# " .. line end, summary(drift)))
  local buffer = ui.show("drift", table.concat(texts, "\n"), "diff")
  vim.cmd.redraw()
  local question = ("Confirm as reviewed since revision %d"):format(drift.revision)
  if not ui.confirm(bound.scope and question .. ", " .. bound.scope or question, "Confirm") then
    return ui.say("nothing was confirmed.")
  end
  local done = server.ask(call.root, "instructions.confirm", {
    expected_fingerprint = bound.pinned,
    expected_live_fingerprint = bound.live,
    scope = bound.scope,
    confirm = true,
  })
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.api.nvim_buf_delete(buffer, { force = true })
  end
  ui.say(("confirmed as revision %d."):format(done.revision))
end

return M
