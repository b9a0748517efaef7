--- sys.date: dates and clock times, and times as text. A time is a number, as sys.time.now() returns it: seconds since
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
local FIRST, LAST = -62135596800, 253402300799   -- the first and the last second of the years 1 to 9999

---@class sys.date.Date
---@field year integer
---@field month integer     1 to 12
---@field day integer       1 to 31
---@field hour integer      0 to 23
---@field min integer       0 to 59
---@field sec integer       0 to 59
---@field fraction number   the fraction of the second, below 1
---@field wday integer      1 is Sunday, like os.date
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


--- Returns the date, and the number of its day.
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


--- Returns the date and the clock time in a zone.
---@param seconds? number  default: now
---@param zone? string|number
---@return sys.date.Date
function M.of(seconds, zone) return (date_of(check_seconds(seconds), zones.read(zone))) end


--- Returns the time at which the clock of the zone shows a date. Values beyond their range count on: day 32 is in the next
--- month.
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


--- Returns the time of a date. Numbers beyond their range count on: month 13 is the next January, day 0 the last day of the
--- month before. For a time that clocks show twice, `offset` chooses one; all other fields are ignored.
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

--- Returns a time later, or earlier with negative amounts. Years, months, weeks and days are those of the calendar: the clock
--- then shows the same, even across a change of the clocks, and a day that a month lacks becomes its last one. Hours, minutes
--- and seconds are durations.
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


--- The parts that begin at zero with each unit.
local BEGINS = { minute = { "sec" }, hour = { "min", "sec" }, day = { "hour", "min", "sec" }, week = { "hour", "min", "sec" },
  month = { "hour", "min", "sec" }, year = { "hour", "min", "sec" } }

--- Returns when the minute, hour, day, week (on Monday), month or year of a time began.
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
  -- An hour that clocks show twice is the one that the time is in; a day that begins twice begins the first time.
  if unit ~= "minute" and unit ~= "hour" then date.offset = nil end
  return moment_of(date, read)
end


--- Returns the day of the week: 1 is Monday, 7 is Sunday.
---@param seconds? number  default: now
---@param zone? string|number
---@return integer number
---@return string name  "Monday"
function M.weekday(seconds, zone)
  local _, days = date_of(check_seconds(seconds), zones.read(zone))
  local number = calendar.weekday(days)
  return number, calendar.DAYS[number]
end


--- Counts the midnights from one time to another: 1 from today to tomorrow, at any time of day.
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

--- Returns "2026-01-02T03:04:05.678Z", or "2026-01-02T04:04:05.678+01:00" in a zone.
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


--- Formats a time by a pattern of strftime(3), in English: "%Y-%m-%d %H:%M:%S", "%a, %-d %b". In addition, %L and %f are
--- milliseconds and microseconds, %:z is "+01:00", and "-" removes zeros and spaces from the front of a number.
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


--- Reads a time from text: ISO 8601, or by a pattern of strptime(3), in English. The day and the time must exist.
---@param text string
---@param pattern? string   default: ISO 8601: a date, "T" or a space, a time, and an offset; the last two may be missing
---@param zone? string|number  the zone for text that names none
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


--- Returns in words how far away a time is: "in 3 minutes", "2 days ago", "now".
---@param seconds number
---@param from? number  default: now
---@return string
function M.relative(seconds, from) return duration.relative(check_seconds(seconds) - check_seconds(from)) end


return M
