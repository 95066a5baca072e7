-- :checkhealth waybook
local find = require("waybook.find")
local health = vim.health

local M = {}

local function check_editor()
  health.start("Neovim")
  if vim.fn.has("nvim-0.11") == 1 then
    health.ok("0.11 or newer")
  else
    health.error("Neovim is older than 0.11.", "Upgrade Neovim.")
  end
  local config = vim.lsp.config.waybook
  if config and vim.lsp.is_enabled("waybook") then
    health.ok("enabled for: " .. table.concat(config.filetypes or { "every file" }, ", "))
  elseif config then
    health.warn("The language server is not enabled.", "Add to init.lua: vim.lsp.enable('waybook')")
  else
    health.error("lsp/waybook.lua is not on 'runtimepath'.", "See :help waybook-install.")
  end
end

---@return boolean
local function check_program()
  health.start("Server")
  local config, found = vim.lsp.config.waybook, find.find()
  local command = config and type(config.cmd) == "table" and config.cmd or found.cmd
  if vim.fn.executable(command[1]) == 0 then
    health.error("There is no program " .. command[1] .. ".", find.advice)
    return false
  end
  health.ok(("%s (%s)"):format(table.concat(command, " "), found.source))
  return true
end

local function check_report(command)
  local fine, done = pcall(function()
    return vim.system(command, { text = true, cwd = vim.fn.getcwd() }):wait(30000)
  end)
  local decoded, report = pcall(vim.json.decode, fine and done.stdout or "")
  if not decoded or not report.version then
    local said = vim.trim(fine and (done.stderr or "") or tostring(done))
    health.error("`waybook doctor` does not answer. " .. said:sub(-400), find.advice)
    return
  end
  health.ok("Waybook " .. report.version)
  for _, problem in ipairs(report.problems) do
    health.warn(problem)
  end
end

local function check_clients()
  local clients = vim.lsp.get_clients({ name = "waybook" })
  for _, client in ipairs(clients) do
    local buffers = vim.tbl_count(client.attached_buffers)
    health.info(("runs for %s, %d buffers"):format(client.root_dir or "no directory", buffers))
  end
  if #clients == 0 then
    health.info("It runs for no workspace now; opening a Markdown file or :Waybook explain starts it.")
  end
end

function M.check()
  check_editor()
  if not check_program() then return end
  local config = vim.lsp.config.waybook
  local command = config and type(config.cmd) == "table" and config.cmd or find.find().cmd
  local program = vim.list_slice(command, 1, command[#command] == "lsp" and #command - 1 or #command)
  check_report(vim.list_extend(program, { "doctor", "--json" }))
  check_clients()
end

return M
