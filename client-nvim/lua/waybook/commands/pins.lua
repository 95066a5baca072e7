-- pins: requirements that a thread keeps word for word; one opens as a buffer.
local document = require("waybook.document")
local server = require("waybook.server")
local threads = require("waybook.commands.threads")
local ui = require("waybook.ui")

local M = {}

local function word(pin) return ("%d. %s"):format(pin.position, pin.text) end

---@return table? pin, string? thread
local function chosen(root, thread, prompt)
  local pins = server.call(root, "pins.list", { thread = thread.id }).pins
  if #pins == 0 then
    return ui.say("no pins yet. `:Waybook pins add` adds one.")
  end
  return ui.select(prompt, pins, word)
end

local actions = {}

local function open(root, thread, pin)
  document.open(root, ("waybook-pin:/%s/%s.md"):format(thread.id, pin.id))
end

function actions.list(root, thread)
  local pin = chosen(root, thread, thread.title)
  if pin then
    open(root, thread, pin)
  end
end

--- Of the range that was given, else of what is typed.
function actions.add(root, thread, call)
  local text = call.selection or ui.input("The requirement, kept exactly as it is")
  if text then
    open(root, thread, server.call(root, "pins.add", { thread = thread.id, text = text }).pin)
  end
end

function actions.remove(root, thread)
  local pin = chosen(root, thread, "Remove")
  if pin and ui.confirm("Remove this pin for good", "Remove") then
    server.call(root, "pins.remove", { pin = pin.id, version = pin.version })
    ui.say("removed.")
  end
end

local CHOICES = { keep = "Pin exactly this", only_now = "Only for now", custom = "Answer in my own words" }

--- What agents proposed: the whole text is shown before the question.
function actions.proposals(root, thread)
  local open_ones = server.call(root, "pins.proposals", { thread = thread.id }).proposals
  if #open_ones == 0 then
    return ui.say("no proposal waits.")
  end
  local proposal = ui.select("Proposals", open_ones, function(item) return item.text end)
  if not proposal then return end
  local _, window = ui.float("Proposed by " .. proposal.proposed_by, { { text = proposal.text } })
  vim.cmd.redraw()
  local choice = ui.select("Answer", { "keep", "only_now", "custom" }, function(item) return CHOICES[item] end)
  if vim.api.nvim_win_is_valid(window) then
    vim.api.nvim_win_close(window, true)
  end
  local reply = choice == "custom" and ui.input("Your answer") or nil
  if choice and (reply or choice ~= "custom") then
    server.call(root, "pins.answer", { proposal = proposal.id, choice = choice, reply = reply })
    ui.say("answered.")
  end
end

---@param call waybook.Call
function M.pins(call)
  local action = actions[call.args[1] or "list"]
  if not action then
    require("waybook.task").refuse("No such action.", "usage", ":Waybook pins list|add|remove|proposals")
  end
  local thread = threads.choose(call.root)
  if thread then
    action(call.root, thread, call)
  end
end

return M
