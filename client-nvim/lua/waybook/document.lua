-- Memories and pins as buffers: waybook-memory:/project/ID.md, waybook-pin:/THREAD/PIN.md. Writing keeps the next version.
local server = require("waybook.server")
local task = require("waybook.task")

local M = {}

local PATIENCE_MS = 30000

---@class waybook.Kept
---@field text string
---@field version integer

---@param root string
---@param uri string
---@return waybook.Kept
local function pin(root, uri)
  local thread, id = uri:match("^waybook%-pin:/([%w_-]+)/([%w_-]+)%.md$")
  for _, item in ipairs(thread and server.call(root, "pins.list", { thread = thread }).pins or {}) do
    if item.id == id then
      return { text = item.text, version = item.version }
    end
  end
  return task.refuse("There is no such pin.", "no-pin")
end

--- How each kind is read and written.
local KINDS = {
  ["waybook-memory"] = {
    read = function(root, uri) return server.call(root, "memory.read_document", { uri = uri }) end,
    write = function(root, uri, text, version)
      local redact = vim.v.cmdbang == 1 -- `:write!` keeps the text with its secrets replaced
      local params = { uri = uri, text = text, version = version, redact_sensitive = redact }
      return server.call(root, "memory.save_document", params)
    end,
  },
  ["waybook-pin"] = {
    read = pin,
    write = function(root, uri, text, version)
      local id = uri:match("([%w_-]+)%.md$")
      return server.call(root, "pins.edit", { pin = id, version = version, text = text }).pin
    end,
  },
}

local function kind(uri) return KINDS[uri:match("^[%w-]+")] end

--- Told as an error of the command that was typed, such as `:write`, so that what follows it does not happen.
local function fail(message) vim.api.nvim_echo({ { "Waybook: " .. message } }, true, { err = true }) end

--- Run a task to its end: reading and writing a buffer may not return before it is done, or `:wq` would lose a refusal.
---@param work fun(): any
---@return any result nil when it failed, which was told
local function now(work)
  local finished, fine, result = false, nil, nil
  task.run(function()
    fine, result = pcall(work)
    finished = true
  end)
  if not vim.wait(PATIENCE_MS, function() return finished end, 5) then
    return fail("the language server did not answer in time.")
  end
  if not fine then
    return fail(task.sentence(result))
  end
  return result
end

---@param buffer integer
---@param kept waybook.Kept
local function put(buffer, kept)
  -- A pin is kept to the byte: whether it ends its last line is part of it.
  local whole = kept.text:sub(-1) == "\n"
  vim.bo[buffer].fixendofline, vim.bo[buffer].endofline = false, whole
  local lines = vim.split(whole and kept.text:sub(1, -2) or kept.text, "\n", { plain = true })
  local before = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  if #before ~= #lines then
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  end
  for index, line in ipairs(#before == #lines and lines or {}) do
    if line ~= before[index] then -- marks and folds of the other lines stay
      vim.api.nvim_buf_set_lines(buffer, index - 1, index, false, { line })
    end
  end
  vim.b[buffer].waybook_version = kept.version
  vim.bo[buffer].modified = false
end

--- BufReadCmd.
---@param buffer integer
---@param uri string
function M.read(buffer, uri)
  local root = server.root(buffer)
  vim.bo[buffer].buftype, vim.bo[buffer].swapfile, vim.bo[buffer].undofile = "acwrite", false, false
  vim.b[buffer].waybook_root = root
  local kept = now(function() return kind(uri).read(root, uri) end)
  if not kept then return end
  local levels = vim.bo[buffer].undolevels
  vim.bo[buffer].undolevels = -1 -- the text as it came is where undo ends
  put(buffer, kept)
  vim.bo[buffer].undolevels = levels
  vim.bo[buffer].filetype = "markdown"
end

--- The text with the version that was opened: undo brings back the line of an older one, which nobody typed.
local function current(text, version)
  local head, rest = text:match("^(%-%-%-\n.-\n)(%-%-%-\n.*)$")
  return head and head:gsub("\nversion: %d+\n", ("\nversion: %d\n"):format(version)) .. rest or text
end

--- BufWriteCmd. A refusal is told as an error, and the buffer stays modified.
---@param buffer integer
---@param uri string
function M.write(buffer, uri)
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
  local root, version = server.root(buffer), vim.b[buffer].waybook_version
  if not version then
    return fail("this text was never read; open it again.")
  end
  if vim.bo[buffer].endofline then
    text = text .. "\n"
  end
  text = uri:find("^waybook%-memory:") and current(text, version) or text
  local saved = now(function() return kind(uri).write(root, uri, text, version) end)
  if saved then
    pcall(vim.cmd.undojoin) -- the new version line is no change that somebody made
    put(buffer, saved)
  end
end

--- Buffers that nobody is editing are read again where their text has a newer version.
function M.refresh()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local uri = vim.api.nvim_buf_get_name(buffer)
    local version = vim.b[buffer].waybook_version
    if version and kind(uri) and not vim.bo[buffer].modified then
      task.run(function()
        local fine, kept = pcall(kind(uri).read, server.root(buffer), uri)
        local same = vim.api.nvim_buf_is_valid(buffer) and vim.b[buffer].waybook_version == version
        if fine and same and kept.version ~= version and not vim.bo[buffer].modified then
          put(buffer, kept)
        end
      end)
    end
  end
end

--- Open a document in the current window.
---@param root string
---@param uri string
function M.open(root, uri)
  local buffer = vim.fn.bufadd(uri)
  vim.b[buffer].waybook_root = root
  vim.bo[buffer].buflisted = true
  vim.cmd.buffer(buffer)
end

return M
