--- sys.date: what calendars and clocks show, and times as text. A time is a number, as sys.time.now() returns it: seconds since
--- 1970-01-01 UTC, with fraction.
--
-- A zone is "local" (the default), "utc", an offset such as "+01:00", or seconds east of UTC. For other zones by name, such as
-- "Europe/Berlin", set TZ for the process. A time that clocks show twice, in autumn, is the first one. A time that they skip, in
-- spring, is as much later as they skip.

local calendar = require "date.calendar"
local duration = require "sys.duration"
local format   = require "date.format"
local parse    = require "date.parse"
local time     = require "sys.time"
local zones    = require "date.zones"

local M = {}

local DAY = 86400
local FIRST, LAST = -62135596800, 253402300799   -- of the years 1 to 9999

---@class sys.date.Date
---@field year integer
---@field month integer     1 to 12
---@field day integer       1 to 31
---@field hour integer      0 to 23
---@field min integer       0 to 59
---@field sec integer       0 to 59
---@field fraction number   of the second, below 1
---@field wday integer      1 is Sunday, as os.date has it
---@field yday integer      1 to 366
---@field isdst boolean     daylight saving time
---@field offset integer    seconds east of UTC
---@field zone string       "CET", "UTC", "+01:00"


-- --- dates --------------------------------------------------------------------------------------------

local function check_seconds(seconds)
  seconds = seconds or time.now()
  if type(seconds) ~= "number" then error(("a time is a number of seconds, not a %s"):format(type(seconds)), 3) end
  if not (seconds >= FIRST and seconds <= LAST + 1) then error("expected a time in the years 1 to 9999", 3) end
  return seconds
end


--- The date, and the day it is on.
local function date_of(seconds, zone)
  local whole = math.floor(seconds)
  local offset, name, summer = zone.offset(whole)
  local days, rest = (whole + offset) // DAY, (whole + offset) % DAY
  local year, month, day = calendar.date(days)
  return {
    year = year, month = month, day = day, hour = rest // 3600, min = rest // 60 % 60, sec = rest % 60,
    fraction = seconds - whole, wday = calendar.weekday(days) % 7 + 1, yday = days - calendar.days(year, 1, 1) + 1,
    isdst = summer, offset = offset, zone = name,
  }, days
end


--- What calendar and clock of a zone show.
---@param seconds? number  default: now
---@param zone? string|number
---@return sys.date.Date
function M.of(seconds, zone) return (date_of(check_seconds(seconds), zones.read(zone))) end


--- Of year, month, day, hour, min, sec: what the clock of the zone shows, as if it went on counting: day 32 is in the next month.
local function moment_of(date, zone)
  local days = calendar.days(date.year, date.month, date.day)
  return zones.moment(days * DAY + date.hour * 3600 + date.min * 60 + date.sec, zone, date.offset)
end


local function whole(date, name, absent)
  local value = date[name]
  if value == nil then value = absent end
  local integer = math.tointeger(value)
  if integer and math.abs(integer) <= 1000000000 then return integer end
  error(("the field %q is not a whole number"):format(name), 3)
end


--- The time of a date. Numbers beyond their range are counted on: month 13 is the next January, day 0 the last one of the month
--- before. Of a time that clocks show twice, `offset` says which; other fields do not count.
---@param date {year: integer, month?: integer, day?: integer, hour?: integer, min?: integer, sec?: number, fraction?: number,
---  offset?: integer}  without month or day: the first; without hour, min and sec: midnight
---@param zone? string|number
---@return number seconds
function M.time(date, zone)
  local sec = date.sec or 0
  return moment_of({
    year = whole(date, "year"), month = whole(date, "month", 1), day = whole(date, "day", 1), hour = whole(date, "hour", 0),
    min = whole(date, "min", 0), sec = math.floor(sec), offset = date.offset,
  }, zones.read(zone)) + sec % 1 + (date.fraction or 0)
end


local AMOUNTS = { years = true, months = true, weeks = true, days = true, hours = true, minutes = true, seconds = true }

--- A time later, or earlier with negative amounts. Years, months, weeks and days are of the calendar: the clock shows the same
--- then, also across a change of the clocks, and a day that a month lacks is its last one. Hours, minutes and seconds pass.
---@param seconds number
---@param amounts {years?: integer, months?: integer, weeks?: integer, days?: integer, hours?: number, minutes?: number,
---  seconds?: number}
---@param zone? string|number
---@return number seconds
function M.add(seconds, amounts, zone)
  for name in pairs(amounts) do
    if not AMOUNTS[name] then
      error(("%q is not an amount of time. Use years, months, weeks, days, hours, minutes or seconds"):format(tostring(name)), 2)
    end
  end
  local read = zones.read(zone)
  local date = date_of(check_seconds(seconds), read)
  local months = date.year * 12 + date.month - 1 + whole(amounts, "years", 0) * 12 + whole(amounts, "months", 0)
  date.year, date.month = months // 12, months % 12 + 1
  date.day = math.min(date.day, calendar.month_length(date.year, date.month))
  date.day = date.day + whole(amounts, "weeks", 0) * 7 + whole(amounts, "days", 0)
  return moment_of(date, read) + date.fraction
    + (amounts.hours or 0) * 3600 + (amounts.minutes or 0) * 60 + (amounts.seconds or 0)
end


--- What begins anew with each unit, in the order in which they begin.
local BEGINS = { minute = { "sec" }, hour = { "min", "sec" }, day = { "hour", "min", "sec" }, week = { "hour", "min", "sec" },
  month = { "hour", "min", "sec" }, year = { "hour", "min", "sec" } }

--- When the minute, hour, day, week (on Monday), month or year began that the time is in.
---@param seconds number
---@param unit "minute"|"hour"|"day"|"week"|"month"|"year"
---@param zone? string|number
---@return number seconds
function M.start_of(seconds, unit, zone)
  local read = zones.read(zone)
  local date, days = date_of(check_seconds(seconds), read)
  if not BEGINS[unit] then
    error(('%q is not a unit. Use "minute", "hour", "day", "week", "month" or "year"'):format(tostring(unit)), 2)
  end
  for _, name in ipairs(BEGINS[unit]) do date[name] = 0 end
  if unit == "week" then date.day = date.day - calendar.weekday(days) + 1 end
  if unit == "month" or unit == "year" then date.day = 1 end
  if unit == "year" then date.month = 1 end
  -- Of an hour that clocks show twice it is the one it is in; a day that begins twice begins the first time.
  if unit ~= "minute" and unit ~= "hour" then date.offset = nil end
  return moment_of(date, read)
end


--- Which day of the week it is: 1 is Monday, 7 is Sunday.
---@param seconds? number  default: now
---@param zone? string|number
---@return integer number
---@return string name  "Monday"
function M.weekday(seconds, zone)
  local _, days = date_of(check_seconds(seconds), zones.read(zone))
  local number = calendar.weekday(days)
  return number, calendar.DAYS[number]
end


--- How many midnights there are from one time to another: 1 from today to tomorrow, whatever the clock shows.
---@param from number
---@param to number
---@param zone? string|number
---@return integer days
function M.days_between(from, to, zone)
  local read = zones.read(zone)
  local _, first = date_of(check_seconds(from), read)
  local _, last = date_of(check_seconds(to), read)
  return last - first
end


-- --- text ---------------------------------------------------------------------------------------------

--- "2026-01-02T03:04:05.678Z", or "2026-01-02T04:04:05.678+01:00" in a zone.
---@param seconds? number  default: now
---@param zone? string|number  default: UTC
---@return string
function M.iso(seconds, zone)
  if zone == nil then return time.iso(seconds) end
  local read = zones.read(zone)
  seconds = math.floor(check_seconds(seconds) * 1000 + 0.5) / 1000
  local offset = read.offset(math.floor(seconds))
  return time.iso(seconds + offset):sub(1, -2) .. zones.written(offset)
end


--- By a pattern of strftime(3), in English: "%Y-%m-%d %H:%M:%S", "%a, %-d %b". Besides: %L and %f are milliseconds and
--- microseconds, %:z is "+01:00", and "-" takes zeros and spaces from the front of a number.
---@param seconds? number   default: now
---@param pattern? string   default: "%Y-%m-%d %H:%M:%S"
---@param zone? string|number
---@return string
function M.format(seconds, pattern, zone)
  seconds = check_seconds(seconds)
  local shown, days = date_of(seconds, zones.read(zone))
  shown.seconds, shown.days = seconds, days
  local text, err = format.format(shown, pattern or "%Y-%m-%d %H:%M:%S")
  if not text then error(err, 2) end
  return text
end


--- A time out of text: ISO 8601, or by a pattern of strptime(3), in English. There must be such a day and such a time.
---@param text string
---@param pattern? string   default: ISO 8601: a date, "T" or a space, a time, and an offset; the last two may be missing
---@param zone? string|number  what counts if the text says none
---@return number? seconds
---@return string? err
---@return string? code  "not_a_time"
function M.parse(text, pattern, zone)
  local read_zone = zones.read(zone)
  local read, err
  if pattern then
    read, err = parse.pattern(text, pattern, date_of(time.now(), read_zone))
  else
    read, err = parse.iso(text)
  end
  if not read then
    local shown = #text > 60 and text:sub(1, 60) .. "..." or text
    return nil, ("%q is not a time: %s"):format(shown, err), "not_a_time"
  end
  if read.seconds then return read.seconds end
  if read.offset then
    read_zone, read.offset = zones.read(read.offset), nil
  end
  return moment_of(read, read_zone) + read.fraction
end


--- How far away a time is, in words: "in 3 minutes", "2 days ago", "now".
---@param seconds number
---@param from? number  default: now
---@return string
function M.relative(seconds, from) return duration.relative(check_seconds(seconds) - check_seconds(from)) end


return M
