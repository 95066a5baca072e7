-- The configuration that `vim.lsp.enable('waybook')` reads. `vim.lsp.config('waybook', {...})` changes any part of it.

---@type vim.lsp.Config
return {
  cmd = require("waybook.find").command(),
  filetypes = { "markdown" },
  -- In this order: a directory inside the repository may have a .prayu of its own and is no workspace for that.
  root_markers = { ".git", ".prayu" },
  handlers = {
    ["waybook/contextChanged"] = function(_, params)
      require("waybook.status").changed(params)
    end,
  },
}
