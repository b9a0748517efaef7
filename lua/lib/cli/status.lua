--- The exit statuses of a subcommand, and a way to end it with a message from any depth.

local M = { OK = 0, FAILED = 1, USAGE = 2, TOOL = 3, TIMEOUT = 124 }


--- Ends with a message and a status, which `M.caught` catches.
---@param status integer
---@param message string  a format if values follow
function M.stop(status, message, ...)
  error({ status = status, message = select("#", ...) > 0 and message:format(...) or message }, 0)
end


---@param message string
function M.usage(message, ...)
  M.stop(M.USAGE, message, ...)
end


--- Returns the value of a client's call, or ends with its error.
function M.need(value, err, code)
  if value ~= nil then return value end
  M.stop(code == "timeout" and M.TIMEOUT or M.FAILED, "%s", err)
end


--- Runs a function that may end so, and returns what a command's run() returns.
---@return integer? status
---@return string? message
---@return integer? code
function M.caught(run, ...)
  local ok, result = pcall(run, ...)
  if ok then return result end
  if type(result) ~= "table" then error(result, 0) end
  return nil, result.message, result.status
end


return M
