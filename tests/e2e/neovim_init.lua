-- What a person's init.lua says: the plugin on the runtimepath, one line to enable it, the component in the statusline.
vim.opt.runtimepath:prepend(vim.env.WAYBOOK_PLUGIN)
vim.g.waybook = { cmd = { vim.env.WAYBOOK_PYTHON, "-m", "waybook" } }
vim.lsp.config("waybook", { settings = { waybook = { agents = { "codex", "claude-code" } } } })
vim.lsp.enable("waybook")
vim.o.statusline = "%f %{v:lua.require'waybook'.statusline()}"
vim.o.swapfile, vim.o.laststatus = false, 2
