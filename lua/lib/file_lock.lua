--- A lock among processes, waited for.

local secrets = require "sys.secrets"
local time    = require "sys.time"

local M = {}

local LOOK = 0.01   -- seconds: the system tells of no lock that is given back


--- The right to change what the name stands for; close it to give it back: `local held <close> = ...`. Tasks of one process
--- queue for it with task.lock() first.
---@param name string  a-z, 0-9 and _
---@param seconds number  how long another process may keep it
---@return table? held
---@return string? err
---@return string? code  "busy"
function M.hold(name, seconds)
  local ends = time.monotonic() + seconds
  while true do
    local held, err, code = secrets.try_lock(name)
    if held or code ~= "busy" or time.monotonic() > ends then return held, err, code end
    time.sleep(LOOK)
  end
end


return M
