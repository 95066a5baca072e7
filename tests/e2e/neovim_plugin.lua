-- Driven by test_neovim_plugin.py: the walk of a person through :Waybook, in a workspace with nested instruction files.
local root = vim.env.WAYBOOK_WORKSPACE
local hand = dofile(vim.env.WAYBOOK_HAND)
local check, wait, answer = hand.check, hand.wait, hand.answer

local function codes(path)
  local found = {}
  for _, item in ipairs(vim.diagnostic.get(vim.fn.bufadd(root .. "/" .. path))) do found[item.code] = item end
  return found
end
local function windows() return vim.api.nvim_tabpage_list_wins(0) end

-- A file that lies in no workspace concerns nobody.
vim.cmd.edit(vim.fs.dirname(root) .. "/alone.txt")
check(vim.api.nvim_eval_statusline(vim.o.statusline, {}).str:find("alone.txt $"), "the statusline is silent")
check(not vim.wait(300, function() return #vim.lsp.get_clients() > 0 end, 10), "and nothing starts")

-- Who gets what, from a file of code: no instruction file was opened yet, so this starts the server.
vim.cmd.edit(root .. "/web/app.ts")
check(#vim.lsp.get_clients({ name = "waybook" }) == 0, "opening code starts nothing")
hand.type("explain", "the chain floats", hand.shows("## claude%-code loads"))
check(hand.text():find("1. `AGENTS.md`", 1, true), "the root's file comes first")
check(hand.text():find("3. `web/AGENTS.md`", 1, true), "the nearer one follows")
check(hand.text():find("## codex loads", 1, true), "Codex is told")
check(vim.api.nvim_win_get_config(0).relative ~= "", "it is a float")
vim.api.nvim_win_set_cursor(0, { vim.fn.search("web/AGENTS.md", "w"), 0 })
vim.api.nvim_feedkeys(vim.keycode("<CR>"), "x", false)
check(vim.api.nvim_buf_get_name(0) == root .. "/web/AGENTS.md", "Enter opens the file of a line")

-- Findings and hover, by vim.lsp.enable alone.
wait("the client attaches", function() return #vim.lsp.get_clients({ bufnr = 0, name = "waybook" }) == 1 end)
check(#vim.lsp.get_clients({ name = "waybook" }) == 1, "one server serves the commands and the buffer")
wait("a finding is shown", function() return codes("web/AGENTS.md")["dead-path"] ~= nil end)
vim.api.nvim_win_set_cursor(0, { 1, 0 })
vim.lsp.buf.hover()
wait("the hover floats", function()
  return vim.iter(windows()):any(function(window)
    return vim.api.nvim_win_get_config(window).relative ~= "" and hand.text(vim.api.nvim_win_get_buf(window)):find("applies to")
  end)
end)
hand.type("check", "the quickfix list opens", function() return vim.bo.buftype == "quickfix" end)
local entry = vim.iter(vim.fn.getqflist()):find(function(item) return item.text:find("[dead-path]", 1, true) end)
check(entry.type == "W" and entry.lnum == 3 and entry.col == 15, "with the place in bytes")
vim.cmd.cclose()
hand.type("context", "what a model reads is shown", hand.shows("Small steps"))
vim.cmd.close()
hand.type("matrix", "files and agents make a table", hand.shows("web/AGENTS.md +%a+"))
vim.cmd.close()

-- The statusline, then the pin, a change by somebody else, and the drift.
vim.cmd.edit(root .. "/web/app.ts")
local function line() return vim.api.nvim_eval_statusline(vim.o.statusline, {}).str end
wait("the statusline tells", function() return line():find("3 instructions · .* · not pinned") end)
hand.type("pin", "the workspace is pinned", hand.was_told("revision 1 is pinned"))
wait("the statusline follows", function() return line():find("· pinned") end)
hand.write_outside(root .. "/web/AGENTS.md", "# Web\n\n\u{1F9EA} use [it](none.md)\nAnother rule.\n")
wait("the statusline says stale", function() return line():find("· stale") end)
wait("the drift is a finding", function() return codes("web/AGENTS.md")["fingerprint-stale"] ~= nil end)
hand.type("drift", "both texts stand side by side", function() return #windows() == 2 and vim.wo.diff end)
check(hand.text():find("A rule.", 1, true) and not vim.bo.modifiable, "left what was pinned, read-only")
vim.cmd.wincmd("l")
check(vim.api.nvim_buf_get_name(0) == root .. "/web/AGENTS.md" and vim.wo.diff, "right the file itself")
vim.cmd.tabclose()
answer(false)
hand.type("confirm", "not choosing confirms nothing", hand.was_told("nothing was confirmed"))
answer("Confirm")
hand.type("confirm", "the drift is confirmed", hand.was_told("confirmed as revision 2"))
wait("the finding clears", function() return codes("web/AGENTS.md")["fingerprint-stale"] == nil end)
wait("the statusline is clean", function() return line():find("· pinned") end)
hand.type("drift", "nothing drifted any more", hand.was_told("nothing drifted"))

-- A memory: made, edited as a buffer, refused with a secret, disabled, found, deleted.
answer("Tabs", "Use tabs in web/")
hand.type("memory new project", "a memory opens", hand.shows("Use tabs in web/"))
local memory = vim.api.nvim_get_current_buf()
vim.cmd("%s/Use tabs/Always use tabs/")
vim.cmd.write()
check(not vim.bo.modified and hand.text():find("version: 2", 1, true), "writing keeps version 2")
vim.bo.undolevels = vim.bo.undolevels -- as a key does: what follows is undone by itself
vim.cmd("normal! GO" .. "api key: " .. vim.env.WAYBOOK_FAKE)
local fine, refused = pcall(vim.cmd.write)
check(not fine and vim.bo.modified, "a secret is refused, and the text is still there: " .. tostring(refused):sub(-160))
vim.cmd("undo")
vim.cmd.write()
check(hand.text():find("Always use tabs in web/", 1, true), "undo takes away what was refused")
hand.type("memory disable", "it is disabled", hand.was_told("disabled: Tabs"))
wait("the buffer follows", hand.shows("version: 3"))
vim.cmd.buffer("#")
answer("Tabs")
hand.type("memory search Always", "a search opens it", function() return vim.api.nvim_get_current_buf() == memory end)
answer("Delete")
hand.type("memory delete", "it is deleted for good", hand.was_told("deleted"))
check(not vim.api.nvim_buf_is_loaded(memory), "and its buffer is gone")

-- A pin of a thread, kept to the byte.
answer("Checkout", "Never rename fields")
hand.type("pins add", "a pin opens", hand.shows("Never rename fields"))
vim.cmd("%s/fields/API fields/")
vim.cmd.write()
check(vim.b.waybook_version == 2, "writing keeps its next version")
answer("API fields", "Remove")
hand.type("pins remove", "a pin is removed", hand.was_told("removed"))
hand.type("candidates", "no candidate waits", hand.was_told("no candidate"))
hand.type("sessions", "no session worked here", hand.was_told("no session"))
answer("Review checkout")
hand.type("runs new", "a run is pinned", hand.was_told("is pinned to the instructions"))

-- Where the run stands, another one from there, and both side by side.
answer("Before the rewrite", "Tests are green.")
hand.type("checkpoint", "a point is kept", hand.was_told("kept as"))
answer("Before the rewrite", "Rewrite checkout")
hand.type("fork", "another run begins there", hand.was_told("goes on from there"))
answer("Review checkout", "^checkpoint: Before the rewrite", "^fork")
hand.type("compare", "both stand side by side", function() return #windows() == 2 and vim.wo.diff end)
vim.cmd.tabclose()
answer("Review checkout")
hand.type("tree", "the tree is shown", hand.shows("fork: "))
check(hand.text():find("checkpoint: Before the rewrite", 1, true), "with the point")
vim.cmd.close()

-- Completion, mistakes, health, and the server's own commands.
check(vim.tbl_contains(vim.fn.getcompletion("Waybook me", "cmdline"), "memory"), "names are completed")
check(vim.tbl_contains(vim.fn.getcompletion("Waybook memory d", "cmdline"), "delete"), "actions are completed")
check(vim.tbl_contains(vim.fn.getcompletion("Waybook explain cod", "cmdline"), "codex"), "agents are completed")
hand.type("nonsense", "an unknown name is told", hand.was_told("no :Waybook nonsense"))
hand.type("doctor", "the doctor reports", hand.shows("Database: "))
vim.cmd.close()
vim.cmd("checkhealth waybook")
check(hand.text():find("enabled for: markdown") and hand.text():find("Waybook %d"), "the health is fine")
check(not hand.text():find("ERROR"), "without an error")
hand.type("restart", "the server starts again", hand.was_told("restarted"))
hand.type("stop", "and stops", function() return #vim.lsp.get_clients({ name = "waybook" }) == 0 end)
check(hand.unasked() == 0, "every question was asked")
io.stdout:write("all holds\n")
vim.cmd("qall!")
