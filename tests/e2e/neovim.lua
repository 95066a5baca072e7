-- Driven by test_neovim.py: nvim --headless -u NONE -i NONE -n -l neovim.lua PYTHON WORKSPACE
-- A real Neovim (0.11 or newer) with nothing but vim.lsp.config. Exits 1 at the first thing that does not hold.
local python, root = arg[1], arg[2]

local function say(what) io.stdout:write(what .. "\n") end
local function check(holds, what)
  if not holds then
    io.stderr:write("FAIL " .. what .. "\n" .. vim.inspect(vim.diagnostic.get(0)) .. "\n")
    os.exit(1)
  end
  say("ok " .. what)
end
local function wait(what, holds) check(vim.wait(20000, holds, 10), what) end

vim.cmd("filetype on")
vim.lsp.config("waybook", {
  cmd = { python, "-m", "waybook", "lsp" },
  filetypes = { "markdown" },
  root_markers = { ".git" },
  settings = {
    waybook = { agents = { "codex", "gemini-cli" }, checks = { severity = { ["broken-import"] = "error" } } },
  },
})
vim.lsp.enable("waybook")
vim.cmd.edit(root .. "/src/AGENTS.md")
vim.bo.filetype = "markdown" -- with -l no event loop has run yet: this fires what enables the client

wait("the client attaches", function() return #vim.lsp.get_clients({ bufnr = 0, name = "waybook" }) == 1 end)
local client = vim.lsp.get_clients({ name = "waybook" })[1]
wait("the handshake ends", function() return client.initialized end)
check(client.offset_encoding == "utf-8", "UTF-8 is agreed on")

local function codes(buffer)
  local found = {}
  for _, item in ipairs(vim.diagnostic.get(buffer or 0)) do found[item.code] = item end
  return found
end
wait("a finding is shown", function() return codes()["broken-import"] ~= nil end)
local finding = codes()["broken-import"]
check(finding.lnum == 2 and finding.col == 9, "the finding starts at its byte, after the test tube")
check(finding.severity == vim.diagnostic.severity.ERROR, "the editor's settings count")

local document = vim.lsp.util.make_text_document_params(0)
local function request(method, params) -- the buffer by its number: with 0 its last changes would not be sent first
  return client:request_sync(method, params, 10000, vim.api.nvim_get_current_buf())
end
local hover = request("textDocument/hover", { textDocument = document, position = { line = 0, character = 0 } })
check(hover.result.contents.value:find("applies to `src/`", 1, true), "the hover says where the file applies")
check(hover.result.contents.value:find("`AGENTS.md`", 1, true), "the hover lists the chain")
check(hover.result.contents.value:find("1 of 2 agents** loads this: Codex", 1, true), "the hover tells which agents load it")
check(hover.result.contents.value:find("not by Gemini CLI", 1, true), "the hover tells which agent does not, and why")
local lens = request("textDocument/codeLens", { textDocument = document }).result
check(lens[1].command.title:find("1 of 2 agents", 1, true), "the lens counts the agents")

local outline = request("textDocument/documentSymbol", { textDocument = document }).result
check(outline[1].name == "App", "the outline has the heading")
local place = request("textDocument/definition", { textDocument = document, position = { line = 3, character = 8 } }).result
check(vim.uri_to_fname((place[1] or place).targetUri or place.uri) == root .. "/docs/real.md", "an import can be followed")

local actions = request("textDocument/codeAction", {
  textDocument = document,
  range = { start = { line = 2, character = 9 }, ["end"] = { line = 2, character = 12 } },
  context = { diagnostics = {} },
}).result
local fix
for _, action in ipairs(actions) do
  if action.title:find("^Allow broken%-import here") then fix = action end
end
check(fix ~= nil, "a quick fix is offered")
vim.lsp.util.apply_workspace_edit(fix.edit, client.offset_encoding)
wait("the fix clears the finding", function() return codes()["broken-import"] == nil end)
vim.cmd("silent write")

-- A command, its lens, and the drift that follows a change on the disk made by somebody else.
local function run(command, argument)
  local done, result
  client:exec_cmd({ title = command, command = command, arguments = { argument } }, { bufnr = 0 }, function(err, answer)
    done, result = true, err or answer
  end)
  wait(command .. " answers", function() return done end)
  return result
end
check(run("waybook.instructions.pin", {}).revision == 1, "the workspace is pinned")
check(run("waybook.instructions.explain", { target = 7 }).data.code == "invalid-params", "a bad call has a code")
vim.lsp.codelens.refresh({ bufnr = 0 })
wait("the lens says pinned", function()
  local lenses = vim.lsp.codelens.get(0)
  return #lenses == 1 and lenses[1].command.title:find("pinned$") ~= nil
end)

local file = assert(io.open(root .. "/AGENTS.md", "w"))
file:write("# Rules\n\nAnother text.\n")
file:close()
local parent = vim.fn.bufadd(root .. "/AGENTS.md")
wait("drift on the disk is noticed", function() return codes(parent)["fingerprint-stale"] ~= nil end)

local asked, shown
vim.lsp.handlers["window/showDocument"] = function(_, params)
  shown = table.concat(vim.fn.readfile(vim.uri_to_fname(params.uri)), "\n")
  return { success = true }
end
vim.lsp.handlers["window/showMessageRequest"] = function(_, params)
  asked = params
  return params.actions[1]
end
local answer = run("waybook.confirmDrift", {})
check(shown and shown:find("+Another text.", 1, true), "the difference is shown first")
check(asked and asked.message:find("AGENTS.md", 1, true), "then the question is asked")
check(answer.confirmed and answer.revision == 2, "the drift is confirmed")
wait("the confirmed drift clears", function() return codes(parent)["fingerprint-stale"] == nil end)

local here = debug.getinfo(1, "S").source:sub(2):match("(.*/)")
dofile(here .. "neovim_features.lua")(client, root, { check = check, wait = wait, request = request })

client:stop()
wait("the server stops", function() return client:is_stopped() end)
say("all holds")
os.exit(0)
