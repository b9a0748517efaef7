--- Waits for what an application is to show: looks whenever an event tells that something happened.

local element = require "sys.element"
local time    = require "sys.time"

local M = {}

local UNTOLD = 0.2   -- seconds without an event, after which it is looked at all the same
local AGAIN = 0.03   -- where there are no events
local SLOW = 3       -- times the seconds, at most, for an application that answers slowly: it also acts slowly


--- Where events are to be read from; nil: there are none.
---@param pid integer
---@return integer?
function M.mark(pid)
  local now = element.changes { pid = pid }
  return now and now.next
end


--- What `look` gives as soon as it gives something; not every application tells all that happens.
---@generic T
---@param pid integer
---@param since integer?  of mark(), before what was done
---@param seconds number  at most, beside the time that its answers take
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
    if seen or left <= 0 then return seen or nil end
    local told = since and element.changes { pid = pid, since = since, wait = math.min(UNTOLD, left) }
    since = told and told.next
    if not told then time.sleep(math.min(AGAIN, left)) end
  end
end


return M
