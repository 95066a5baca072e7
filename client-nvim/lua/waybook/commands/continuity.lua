-- checkpoint, tree, fork, resume, compare, handoff: where work stands, and what goes on from there.
local server = require("waybook.server")
local task = require("waybook.task")
local ui = require("waybook.ui")

local M = {}

local TAKERS = { "codex", "claude-code" }

---@return string? the id of a run of this workspace: the one named, the only one, or one that is chosen
local function run_of(call)
  if call.args[1] then
    return call.args[1]
  end
  local fine, found = pcall(server.ask, call.root, "runs.list")
  local runs = fine and found.runs or {}
  if #runs == 0 then
    return ui.say("no runs yet. `:Waybook runs new` creates one.")
  end
  local run = #runs == 1 and runs[1]
    or ui.select("Run", runs, function(item) return ("%s  [%s]"):format(item.goal, item.state) end)
  return run and run.id or nil
end

---@return string
local function word(node)
  local title = node.title ~= "" and node.title or node.status
  return ("%s: %s  [%s]"):format(node.kind, title, node.created_at:sub(1, 16):gsub("T", " "))
end

---@return table[] the nodes that are kept and not only shown
local function points(tree)
  return vim.tbl_filter(function(node) return node.authoritative end, tree.nodes)
end

---@return table? node, table? tree
local function point(call, prompt)
  local run = run_of(call)
  if not run then return end
  local tree = server.call(call.root, "sessions.tree", { name = run })
  local kept = points(tree)
  return #kept > 0 and ui.select(prompt, kept, word) or nil, tree
end

--- Keep where a run stands.
---@param call waybook.Call
function M.checkpoint(call)
  local run = run_of(call)
  local title = run and ui.input("What this point is, in one line")
  if not title then return end
  local summary = ui.input("What is done and what comes next (may be empty)") or ""
  local node = server.call(call.root, "sessions.checkpoint", { name = run, title = title, summary = summary })
  ui.say(("kept as %s."):format(node.id))
end

--- Everything that hangs together with a run: points, forks, and what has changed since.
---@param call waybook.Call
function M.tree(call)
  local run = run_of(call)
  if not run then return end
  local depths, rows = {}, {}
  for _, node in ipairs(server.call(call.root, "sessions.tree", { name = run }).nodes) do
    depths[node.id] = (depths[node.parent_id] or -1) + 1
    local text = ("%s%s %s"):format(("  "):rep(depths[node.id]), node.authoritative and "-" or ".", word(node))
    for _, mark in ipairs(node.marks) do
      text = ("%s, %s %s"):format(text, mark.kind, mark.state)
    end
    table.insert(rows, { text = text })
  end
  ui.float("Tree (-: can be forked)", rows, "waybook-tree")
end

local function leave(call, id, prompt, params)
  local node = point(call, prompt)
  if not node then return end
  for name, question in pairs(params) do
    params[name] = ui.input(question)
    if not params[name] then return end
  end
  local done = server.call(call.root, id, vim.tbl_extend("force", params, { node = node.id }))
  local left = #done.left_out > 0 and (", %s no longer valid left out"):format(ui.count(#done.left_out, "thing")) or ""
  ui.say(("%s goes on from there%s. No approval or grant was taken over."):format(done.run.id, left))
end

--- Another run from a point.
---@param call waybook.Call
function M.fork(call)
  leave(call, "sessions.fork", "Fork from", { goal = "What the new run is to achieve" })
end

--- Go on from a point in a new run.
---@param call waybook.Call
function M.resume(call) leave(call, "sessions.resume", "Resume from", {}) end

---@param side "a"|"b"
---@return string[]
local function lines_of(compared, side)
  local lines = { "# " .. compared[side].title }
  for _, item in ipairs(compared.fields) do
    vim.list_extend(lines, vim.split(("%s: %s"):format(item.name, item[side]), "\n", { plain = true }))
  end
  for _, id in ipairs(compared["memories_only_" .. side]) do
    table.insert(lines, "memory: " .. id)
  end
  for _, message in ipairs(compared["messages_only_" .. side]) do
    table.insert(lines, "message: " .. message)
  end
  return lines
end

--- Two points side by side, in a tab of their own.
---@param call waybook.Call
function M.compare(call)
  local first, tree = point(call, "Compare")
  if not first then return end
  local others = vim.tbl_filter(function(node) return node.id ~= first.id end, points(tree))
  if #others == 0 then
    task.refuse("There is only one point.", "one-point", "`:Waybook checkpoint` keeps another.")
  end
  local second = ui.select("With", others, word)
  if not second then return end
  local compared = server.call(call.root, "sessions.compare", { a = first.id, b = second.id })
  vim.cmd.tabnew()
  ui.scratch(call.root, "waybook://point/" .. second.id, lines_of(compared, "b"))
  vim.cmd.diffthis()
  vim.cmd("leftabove vsplit")
  ui.scratch(call.root, "waybook://point/" .. first.id, lines_of(compared, "a"))
  vim.cmd.diffthis()
end

--- A prompt with which another agent takes over.
---@param call waybook.Call
function M.handoff(call)
  local node = point(call, "Hand over")
  local agent = node and ui.select("Who takes it over", TAKERS, function(item) return item end)
  if agent then
    local made = server.call(call.root, "sessions.handoff", { node = node.id, agent = agent })
    ui.show("handoff/" .. node.id, made.text, "markdown")
  end
end

return M
