-- A hand at the keyboard: what is asked is answered from a queue, what is told is kept, and every wait is bounded.
local M = { told = {}, asked = {} }

local answers = {}

vim.o.columns, vim.o.lines = 120, 40

function M.say(what) io.stdout:write("ok " .. what .. "\n") end

local function fail(what)
  local shown = { told = M.told, asked = M.asked, lines = vim.api.nvim_buf_get_lines(0, 0, -1, false) }
  io.stderr:write("FAIL " .. what .. "\n" .. vim.inspect(shown) .. "\n" .. debug.traceback() .. "\n")
  os.exit(1)
end

function M.check(holds, what)
  if not holds then fail(what) end
  M.say(what)
end

function M.wait(what, holds) M.check(vim.wait(20000, holds, 10), what) end

--- The answers to the next questions, in order: a text for an input, a pattern for a choice, false for none.
function M.answer(...) answers = { ... } end

function M.unasked() return #answers end

vim.ui.input = function(options, done)
  table.insert(M.asked, options.prompt)
  if #answers == 0 then fail("an unexpected question: " .. options.prompt) end
  local text = table.remove(answers, 1)
  done(text or nil)
end

vim.ui.select = function(items, options, done)
  table.insert(M.asked, options.prompt)
  if #answers == 0 then fail("an unexpected question: " .. options.prompt) end
  local wanted = table.remove(answers, 1)
  for index, item in ipairs(items) do
    if wanted and options.format_item(item):find(wanted) then return done(item, index) end
  end
  if wanted then fail(("no choice %q in %s"):format(wanted, vim.inspect(vim.tbl_map(options.format_item, items)))) end
  done(nil)
end

vim.notify = function(text) table.insert(M.told, text) end

--- Type a `:Waybook` command, and wait until something holds.
function M.type(line, what, holds)
  M.told = {}
  vim.cmd("Waybook " .. line)
  M.wait(what, holds)
end

function M.was_told(pattern)
  return function()
    return vim.iter(M.told):any(function(text) return text:find(pattern) ~= nil end)
  end
end

function M.text(buffer) return table.concat(vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, false), "\n") end

function M.shows(pattern)
  return function() return M.text():find(pattern) ~= nil end
end

function M.write_outside(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

return M
