-- Steps that wait for the server or for a person, written one below the other: a coroutine that callbacks resume.
local M = {}

---@class waybook.Refusal An expected failure, as the server words it.
---@field message string
---@field code string
---@field hint? string

---@param message string
---@param code? string
---@param hint? string
function M.refuse(message, code, hint)
  error({ message = message, code = code or "refused", hint = hint }, 0)
end

---@param failure waybook.Refusal|string
---@return string
function M.sentence(failure)
  if type(failure) ~= "table" then
    return tostring(failure)
  end
  return failure.hint and ("%s %s"):format(failure.message, failure.hint) or failure.message
end

local function step(co, ...)
  local fine, failure = coroutine.resume(co, ...)
  if fine then
    return
  end
  if type(failure) == "table" then
    vim.notify("Waybook: " .. M.sentence(failure), vim.log.levels.ERROR)
  else
    vim.notify(debug.traceback(co, "Waybook: " .. tostring(failure)), vim.log.levels.ERROR)
  end
end

--- Begin a task. A refusal in it is told to the person; nothing else happens then.
---@param work fun()
function M.run(work)
  step(coroutine.create(work))
end

--- Wait for a callback: `start` gets a function and calls it once, now or later; its arguments come back.
---@param start fun(done: fun(...))
function M.wait(start)
  local co = assert(coroutine.running(), "only inside a task")
  local answered, answer, waiting
  start(function(...)
    if answered then
      return
    end
    answered, answer = true, vim.F.pack_len(...)
    if waiting then
      step(co, ...)
    end
  end)
  if answered then
    return vim.F.unpack_len(answer)
  end
  waiting = true
  return coroutine.yield()
end

return M
