--- Events as scripts take them: in a loop, one by one, or by a function that is called for each.
--
--     local window = require "sys.window"
--
--     for event in assert(window.events { what = "opened" }) do print(event.window.title) end
--     local handle = assert(window.events({ what = "opened" }, function(event) print(event.window.title) end))

local handles  = require "handles"
local handover = require "events.handover"
local task     = require "sys.task"
local time     = require "sys.time"

local M = {}


---@class events.Source
---@field private stream sys.events.Stream
---@field private kind string    the kind of its events
---@field private owner? string  the service or script that it belongs to
---@field private make fun(event: table): table?  returns the event for scripts; nil if it is not wanted
local Source = {}
Source.__index = Source
Source.__name = "events.Source"


--- Returns the next event.
---@param seconds? number  how long to wait (default: without a limit)
---@return table? event
---@return string? err
---@return string? code  "timeout", "closed", "busy"
function Source:next(seconds)
  local event, err, code = self:look(seconds)
  if event then self.stream:take() end
  return event, err, code
end


--- Does the same, but the event stays the next one until it is taken.
---@private
function Source:look(seconds)
  local ends = seconds and time.monotonic() + seconds
  while true do
    local event, err, code = self.stream:next(ends and math.max(ends - time.monotonic(), 0))
    if not event then return nil, err, code end
    local made = self.make(event)
    if made then return made end
  end
end


--- Returns the next event for a `for` loop, which ends when the source is closed.
function Source:__call()
  local event, err, code = self:next()
  if not event and code ~= "closed" then error(err, 2) end
  return event
end


--- Returns how many events were dropped because there was no room for them, the oldest first.
---@return integer
function Source:dropped() return self.stream:dropped() end

--- Closes it, and ends the loops that wait for it. `local source <close> = ...` does the same.
function Source:close() handover.close(self.owner, self.kind, self.stream) end

Source.__close = Source.close


--- With `fn` returns a handle whose function gets each event, in order; otherwise a source.
---@param name string  for the log
---@param kind string  two streams of the same kind get the same events
---@param open fun(): sys.events.Stream?, string?, string?
---@param make fun(event: table): table?
---@param fn? fun(event: table)
---@return events.Source|Handle|nil source
---@return string? err
---@return string? code
function M.new(name, kind, open, make, fn)
  if fn ~= nil and type(fn) ~= "function" then error(("%s: expected a function, not a %s"):format(name, type(fn)), 3) end
  local stream, err, code = handover.take(kind)
  if not stream then stream, err, code = open() end
  if not stream then return nil, err, code end
  local started
  local source = setmetatable({ stream = stream, make = make, kind = kind, owner = task.owner() }, Source)
  if not fn then return source, nil, nil, source end
  local handle, why, what = handles.new(name, function(handle)
    local events <close> = source
    started = true
    while true do
      local event, why, what = events:look()
      if event then handles.call(handle, stream.call, stream, fn, event)
      elseif what == "closed" then return
      else error(why, 0) end
    end
  end)
  if not handle then
    stream:close()
    return nil, why, what
  end
  handle.dropped = function() return source:dropped() end
  local stop = handle.stop
  handle.stop = function(self)
    stop(self)
    if started then return end
    started = true
    source:close() -- its task never began, so that one closes nothing
  end
  return handle
end


return M
