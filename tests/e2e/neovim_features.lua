-- The rest of the protocol in a real Neovim, through Neovim's own functions where it has them. `neovim.lua` calls this.
return function(client, root, tools)
  local check, wait, request = tools.check, tools.wait, tools.request
  local guide = root .. "/guides/AGENTS.md"
  local told = {}
  vim.lsp.handlers["waybook/contextChanged"] = function(_, params) table.insert(told, params) end

  vim.cmd.edit(guide)
  vim.bo.filetype = "markdown"
  wait("another file of the folder attaches to the same server", function()
    return client.attached_buffers[vim.api.nvim_get_current_buf()]
  end)
  local document = vim.lsp.util.make_text_document_params(0)
  local function at(line, character) return { textDocument = document, position = { line = line, character = character } } end

  -- Links, references, symbols, folds.
  local links = request("textDocument/documentLink", { textDocument = document }).result
  check(#links == 2 and links[1].range.start.line == 2, "imports are links")
  local link = links[1].target and links[1] or request("documentLink/resolve", links[1]).result
  check(vim.uri_to_fname(link.target) == root .. "/docs/real.md", "the link leads to the file")
  vim.api.nvim_win_set_cursor(0, { 3, 8 })
  local found
  vim.lsp.buf.references(nil, { on_list = function(list) found = list.items end })
  wait("references answer", function() return found end)
  local names = {}
  for _, item in ipairs(found) do names[item.filename] = true end
  check(names[root .. "/src/AGENTS.md"] and names[guide], "references name every file that mentions the path")
  local symbols = request("workspace/symbol", { query = "guide" }).result
  check(#symbols == 1 and vim.uri_to_fname(symbols[1].location.uri) == guide, "a heading is found from anywhere")
  local folds = request("textDocument/foldingRange", { textDocument = document }).result
  check(#folds > 0 and folds[1].startLine == 0, "the section folds")

  -- Completion after `@` with dot folders, and of the checks' names.
  local function labels(line, text)
    vim.api.nvim_buf_set_lines(0, line, line + 1, false, { text })
    local answer = request("textDocument/completion", at(line, #text)).result
    local set = {}
    for _, item in ipairs(answer.items or answer) do set[item.label] = true end
    return set
  end
  check(labels(4, "See @../")[".github/"], "a dot folder is completed")
  check(labels(4, "See @../")["docs/"], "a folder is completed")
  check(labels(4, "<!-- waybook: allow ")["dead-path"], "the name of a check is completed")

  -- One action for all plain fixes: what nobody sees in a text is taken out.
  vim.api.nvim_buf_set_lines(0, 4, 5, false, { "Hidden\226\128\139 here." })
  local buffer = vim.api.nvim_get_current_buf()
  local function has(code)
    for _, item in ipairs(vim.diagnostic.get(buffer)) do
      if item.code == code then return item end
    end
  end
  wait("a hidden character is found while typing", function() return has("hidden-unicode") end)
  check(has("hidden-unicode").user_data.lsp.codeDescription.href:find("hidden-unicode", 1, true), "the finding says where to read more")
  vim.lsp.buf.code_action({ context = { only = { "source.fixAll.waybook" }, diagnostics = {} }, apply = true })
  wait("everything plain is fixed at once", function()
    return vim.api.nvim_buf_get_lines(0, 4, 5, false)[1] == "Hidden here."
  end)
  wait("the finding goes with its cause", function() return not has("hidden-unicode") end)
  vim.cmd("silent write")

  -- Before a file is moved, the edits of what mentions it are given.
  local edit = request("workspace/willRenameFiles", {
    files = { { oldUri = vim.uri_from_fname(root .. "/docs/kept.md"), newUri = vim.uri_from_fname(root .. "/docs/new.md") } },
  }).result
  check(vim.inspect(edit):find("../docs/new.md", 1, true), "mentions of a moved file are edited")

  -- Somebody else pins: the editor is told, although it asked for nothing.
  told = {}
  local file = assert(io.open(root .. "/guides/CLAUDE.md", "w"))
  file:write("More text.\n")
  file:close()
  wait("a new file is told to the editor", function() return #told > 0 end)
  check(told[1].workspace and told[1].reason, "it is told where, and why")

  -- Settings count at once; what is no file is answered with nothing.
  client.settings.waybook.checks.severity["hidden-unicode"] = "off"
  client:notify("workspace/didChangeConfiguration", { settings = client.settings })
  vim.api.nvim_buf_set_lines(0, 4, 6, false, { "Hidden\226\128\139 here, see @none.md" })
  wait("a check that is switched off is silent", function() return has("broken-import") and not has("hidden-unicode") end)
  local nothing = request("textDocument/hover", { textDocument = { uri = "untitled:Untitled-1" }, position = { line = 0, character = 0 } })
  check(not nothing.err and (nothing.result == nil or nothing.result == vim.NIL), "an untitled buffer has no hover, and no error")
  vim.cmd("silent edit!")
end
