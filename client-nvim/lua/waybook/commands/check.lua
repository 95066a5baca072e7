-- check: every finding of the workspace, or of some files, in the quickfix list.
local server = require("waybook.server")
local ui = require("waybook.ui")

local M = {}

local TYPES = { error = "E", warning = "W", information = "I", hint = "N" }

---@param path string
---@return string[]
local function lines_of(path)
  local fine, lines = pcall(vim.fn.readfile, path)
  return fine and lines or {}
end

--- A byte column from a column in characters; both count from 1.
local function byte_column(line, column)
  local fine, index = pcall(vim.str_byteindex, line or "", "utf-32", column - 1, false)
  return fine and index + 1 or column
end

---@param found table the result of instructions.check
---@return vim.quickfix.entry[]
local function entries(root, found)
  local texts = {}
  return vim.tbl_map(function(item)
    local path = vim.fs.joinpath(root, item.path)
    texts[path] = texts[path] or lines_of(path)
    return {
      filename = path,
      lnum = item.line,
      col = byte_column(texts[path][item.line], item.column),
      end_lnum = item.end_line,
      end_col = byte_column(texts[path][item.end_line], item.end_column),
      type = TYPES[item.severity] or "I",
      text = ("%s [%s]"):format(item.message:gsub("%s*\n%s*", " "), item.code),
    }
  end, found.findings)
end

---@param call waybook.Call
function M.check(call)
  local paths = vim.tbl_map(function(path) return vim.fn.fnamemodify(vim.fn.expand(path), ":p") end, call.args)
  local found = server.ask(call.root, "instructions.check", { paths = paths, fix = call.bang })
  if call.bang then
    vim.cmd.checktime()
  end
  vim.fn.setqflist({}, " ", { title = "Waybook check", items = entries(call.root, found) })
  if #found.findings == 0 then
    vim.cmd.cclose()
    return ui.say(("%s, nothing to say."):format(ui.count(found.files, "instruction file")))
  end
  vim.cmd("botright copen")
end

return M
