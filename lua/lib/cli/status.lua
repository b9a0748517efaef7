--- How a subcommand ends: its exit statuses, and an end with a message from any depth.

local M = { OK = 0, FAILED = 1, USAGE = 2, TOOL = 3, TIMEOUT = 124 }


--- Ends with a message and a status; `M.caught` takes it up again.
---@param status integer
---@param message string  a format when values follow
function M.stop(status, message, ...)
  error({ status = status, message = select("#", ...) > 0 and message:format(...) or message }, 0)
end


---@param message string
function M.usage(message, ...)
  M.stop(M.USAGE, message, ...)
end


--- What a call of the client returned, or the end.
function M.need(value, err, code)
  if value ~= nil then return value end
  M.stop(code == "timeout" and M.TIMEOUT or M.FAILED, "%s", err)
end


--- Runs what may end so; gives what a command's run() gives.
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
