--- sys.time, the part that is Lua: functions that are called at a time.

local handles = require "handles"
local task    = require "sys.task"
local time    = require "sys.time"

local M = {}

local DAY = 86400


local function check(where, seconds, fn, least)
  if type(seconds) ~= "number" or not (seconds >= least and seconds < math.huge) then
    error(("%s: expected seconds, %s or more"):format(where, least), 3)
  end
  if type(fn) ~= "function" then error(("%s: expected a function, not a %s"):format(where, type(fn)), 3) end
end


--- Waits by the clock that never jumps.
local function wait_until(due)
  local left = due - time.monotonic()
  while left > 0 do
    time.sleep(math.min(left, DAY))
    left = due - time.monotonic()
  end
end


--- Calls fn() every so many seconds, first after that time. Calls do not pile up: those that were missed while fn ran, or while
--- the machine slept, are left out, and the rhythm stays.
---@param seconds number  at least 0.01
---@param fn fun()
---@return Handle? handle
---@return string? err
---@return string? code
function M.every(seconds, fn)
  check("sys.time.every", seconds, fn, 0.01)
  local due = time.monotonic() + seconds
  return handles.new(("sys.time.every %g s"):format(seconds), function(handle)
    while true do
      wait_until(due)
      handles.call(handle, fn)
      local behind = time.monotonic() - due
      due = due + seconds * (behind > 0 and behind // seconds + 1 or 1)
    end
  end)
end


--- Calls fn() once, after so many seconds.
---@param seconds number
---@param fn fun()
---@return Handle? handle
---@return string? err
---@return string? code
function M.after(seconds, fn)
  check("sys.time.after", seconds, fn, 0)
  local due = time.monotonic() + seconds
  return handles.new(("sys.time.after %g s"):format(seconds), function(handle)
    wait_until(due)
    handles.call(handle, fn)
  end)
end


---@class sys.time.Delayed: Handle
---@field start fun(self)           begins to wait, or begins again
---@field waits fun(self): boolean  true if it was started, and fn has not returned since


--- Calls fn() once handle:start() was not called for so many seconds, to act when something that changes often becomes quiet.
--- If start() is called while fn runs, fn is called once more.
---@param seconds number
---@param fn fun()
---@return sys.time.Delayed? handle
---@return string? err
---@return string? code
function M.delayed(seconds, fn)
  check("sys.time.delayed", seconds, fn, 0)
  local starts, waits = task.channel(1), false
  local handle, err, code = handles.new(("sys.time.delayed %g s"):format(seconds), function(handle)
    while starts:receive() do
      repeat until not starts:receive(seconds)
      handles.call(handle, fn)
      waits = #starts > 0
    end
  end)
  if not handle then return nil, err, code end
  function handle.start()
    waits = true
    starts:send(true, 0)   -- one that waits in the channel already has the same meaning
  end
  function handle.waits() return waits and handle:runs() end
  return handle
end


--- Calls fn() when the clock shows this time, even if the clock is set meanwhile or the machine sleeps (then when it wakes):
--- once for a number of seconds since 1970, each day for "HH:MM" or "HH:MM:SS" of the local time.
---@param when number|string
---@param fn fun()
---@return Handle? handle
---@return string? err
---@return string? code
function M.at(when, fn)
  if type(fn) ~= "function" then error("sys.time.at: expected a function, not a " .. type(fn), 2) end
  if type(when) == "number" then
    if not (when >= 0 and when < 253402300800) then error("sys.time.at: expected seconds from 1970 to the year 9999", 2) end
    return handles.new("sys.time.at " .. time.iso(when), function(handle)
      time.sleep_until(when)
      handles.call(handle, fn)
    end)
  end
  local hour, minute, second = tostring(when):match "^(%d%d?):(%d%d)$"
  if not hour then hour, minute, second = tostring(when):match "^(%d%d?):(%d%d):(%d%d)$" end
  hour, minute, second = tonumber(hour), tonumber(minute), tonumber(second or 0)
  if not hour or hour > 23 or minute > 59 or second > 59 then
    error(("sys.time.at: \"%s\" is not a time of day: \"HH:MM\", or a number of seconds since 1970"):format(tostring(when)), 2)
  end
  return handles.new("sys.time.at " .. when, function(handle)
    while true do
      time.sleep_until(time.next_local(hour, minute, second))
      handles.call(handle, fn)
    end
  end)
end


return M
