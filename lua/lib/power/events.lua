--- Turns the system's reports about the power supply into events.

local returning = require "events.returning"

local M = {}


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


---@param system power.Backend
---@return events.Stream? stream
---@return string? err
---@return string? code
function M.open(system)
  local session, state, code = system.open()
  if not session then return nil, state --[[@as string]], code end
  local known = {}   -- the last value of each field: a service that has just started may know no battery yet
  local function keep(now)
    state = now
    for name, value in pairs(now or {}) do known[name] = value end
  end
  ---@param told power.Told
  local function hear(told, add)
    if told.what ~= "state" then return add { what = told.what, state = state } end
    for _, name in ipairs(M.between(known, told.state)) do add { what = name, state = told.state } end
    keep(told.state)
  end
  local function found(first, add)
    local now = type(first) == "table" and first or nil
    add { what = "found", state = now }
    if now then hear({ what = "state", state = now }, add) end
  end
  keep(state)
  return returning.follow({ open = system.open, hear = hear, found = found }, session)
end


return M
