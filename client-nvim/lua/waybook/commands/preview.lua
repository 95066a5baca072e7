-- preview: what a model would see now, for the file or for a run, a thread or a session that is chosen.
local server = require("waybook.server")
local task = require("waybook.task")
local ui = require("waybook.ui")

local M = {}

---@class waybook.Listing How the things of one kind are listed, and what each is called.
---@field command string
---@field list string the answer's field
---@field word fun(item: table): string

---@type table<string, waybook.Listing>
local LISTINGS = {
  run = { command = "runs.list", list = "runs", word = function(run) return run.goal end },
  thread = { command = "threads.list", list = "threads", word = function(thread) return thread.title end },
  session = {
    command = "sessions.list",
    list = "sessions",
    word = function(session) return ("%s  [%s]"):format(session.title ~= "" and session.title or session.id, session.agent) end,
  },
}

---@param call waybook.Call
---@param kind string
---@return table? params nil when nothing was chosen
local function chosen(call, kind)
  local listing = LISTINGS[kind]
  if not listing then
    task.refuse("No such action.", "usage", ":Waybook preview file|run|thread|session")
  end
  local fine, found = pcall(server.ask, call.root, listing.command)
  if not fine and found.code ~= "no-workspace" then
    error(found, 0)
  end
  local items = fine and found[listing.list] or {}
  if #items == 0 then
    return ui.say(("there is no %s here."):format(kind))
  end
  local item = ui.select("Preview which " .. kind, items, listing.word)
  return item and { [kind] = item.id }
end

---@param root string
---@param params table
---@return string
local function text(root, params)
  return server.call(root, "context.preview", vim.tbl_extend("force", { markdown = true }, params)).text
end

--- Make the buffer anew whenever something changed, for as long as it exists and shows this preview.
---@param buffer integer
---@param root string
---@param params table
local function follow(buffer, root, params)
  vim.b[buffer].waybook_preview = params
  local group = vim.api.nvim_create_augroup("waybook.preview." .. buffer, {})
  vim.api.nvim_create_autocmd("User", {
    group = group,
    pattern = "WaybookChanged",
    callback = function()
      if not vim.api.nvim_buf_is_valid(buffer) then
        return true -- the buffer is gone, and so is this
      end
      if vim.fn.bufwinid(buffer) < 0 then
        return
      end
      task.run(function()
        local fine, made = pcall(text, root, params)
        -- Another preview may have taken the buffer meanwhile.
        if vim.api.nvim_buf_is_valid(buffer) and vim.deep_equal(vim.b[buffer].waybook_preview, params) then
          ui.fill(buffer, { ((fine and made or task.sentence(made)):gsub("\n$", "")) })
        end
      end)
    end,
  })
end

---@param call waybook.Call
function M.preview(call)
  local kind, params = call.args[1] or "file", nil
  if kind == "file" then
    params = { workspace = call.root, target = call.file ~= "" and call.file or call.root }
  else
    params = chosen(call, kind)
  end
  if params then
    local buffer = ui.show("preview", text(call.root, params), "markdown")
    follow(buffer, call.root, params)
  end
end

return M
