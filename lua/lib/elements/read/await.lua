--- Waits until an application shows something: looks again after each event, because an event says that something happened.

local element = require "sys.element"
local time    = require "sys.time"

local M = {}

local UNTOLD = 0.2   -- seconds without an event, after which it looks all the same
local AGAIN = 0.03   -- seconds between looks if there are no events
local SLOW = 3       -- times the seconds, at most, for an application that answers slowly: it also acts slowly
local BUSY = 4       -- times the seconds, at most, on a machine where as many processes share each processor,
local LONGER = 3     -- and seconds more, at most


--- The seconds to wait for what takes so long at most where nothing else runs: everything takes longer on a busy machine.
---@param seconds number
---@return number
function M.patience(seconds)
  return math.min(seconds * math.max(1, math.min(BUSY, time.load())), seconds + LONGER)
end


--- The mark to read events from; nil: there are no events.
---@param pid integer
---@return integer?
function M.mark(pid)
  local now = element.changes { pid = pid }
  return now and now.next
end


--- Calls `look` until it returns something, and returns that. Not every application reports everything that happens.
---@generic T
---@param pid integer
---@param since integer?  a mark of mark(), from before the action
---@param seconds number  at most, beside the time that its answers take; longer on a busy machine
---@param look fun(): T?
---@return T?
function M.until_seen(pid, since, seconds, look)
  local began, looking = time.monotonic(), 0
  while true do
    local asked = time.monotonic()
    local seen = look()
    local now = time.monotonic()
    looking = looking + now - asked
    local left = math.min(seconds + looking, seconds * SLOW) - (now - began)
    if not seen and left <= 0 then left = M.patience(seconds) - (now - began) end
    if seen or left <= 0 then return seen or nil end
    local told = since and element.changes { pid = pid, since = since, wait = math.min(UNTOLD, left) }
    since = told and told.next
    if not told then time.sleep(math.min(AGAIN, left)) end
  end
end


return M
