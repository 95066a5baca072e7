-- Floats, scratch buffers, questions. `select`, `input` and `confirm` wait, and are used inside a task.
local task = require("waybook.task")

local M = {}

---@class waybook.Row A line of a list or float, and what Enter opens.
---@field text string
---@field path? string absolute
---@field value? any

--- Replace the text of a read-only buffer.
---@param buffer integer
---@param lines string[]
function M.fill(buffer, lines)
  local flat = vim.split(table.concat(lines, "\n"), "\n", { plain = true })
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, flat)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].modified = false
  return flat
end

local function keys(buffer, window, rows)
  vim.keymap.set("n", "q", function() vim.api.nvim_win_close(window, true) end, { buffer = buffer, desc = "Close" })
  vim.keymap.set("n", "<CR>", function()
    local row = rows and rows[vim.api.nvim_win_get_cursor(0)[1]]
    if row and row.path then
      vim.api.nvim_win_close(window, true)
      vim.cmd.edit(vim.fn.fnameescape(row.path))
    end
  end, { buffer = buffer, desc = "Open the file of this line" })
end

--- A float that has the focus: q closes it, Enter opens the file of a line.
---@param title string
---@param rows waybook.Row[]
---@param filetype? string
---@return integer buffer, integer window
function M.float(title, rows, filetype)
  local lines, by_line = {}, {}
  for _, row in ipairs(rows) do
    for _, line in ipairs(vim.split(row.text, "\n", { plain = true })) do
      table.insert(lines, line)
      by_line[#lines] = row
    end
  end
  local buffer = vim.api.nvim_create_buf(false, true)
  local root = require("waybook.server").root()
  M.fill(buffer, lines)
  vim.bo[buffer].filetype, vim.bo[buffer].bufhidden = filetype or "markdown", "wipe"
  vim.b[buffer].waybook_root = root
  local width = vim.fn.strdisplaywidth(title) + 4
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line) + 2)
  end
  width = math.max(1, math.min(width, vim.o.columns - 4))
  local window = vim.api.nvim_open_win(buffer, true, {
    relative = "cursor", row = 1, col = 0, style = "minimal", border = "rounded", title = " " .. title .. " ",
    width = width, height = math.max(1, math.min(#lines, vim.o.lines - 6)),
  })
  vim.wo[window].wrap, vim.wo[window].linebreak, vim.wo[window].cursorline = true, true, true
  vim.wo[window].conceallevel = 0
  keys(buffer, window, by_line)
  return buffer, window
end

--- A read-only buffer in a split of its own, made anew each time under the same name.
---@param name string
---@param text string
---@param filetype string
---@return integer buffer
function M.show(name, text, filetype)
  local root, full = require("waybook.server").root(), "waybook://" .. name
  local buffer = vim.fn.bufnr("^" .. vim.fn.escape(full, "[]*?{}.\\$~") .. "$")
  if buffer < 0 then
    buffer = vim.api.nvim_create_buf(true, true)
    vim.api.nvim_buf_set_name(buffer, full)
  end
  M.fill(buffer, { (text:gsub("\n$", "")) })
  vim.bo[buffer].filetype, vim.b[buffer].waybook_root = filetype, root
  local window = vim.fn.bufwinid(buffer)
  if window >= 0 then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd("botright split")
    vim.api.nvim_win_set_buf(0, buffer)
  end
  return buffer
end

--- A read-only buffer in the current window, gone when it is closed.
---@param root string
---@param name string
---@param lines string[]
function M.scratch(root, name, lines)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  pcall(vim.api.nvim_buf_set_name, buffer, name)
  vim.bo[buffer].filetype, vim.bo[buffer].bufhidden, vim.bo[buffer].modifiable = "markdown", "wipe", false
  vim.b[buffer].waybook_root = root
  vim.api.nvim_win_set_buf(0, buffer)
end

--- One of several; nil when the person chose none.
---@generic T
---@param prompt string
---@param items T[]
---@param word fun(item: T): string
---@return T?
function M.select(prompt, items, word)
  return task.wait(function(done)
    vim.ui.select(items, {
      prompt = prompt,
      kind = "waybook",
      format_item = function(item) return (word(item):gsub("%s*\n%s*", " ")) end,
    }, vim.schedule_wrap(done))
  end)
end

--- A line of text; nil when the person gave none.
---@param prompt string
---@param default? string
---@return string?
function M.input(prompt, default)
  local text = task.wait(function(done)
    vim.ui.input({ prompt = prompt .. ": ", default = default }, vim.schedule_wrap(done))
  end)
  return text ~= "" and text or nil
end

--- Whether the person chose to do it. Not choosing is a no.
---@param question string
---@param yes string what is done, such as "Delete"
---@return boolean
function M.confirm(question, yes)
  return M.select(question, { yes, "Cancel" }, function(item) return item end) == yes
end

---@param text string
function M.say(text)
  vim.notify("Waybook: " .. text, vim.log.levels.INFO)
end

--- "1 file", "2 files".
function M.count(number, word, words)
  return ("%d %s"):format(number, number == 1 and word or words or word .. "s")
end

return M
