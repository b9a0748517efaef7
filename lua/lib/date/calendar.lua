--- The Gregorian calendar, applied also to the time before it was introduced: days, and their dates.

local M = {}

M.DAYS = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday" }
M.MONTHS = { "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
  "December" }

local LENGTHS = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 }


---@param year integer
---@param month integer  1 to 12
---@return integer
function M.month_length(year, month)
  local leap = month == 2 and year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)
  return leap and 29 or LENGTHS[month]
end


--- Returns the days from 1970-01-01 to a date (Howard Hinnant, "chrono-compatible low-level date algorithms"). A month or day
--- beyond its range counts on: month 13 is January of the next year, day 0 the last day of the month before.
---@param year integer
---@param month integer
---@param day integer
---@return integer
function M.days(year, month, day)
  year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
  if month <= 2 then year = year - 1 end
  local era, of_year = year // 400, (153 * ((month + 9) % 12) + 2) // 5 + day - 1
  local of_era = (year % 400) * 365 + (year % 400) // 4 - (year % 400) // 100 + of_year
  return era * 146097 + of_era - 719468
end


--- Returns the date that is so many days after 1970-01-01.
---@param days integer
---@return integer year
---@return integer month
---@return integer day
function M.date(days)
  days = days + 719468
  local era, of_era = days // 146097, days % 146097
  local of_era_years = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
  local of_year = of_era - (365 * of_era_years + of_era_years // 4 - of_era_years // 100)
  local month = (5 * of_year + 2) // 153
  local day = of_year - (153 * month + 2) // 5 + 1
  month = month < 10 and month + 3 or month - 9
  return era * 400 + of_era_years + (month <= 2 and 1 or 0), month, day
end


--- Returns the day of the week: 1 is Monday, 7 is Sunday.
---@param days integer  since 1970-01-01, a Thursday
---@return integer
function M.weekday(days) return (days + 3) % 7 + 1 end


--- Returns the week of ISO 8601: the first one has the year's first Thursday.
---@param days integer
---@return integer year
---@return integer week
function M.week(days)
  local thursday = days - M.weekday(days) + 4
  local year = M.date(thursday)
  return year, (thursday - M.days(year, 1, 1)) // 7 + 1
end


return M
