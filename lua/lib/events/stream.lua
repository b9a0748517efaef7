--- A stream of events that Lua makes, for events.source, like those that sys.events returns for events of C.

local M = {}


---@class events.Stream
---@field private pull fun(seconds?: number): table?, string?, string?
---@field private shut fun()
---@field private lost fun(): integer
---@field private current? table  the event that next() returned last, until it is taken
---@field private again_? boolean
---@field private closed? boolean
---@field private waiting? boolean
local Stream = {}
Stream.__index = Stream


function Stream:next(seconds)
  if self.closed then return nil, "it was closed", "closed" end
  if self.waiting then return nil, "another task is waiting for these events", "busy" end
  if not self.again_ then
    self.waiting, self.current = true, nil
    local _ <close> = setmetatable({}, { __close = function() self.waiting = nil end })
    local event, err, code = self.pull(seconds)
    if not event then return nil, err, code end
    self.current = event
  end
  self.again_ = nil
  return self.current
end


function Stream:take() self.current = nil end

function Stream:call(fn, ...)
  self.current = nil
  return fn(...)
end


function Stream:again() self.again_ = self.current ~= nil end

function Stream:dropped() return self.lost() end

function Stream:close()
  if self.closed then return end
  self.closed, self.current, self.again_ = true, nil, nil
  self.shut()
end

Stream.__close = Stream.close


---@param pull fun(seconds?: number): table?, string?, string?  waits for the next event; "closed" after shut() was called
---@param shut fun()         closes it, and ends a wait
---@param lost fun(): integer
---@return events.Stream
function M.new(pull, shut, lost)
  return setmetatable({ pull = pull, shut = shut, lost = lost }, Stream)
end


return M
