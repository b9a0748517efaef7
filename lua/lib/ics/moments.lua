--- Dates, times and durations of iCalendar files.

local calendar = require "date.calendar"

local M = {}

local UNITS = { W = 604800, D = 86400, H = 3600, M = 60, S = 1 }


--- Reads "20261126T140305", "20261126T140305Z" or "20261126": the clock time, in seconds since 1970 as if it were UTC.
---@param value string
---@return integer? shown   nil if it is not a date
---@return boolean? utc     true if it ends in Z
---@return boolean? whole   true if it is a day without a time
function M.shown(value)
  local year, month, day, rest = value:match "^(%d%d%d%d)(%d%d)(%d%d)(.*)$"
  year, month, day = tonumber(year), tonumber(month), tonumber(day)
  if not year or month < 1 or month > 12 or day < 1 or day > calendar.month_length(year, month) then return nil end
  local days = calendar.days(year, month, day)
  if rest == "" then return days * 86400, false, true end
  local hour, minute, second, zulu = rest:match "^T(%d%d)(%d%d)(%d%d)(Z?)$"
  hour, minute, second = tonumber(hour), tonumber(minute), tonumber(second)
  if not hour or hour > 23 or minute > 59 or second > 60 then return nil end
  return days * 86400 + hour * 3600 + minute * 60 + second, zulu == "Z", false
end


--- Returns the seconds of "PT1H30M", "P1D" or "-PT15M".
---@param value string
---@return integer?
function M.duration(value)
  local sign, rest = value:match "^([+-]?)P([%dT]%w*)$"
  if not sign then return nil end
  local total, left = 0, rest:gsub("T", "")
  local behind = left:gsub("(%d+)([WDHMS])", function(number, unit)
    total = total + tonumber(number) * UNITS[unit]
    return ""
  end)
  if behind ~= "" then return nil end
  return sign == "-" and -total or total
end


return M
