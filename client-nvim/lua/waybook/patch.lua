-- The text before a change, from the text after it and the unified difference between both.
local M = {}

---@param text string
---@return string[]
local function lines_of(text)
  return text == "" and {} or vim.split((text:gsub("\n$", "")), "\n", { plain = true })
end

--- Undo a difference. Texts are lines that end with LF.
---@param after string[] lines
---@param difference string
---@return string[]? lines nil where the difference does not belong to this text
function M.before(after, difference)
  local result, next_line, old, fresh = {}, 1, 0, 0
  for _, line in ipairs(lines_of(difference)) do
    local mark, text = line:sub(1, 1), line:sub(2)
    if old == 0 and fresh == 0 then
      local olds, start, news = line:match("^@@ %-%d+,?(%d*) %+(%d+),?(%d*) @@")
      if olds then
        old, fresh = tonumber(olds) or 1, tonumber(news) or 1
        -- An empty side is numbered by the line before it.
        local first = fresh == 0 and tonumber(start) + 1 or tonumber(start)
        if first < next_line or first > #after + 1 then return nil end
        vim.list_extend(result, after, next_line, first - 1)
        next_line = first
      end
    elseif mark == "-" then
      table.insert(result, text)
      old = old - 1
    elseif mark == "+" or mark == " " then
      if after[next_line] ~= text then return nil end
      next_line, fresh = next_line + 1, fresh - 1
      if mark == " " then
        table.insert(result, text)
        old = old - 1
      end
    else
      return nil
    end
  end
  return vim.list_extend(result, after, next_line)
end

M.lines_of = lines_of

return M
