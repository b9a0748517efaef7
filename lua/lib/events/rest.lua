--- A stream, like those of sys.events, of when keyboard and pointer become idle and are used again. It sleeps until they can
--- have been idle for long enough, and then until the system reports use.

local events = require "sys.events"
local time   = require "sys.time"

local M = {}

local AWAY  = { display_lost = true, no_display = true }   -- the display may come back
local AGAIN = 5                                            -- seconds


---@class events.Rest
---@field private after number
---@field private resting? sys.events.Stream  while they are idle: reports their use
---@field private since number  when they became idle, as sys.time.monotonic() counts
---@field private event? sys.idle.Event
---@field private closed boolean
local Stream = {}
Stream.__index = Stream


function Stream:tell(what)
  local now = time.monotonic()
  self.event = { what = what, at = now, seconds = now - self.since, about = "idle" }
end


--- Waits until they have been idle for long enough, or the time is over.
---@return true? ok
---@return string? err
---@return string? code
function Stream:await_rest(ends)
  local rested, err, code = events.idle()
  if not rested then return nil, err, code end
  self.since = time.monotonic() - rested
  if rested >= self.after then
    local stream, why, what = events.watch { "active" }
    if not stream then return nil, why, what end
    self.resting = stream
    self:tell "idle"
    return true
  end
  local left = self.after - rested
  if ends and time.monotonic() + left > ends then
    time.sleep(math.max(ends - time.monotonic(), 0))
    return nil, "nothing happened in time", "timeout"
  end
  time.sleep(left)
  return true
end


--- Waits until they are used again. Use before the stream was open is noticed by asking.
function Stream:await_use(ends)
  local rested, err, code = events.idle()
  if not rested then return nil, err, code end
  if time.monotonic() - rested <= self.since + 1 then
    local event, why, what = self.resting:next(ends and math.max(ends - time.monotonic(), 0))
    if not event then return nil, why, what end
    self.resting:take()
    if event.about ~= "active" then return true end
  end
  self.resting:close()
  self.resting = nil
  self:tell "active"
  return true
end


function Stream:next(seconds)
  local ends = seconds and time.monotonic() + seconds
  while not self.event do
    if self.closed then return nil, "it was closed", "closed" end
    local ok, err, code
    if self.resting then ok, err, code = self:await_use(ends) else ok, err, code = self:await_rest(ends) end
    if not ok and AWAY[code] and not ends then time.sleep(AGAIN)
    elseif not ok then return nil, err, code end
  end
  return self.event
end


function Stream:take() self.event = nil end

function Stream:call(fn, ...)
  self:take()
  return fn(...)
end

function Stream:again() end

function Stream:dropped() return 0 end

function Stream:close()
  self.closed = true
  if self.resting then self.resting:close() end
end


---@param after number  seconds
---@return events.Rest? stream
---@return string? err
---@return string? code
function M.open(after)
  local rested, err, code = events.idle()
  if not rested then return nil, err, code end
  return setmetatable({ after = after, since = 0, closed = false }, Stream)
end


return M
