-- Defines `:Waybook` and the documents that it opens; everything else loads when it is used.
if vim.g.loaded_waybook then
  return
end
vim.g.loaded_waybook = true

if vim.fn.has("nvim-0.11") == 0 then
  vim.notify("Waybook needs Neovim 0.11 or newer.", vim.log.levels.ERROR)
  return
end

vim.api.nvim_create_user_command("Waybook", function(call)
  require("waybook.command").run(call)
end, {
  nargs = "*",
  bang = true,
  range = true,
  desc = "Which instructions AI coding agents really get",
  complete = function(...) return require("waybook.command").complete(...) end,
})

local group = vim.api.nvim_create_augroup("waybook", {})
local pattern = { "waybook-memory:/*", "waybook-pin:/*" }
vim.api.nvim_create_autocmd("BufReadCmd", {
  group = group,
  pattern = pattern,
  callback = function(event) require("waybook.document").read(event.buf, event.match) end,
})
vim.api.nvim_create_autocmd("BufWriteCmd", {
  group = group,
  pattern = pattern,
  callback = function(event) require("waybook.document").write(event.buf, event.match) end,
})

-- Rules of single agents that are Markdown under another name.
vim.filetype.add({
  extension = { mdc = "markdown" },
  filename = { [".cursorrules"] = "markdown", [".windsurfrules"] = "markdown", [".clinerules"] = "markdown" },
})
