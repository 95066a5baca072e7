-- The language server: which workspace a buffer belongs to, its client (started when there is none), its commands.
local find = require("waybook.find")
local task = require("waybook.task")

local M = {}

local NAME = "waybook"
local PATIENCE_MS = 20000

---@type table<integer, fun()[]> what waits for a client to be ready
local waiting = {}

---@param id integer
local function ready(id)
  local list = waiting[id]
  waiting[id] = nil
  for _, resume in ipairs(list or {}) do
    resume()
  end
end

vim.api.nvim_create_autocmd("LspAttach", {
  group = vim.api.nvim_create_augroup("waybook.server", {}),
  callback = function(event)
    ready(event.data.client_id)
  end,
})

---@return vim.lsp.Config
local function configuration()
  return vim.lsp.config[NAME] or vim.lsp.config["*"] or {}
end

--- The workspace of a buffer: of its file, of the document it shows, else of the current directory.
---@param buffer? integer
---@return string root, boolean marked whether it is one by `.git` or `.prayu`, and not only where the file lies
function M.root(buffer)
  buffer = buffer or vim.api.nvim_get_current_buf()
  if vim.b[buffer].waybook_root then
    return vim.b[buffer].waybook_root, true
  end
  local name = vim.bo[buffer].buftype == "" and vim.api.nvim_buf_get_name(buffer) or ""
  local start = name ~= "" and name or vim.fs.joinpath(vim.fn.getcwd(), "x")
  local markers = configuration().root_markers or { ".git", ".prayu" }
  local marked = vim.fs.root(start, markers)
  local root = marked or vim.fs.dirname(start)
  return vim.uv.fs_realpath(root) or root, marked ~= nil
end

--- The client of a workspace, if it runs.
---@param root string
---@return vim.lsp.Client?
function M.running(root)
  for _, client in ipairs(vim.lsp.get_clients({ name = NAME, _uninitialized = true })) do
    if not client:is_stopped() and client.root_dir and vim.uv.fs_realpath(client.root_dir) == root then
      return client
    end
  end
end

---@param root string
---@return vim.lsp.Client
local function start(root)
  local config = vim.deepcopy(configuration())
  if not config.cmd then
    task.refuse("The plugin's directory is not on 'runtimepath'.", "not-installed", "See :help waybook-install.")
  end
  config.name, config.root_dir = NAME, root
  config.on_init = { config.on_init, function(client) vim.schedule(function() ready(client.id) end) end }
  if not config.on_init[1] then
    config.on_init = config.on_init[2]
  end
  local program = config.cmd
  if type(program) == "table" and vim.fn.executable(program[1]) == 0 then
    task.refuse(("There is no program %s."):format(program[1]), "no-server", find.advice)
  end
  local id = vim.lsp.start(config, { attach = false, silent = true })
  local client = id and vim.lsp.get_client_by_id(id)
  return client or task.refuse("The language server does not start.", "no-server", "Run :checkhealth waybook.")
end

--- The client of a workspace, ready to be asked; starts it when there is none. Only inside a task.
---@param root string
---@return vim.lsp.Client
function M.client(root)
  local client = M.running(root) or start(root)
  if not client.initialized then
    task.wait(function(done)
      waiting[client.id] = vim.list_extend(waiting[client.id] or {}, { done })
      vim.defer_fn(done, PATIENCE_MS)
    end)
  end
  if not client.initialized then
    task.refuse("The language server did not answer.", "no-answer", "Run :checkhealth waybook, or :Waybook log.")
  end
  return client
end

--- The ids of the commands a client's server has, without `waybook.`.
---@param client vim.lsp.Client
---@return table<string, true>
function M.abilities(client)
  local provider = client.server_capabilities and client.server_capabilities.executeCommandProvider or {}
  local known = {}
  for _, name in ipairs(provider.commands or {}) do
    known[(name:gsub("^waybook%.", ""))] = true
  end
  return known
end

--- Run a command and wait for its result; raises a refusal. Only inside a task.
---@param root string
---@param id string such as "memory.list"
---@param params? table
---@return any
function M.call(root, id, params)
  local client = M.client(root)
  if not M.abilities(client)[id] then
    task.refuse(("This server has no command %s."):format(id), "unknown-command", "Upgrade it, then :Waybook restart.")
  end
  local arguments = { vim.tbl_isempty(params or {}) and vim.empty_dict() or params }
  local failure, result = task.wait(function(done)
    client:request("workspace/executeCommand", { command = "waybook." .. id, arguments = arguments }, done)
  end)
  if failure then
    local data = type(failure.data) == "table" and failure.data or {}
    task.refuse(failure.message, data.code or "failed", data.hint)
  end
  return result
end

--- As `call`, in a workspace: the parameter `workspace` is filled in.
---@param root string
---@param id string
---@param params? table
function M.ask(root, id, params)
  return M.call(root, id, vim.tbl_extend("force", { workspace = root }, params or {}))
end

--- Stop every client, and wait for nothing.
function M.stop()
  for _, client in ipairs(vim.lsp.get_clients({ name = NAME, _uninitialized = true })) do
    client:stop()
  end
end

return M
