--- The times of an event that repeats daily or weekly (RRULE of RFC 5545).

local calendar = require "date.calendar"
local content  = require "ics.content"
local moments  = require "ics.moments"
local zones    = require "date.zones"

local M = {}

local DAY = 86400
local MOST = 100000   -- instances that are tried for one question about one event
local WEEKDAYS = { MO = 1, TU = 2, WE = 3, TH = 4, FR = 5, SA = 6, SU = 7 }
local KNOWN = { FREQ = true, INTERVAL = true, COUNT = true, UNTIL = true, BYDAY = true, WKST = true }

---@class ics.Recurrence
---@field every integer        days or weeks
---@field weekly boolean
---@field days? table<integer, true>  weekdays, 1 is Monday; nil for each day (daily)
---@field week_starts integer  weekday
---@field count? integer
---@field ends? integer        the last moment


--- Returns the set of "MO,WE"; nil if one of them is not a weekday, or has a number, as in monthly rules.
local function weekdays_of(value)
  local days = {}
  for word in value:gmatch "[^,]+" do
    if not WEEKDAYS[word] then return nil end
    days[WEEKDAYS[word]] = true
  end
  return days
end


--- Returns the moment of UNTIL, which is in UTC, or a day or a time by the clock of the event's zone.
local function end_of(value, zone)
  local shown, utc, whole = moments.shown(value)
  if not shown then return nil end
  if utc then return shown end
  return zones.moment(whole and shown + DAY - 1 or shown, zone)
end


--- Reads a rule of a file.
---@param value string     "FREQ=WEEKLY;BYDAY=MO,WE"
---@param shown integer    when the event first begins, by the clock of its zone
---@param zone date.Zone
---@return ics.Recurrence? rule
---@return string? err     the part that is not understood
function M.read(value, shown, zone)
  local rule = content.rule(value)
  for name in pairs(rule) do
    if not KNOWN[name] then return nil, name end
  end
  local weekly = rule.FREQ == "WEEKLY"
  if not weekly and rule.FREQ ~= "DAILY" then return nil, "FREQ=" .. tostring(rule.FREQ) end
  local every = math.tointeger(tonumber(rule.INTERVAL or 1))
  local read = { weekly = weekly, every = every, week_starts = WEEKDAYS[rule.WKST or "MO"] }
  if not every or every < 1 or not read.week_starts then return nil, value end
  if rule.BYDAY then
    read.days = weekdays_of(rule.BYDAY)
    if not read.days then return nil, "BYDAY=" .. rule.BYDAY end
  elseif weekly then
    read.days = { [calendar.weekday(shown // DAY)] = true }
  end
  if rule.COUNT then
    read.count = math.tointeger(tonumber(rule.COUNT))
    if not read.count then return nil, "COUNT=" .. rule.COUNT end
  end
  if rule.UNTIL then
    read.ends = end_of(rule.UNTIL, zone)
    if not read.ends then return nil, "UNTIL=" .. rule.UNTIL end
  end
  return read
end


--- True if the event repeats on a day. Both days are since 1970.
local function falls_on(rule, first, day)
  if rule.days and not rule.days[calendar.weekday(day)] then return false end
  if not rule.weekly then return (day - first) % rule.every == 0 end
  local function week_of(each) return (each - (calendar.weekday(each) - rule.week_starts) % 7) // 7 end
  return (week_of(day) - week_of(first)) % rule.every == 0
end


--- Calls fn(moment) for each time at which the event begins before `to`, from `from` on or a little earlier.
---@param rule ics.Recurrence
---@param shown integer   when it first begins, by the clock of its zone
---@param zone date.Zone
---@param from integer
---@param to integer
---@param fn fun(moment: integer)
function M.each(rule, shown, zone, from, to, fn)
  local first, time = shown // DAY, shown % DAY
  local day, count = first, 0
  if not rule.count then day = math.max(first, (from + zone.offset(from)) // DAY - 1) end   -- counting begins with the first one
  for _ = 1, MOST do
    if day == first or falls_on(rule, first, day) then
      local moment = zones.moment(day * DAY + time, zone)
      count = count + 1
      if moment >= to or rule.ends and moment > rule.ends or rule.count and count > rule.count then return end
      if moment >= from then fn(moment) end
    end
    day = day + 1
    if day * DAY - 2 * DAY > to then return end
  end
end


return M
