--- Reads an observation, and waits for something to read.

local observations = require "observing.observations"
local queues       = require "observing.queue"
local task         = require "sys.task"
local time         = require "sys.time"

local M = {}

---@class observing.Page
---@field events observing.Event[]
---@field next integer    the number to go on after
---@field missed integer  events that are no longer kept
---@field more integer    events that are left


--- Keeps the observation from ending for lack of readers until the returned value is closed.
---@param observation observing.Observation
---@return table  a value to close
function M.hold(observation)
  observation.watchers = observation.watchers + 1
  return setmetatable({}, { __close = function()
    observation.watchers = observation.watchers - 1
    observation.read = time.monotonic()
  end })
end


local function await(observation, after, seconds)
  local held <close> = M.hold(observation)
  task.with_timeout(seconds, function()
    while observation.queue.last <= after and not observation.ended do task.await(observations.uri(observation)) end
  end)
end


--- Reads events. Waits for at most so many seconds if there are none.
---@param observation observing.Observation
---@param after integer
---@param limit integer
---@param wait? number
---@return observing.Page
function M.read(observation, after, limit, wait)
  observation.read = time.monotonic()
  if wait and wait > 0 and observation.queue.last <= after and not observation.ended then await(observation, after, wait) end
  local events, next, missed = queues.read(observation.queue, after, limit)
  return { events = events, next = next, missed = missed, more = math.max(0, observation.queue.last - next) }
end


return M
