--- A lock among processes, with a time limit for the wait.

local secrets = require "sys.secrets"
local time    = require "sys.time"

local M = {}

local LOOK = 0.01   -- seconds between attempts: the system does not report that a lock is free


--- Takes the lock of this name; close it to release it: `local held <close> = ...`. Tasks of one process queue for it with
--- task.lock() first.
---@param name string  a-z, 0-9 and _
---@param seconds number  how long to wait for another process
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
