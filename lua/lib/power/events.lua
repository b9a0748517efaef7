--- What changes of the power supply, from what the system tells.

local stream = require "events.stream"
local time   = require "sys.time"

local M = {}

local AGAIN, LATEST = 2, 60   -- seconds between attempts after the service was lost


local function whole(percent) return percent and math.floor(percent + 0.5) end


--- Names of the events that lead to a state, from what was known before: the last value of each field.
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
---@field session? power.Session     nil: it was lost
---@field state? sys.power.State     as it is now
---@field known sys.power.State      the last value of each field: a service that just began knows of no battery yet
---@field ready table[]              events that wait
---@field dropped integer            of sessions that were lost
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


--- Tries to hear of it again, and waits before it does.
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
