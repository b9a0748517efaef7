--- A stream of the events of a service that goes away and comes back, for example one on a bus: it follows the service by a
--- session, reports "lost" and "found", and opens another session then, at growing intervals.

local stream = require "events.stream"
local time   = require "sys.time"

local M = {}

local AGAIN, LATEST = 2, 60   -- seconds between attempts after the service was lost


--- Reports what happens in a service.
---@class events.Session
---@field next fun(self: events.Session, seconds?: number): any, string?, string?  waits; "timeout", "lost"
---@field close fun(self: events.Session)  may be called twice
---@field dropped? fun(self: events.Session): integer  the number of events that it dropped

---@class events.Service
---@field open fun(): events.Session?, any, string?  also returns what the session begins with; nil, message, code
---@field hear fun(told: any, add: events.Add): boolean?  turns a report of next() into events; false: the service was lost
---@field found fun(first: any, add: events.Add): boolean?  adds "found" and what happened meanwhile; false: it was lost again

---@alias events.Add fun(event: table)

---@class events.Following
---@field service events.Service
---@field session? events.Session   nil if it was lost
---@field ready table[]             events that wait to be taken
---@field dropped integer           the number of events that lost sessions dropped
---@field closed? boolean
---@field pause number
---@field add events.Add


local function dropped(session) return session and session.dropped and session:dropped() or 0 end


local function lose(following)
  following.dropped = following.dropped + dropped(following.session)
  following.session:close()
  following.session = nil
  following.add { what = "lost" }
end


--- Waits, then tries to open a session again.
local function find(following, seconds)
  time.sleep(math.min(following.pause, seconds))
  if following.closed or following.pause > seconds then return end
  local session, first = following.service.open()
  following.pause = session and AGAIN or math.min(following.pause * 2, LATEST)
  following.session = session
  if session and following.service.found(first, following.add) == false then lose(following) end
end


local function pull(following, seconds)
  local ends = seconds and time.monotonic() + seconds
  while #following.ready == 0 do
    local left = ends and math.max(ends - time.monotonic(), 0)
    if following.closed then return nil, "it was closed", "closed" end
    if following.session then
      local told, err, code = following.session:next(left and math.max(left, 0.001))
      if told then
        if following.service.hear(told, following.add) == false then lose(following) end
      elseif following.closed then return nil, "it was closed", "closed"
      elseif code == "lost" then lose(following)
      else return nil, code == "timeout" and "nothing happened in time" or err, code end
    else
      if left == 0 then return nil, "nothing happened in time", "timeout" end
      find(following, left or math.huge)
    end
  end
  return table.remove(following.ready, 1)
end


--- Follows a service with which a session is open. Each event gets its time.
---@param service events.Service
---@param session events.Session
---@return events.Stream
function M.follow(service, session)
  local following = { service = service, session = session, ready = {}, dropped = 0, pause = AGAIN }
  function following.add(event)
    event.at = time.monotonic()
    following.ready[#following.ready + 1] = event
  end
  return stream.new(function(seconds) return pull(following, seconds) end,
    function()
      following.closed = true
      if following.session then following.session:close() end
    end,
    function() return following.dropped + dropped(following.session) end)
end


return M
