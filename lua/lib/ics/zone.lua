--- Time zones of an iCalendar file. A VTIMEZONE itself says when its clocks change, so no list of zones is needed.

local calendar = require "date.calendar"
local content  = require "ics.content"
local moments  = require "ics.moments"

local M = {}

local WEEKDAYS = { MO = 1, TU = 2, WE = 3, TH = 4, FR = 5, SA = 6, SU = 7 }

---@class ics.Onset  the beginning of one of the clocks of a zone, winter's or summer's
---@field shown integer   the first time, by the clock before
---@field before integer  seconds east of UTC before it
---@field offset integer  seconds east of UTC from then on
---@field name string
---@field summer boolean
---@field rule? table<string, string>  the rule by which it begins each year
---@field dates integer[]              further times at which it begins


--- Returns the seconds of "+0100" or "+013000".
local function offset_of(value)
  local sign, hours, minutes, seconds = value:match "^([+-])(%d%d)(%d%d)(%d?%d?)$"
  if not sign then return nil end
  local total = tonumber(hours) * 3600 + tonumber(minutes) * 60 + (tonumber(seconds) or 0)
  return sign == "-" and -total or total
end


--- Returns the day of a rule in a year, for example for `BYMONTH=3;BYDAY=-1SU` the last Sunday in March.
local function day_of(rule, year, month, day)
  month = tonumber(rule.BYMONTH) or month
  local which, weekday = (rule.BYDAY or ""):match "^([+-]?%d*)(%u%u)$"
  weekday = WEEKDAYS[weekday]
  if not weekday then return calendar.days(year, month, tonumber(rule.BYMONTHDAY) or day) end
  local from = tonumber((rule.BYMONTHDAY or ""):match "^%d+")   -- "BYMONTHDAY=8,9,10,...": the first such weekday from the 8th on
  which = from and 1 or tonumber(which) or 1
  if which < 0 then
    local last = calendar.days(year, month, calendar.month_length(year, month))
    return last - (calendar.weekday(last) - weekday) % 7 + (which + 1) * 7
  end
  local first = calendar.days(year, month, from or 1)
  return first + (weekday - calendar.weekday(first)) % 7 + (which - 1) * 7
end


--- Returns the last time up to `seconds` at which this clock began; nil if it had not begun yet.
local function begun(onset, seconds)
  local latest
  local function consider(shown)
    local at = shown - onset.before
    if shown >= onset.shown and at <= seconds and (not onset.ends or at <= onset.ends) and (not latest or at > latest) then
      latest = at
    end
  end
  consider(onset.shown)
  for _, shown in ipairs(onset.dates) do consider(shown) end
  if onset.rule then
    local year = calendar.date(seconds // 86400)
    if onset.ends then year = math.min(year, (calendar.date(onset.ends // 86400))) end
    local _, month, day = calendar.date(onset.shown // 86400)
    for each = year + 1, year - 1, -1 do
      consider(day_of(onset.rule, each, month, day) * 86400 + onset.shown % 86400)
    end
  end
  return latest
end


local function onset_of(part)
  local function value(name) return (content.first(part, name) or { value = "" }).value end
  local shown = moments.shown(value "DTSTART")
  local before, offset = offset_of(value "TZOFFSETFROM"), offset_of(value "TZOFFSETTO")
  if not shown or not before or not offset then return nil end
  local onset = { shown = shown, before = before, offset = offset, name = value "TZNAME", summer = part.name == "DAYLIGHT",
    dates = {} }
  local rule = content.first(part, "RRULE")
  if rule then
    onset.rule = content.rule(rule.value)
    if onset.rule.FREQ ~= "YEARLY" then return nil end
    onset.ends = onset.rule.UNTIL and moments.shown(onset.rule.UNTIL)
  end
  for _, property in ipairs(part.properties) do
    if property.name == "RDATE" then
      for date in property.value:gmatch "[^,]+" do onset.dates[#onset.dates + 1] = moments.shown(date) end
    end
  end
  return onset
end


--- Returns a zone for lua/lib/date/zones.lua; nil if it is not understood.
---@param component ics.Component  a VTIMEZONE
---@return date.Zone?
function M.of(component)
  local onsets = {}
  for _, part in ipairs(component.parts) do
    onsets[#onsets + 1] = onset_of(part)
  end
  if #onsets == 0 or #onsets < #component.parts then return nil end
  table.sort(onsets, function(a, b) return a.shown < b.shown end)
  return { offset = function(seconds)
    local best, latest
    for _, onset in ipairs(onsets) do
      local at = begun(onset, seconds)
      if at and (not latest or at > latest) then best, latest = onset, at end
    end
    if best then return best.offset, best.name, best.summer end
    return onsets[1].before, "", false
  end }
end


return M
