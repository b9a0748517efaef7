--- Turns the system's reports about the power supply into events.

local stream = require "events.stream"
local time   = require "sys.time"

local M = {}

local AGAIN, LATEST = 2, 60   -- seconds between attempts after the service was lost


local function whole(percent) return percent and math.floor(percent + 0.5) end


--- Returns the names of the events that lead to a state from the known values: the last value of each field.
---@param known sys.power.State
---@param now sys.power.State
---@return string[]
function M.between(known, now)
  local names = {}
  if now.source and known.source and now.source ~= known.source then
    names[1] = now.source == "mains" and "plugged" or "unplugged"
  end
  if now.charging ~= nil and known.charging ~= nil and now.charging ~= known.charging then names[#names + 1] = "charging" end
  if now.percent and whole(now.percent) ~= whole(known.percent) then names[#names + 1] = "percent" end
  return names
end


---@class power.Following
---@field system power.Backend
---@field session? power.Session     nil if it was lost
---@field state? sys.power.State     the present state
---@field known sys.power.State      the last value of each field: a service that has just started may know no battery yet
---@field ready table[]              events that wait to be taken
---@field dropped integer            the number of events that lost sessions dropped
---@field closed? boolean
---@field pause number


local function add(following, what, state)
  following.ready[#following.ready + 1] = { what = what, at = time.monotonic(), state = state }
end


local function lose(following)
  following.dropped = following.dropped + following.session:dropped()
  following.session:close()
  following.session = nil
  add(following, "lost")
end


---@param told power.Told
local function hear(following, told)
  if told.what ~= "state" then return add(following, told.what, following.state) end
  for _, name in ipairs(M.between(following.known, told.state)) do add(following, name, told.state) end
  following.state = told.state
  for name, value in pairs(told.state) do following.known[name] = value end
end


--- Waits, then tries to open a session again.
local function find(following, seconds)
  time.sleep(math.min(following.pause, seconds))
  if following.closed or following.pause > seconds then return end
  local session, state = following.system.open()
  if not session then
    following.pause = math.min(following.pause * 2, LATEST)
    return
  end
  following.session, following.pause = session, AGAIN
  add(following, "found", type(state) == "table" and state or nil)
  if type(state) == "table" then hear(following, { what = "state", state = state }) end
end


local function pull(following, seconds)
  local ends = seconds and time.monotonic() + seconds
  while #following.ready == 0 do
    local left = ends and math.max(ends - time.monotonic(), 0)
    if following.session then
      local told, err, code = following.session:next(left)
      if told then hear(following, told)
      elseif following.closed then return nil, "it was closed", "closed"
      elseif code == "lost" then lose(following)
      else return nil, err, code end
    else
      if left == 0 then return nil, "nothing happened in time", "timeout" end
      find(following, left or math.huge)
      if following.closed then return nil, "it was closed", "closed" end
    end
  end
  return table.remove(following.ready, 1)
end


---@param system power.Backend
---@return events.Stream? stream
---@return string? err
---@return string? code
function M.open(system)
  local session, state, code = system.open()
  if not session then return nil, state --[[@as string]], code end
  local following = { system = system, session = session, state = state, known = {}, ready = {}, dropped = 0, pause = AGAIN }
  for name, value in pairs(state or {}) do following.known[name] = value end
  return stream.new(function(seconds) return pull(following, seconds) end,
    function()
      following.closed = true
      if following.session then following.session:close() end
    end,
    function() return following.dropped + (following.session and following.session:dropped() or 0) end)
end


return M
