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
  M.stop(M.USAGE, message .. "\n`perigee help mcp` shows how it is used.", ...)
end


--- What a call of the client returned, or the end.
function M.need(value, err, code)
  if value ~= nil then return value end
  M.stop(code == "timeout" and M.TIMEOUT or M.FAILED, (err:gsub("%%", "%%%%")))
end


--- Runs what may end so.
---@param complain fun(text: string)
---@return integer status
function M.caught(complain, run, ...)
  local ok, result = pcall(run, ...)
  if ok then return result end
  if type(result) ~= "table" then error(result, 0) end
  complain(result.message)
  return result.status
end


return M
