--- What --since takes, as a time of the log's lines, which sort as text.

local time = require "sys.time"

local M = {}

local UNITS = { s = 1, m = 60, h = 3600, d = 86400, w = 7 * 86400 }


--- Days from 1970-01-01 to a date of the Gregorian calendar (Howard Hinnant, "chrono-compatible low-level date algorithms").
local function days(year, month, day)
  if month <= 2 then year = year - 1 end
  local era, of_year = year // 400, (153 * ((month + 9) % 12) + 2) // 5 + day - 1
  local of_era = (year % 400) * 365 + (year % 400) // 4 - (year % 400) // 100 + of_year
  return era * 146097 + of_era - 719468
end


--- Seconds since 1970 of a date that exists.
local function seconds_of(year, month, day)
  local y, m, d = math.tointeger(tonumber(year)), math.tointeger(tonumber(month)), math.tointeger(tonumber(day))
  if y < 1970 or m < 1 or m > 12 or d < 1 then return nil end
  local seconds = days(y, m, d) * 86400
  if time.iso(seconds):sub(1, 10) ~= ("%s-%s-%s"):format(year, month, day) then return nil end
  return seconds
end


local function moment(word)
  local date, clock = word:match "^(%d%d%d%d%-%d%d%-%d%d)[Tt ](.+)$"
  local midnight = seconds_of((date or word):match "^(%d%d%d%d)%-(%d%d)%-(%d%d)$")
  if not clock then return midnight end
  local hours, minutes, seconds, zone = clock:match "^(%d%d):(%d%d):(%d%d%.?%d*)(.+)$"
  if not midnight or not hours or tonumber(hours) > 23 or tonumber(minutes) > 59 or tonumber(seconds) >= 61 then return nil end
  local sign, zone_hours, zone_minutes = zone:match "^([+-])(%d%d):(%d%d)$"
  if not sign and zone:upper() ~= "Z" then return nil end
  local shift = sign and (tonumber(zone_hours) * 3600 + tonumber(zone_minutes) * 60) * (sign == "-" and -1 or 1) or 0
  return midnight + tonumber(hours) * 3600 + tonumber(minutes) * 60 + tonumber(seconds) - shift
end


--- 10m, 2h, 3d: so long ago. 2026-11-25: midnight, UTC. Or a time of RFC 3339.
---@param word string
---@return string? iso
---@return string? err
function M.read(word)
  local count, unit = word:match "^(%d%d?%d?%d?%d?%d?)([smhdw])$"
  if count then return time.iso(math.max(0, time.now() - tonumber(count) * UNITS[unit])) end
  local seconds = word:find "^%d%d%d%d%-%d%d%-%d%d" and moment(word)
  if seconds then return time.iso(math.max(0, seconds)) end
  return nil, ("--since %s is not a time. Write 10m, 2h, 3d, a date (2026-11-25) or a time (2026-11-25T10:00:00Z)"):format(word)
end


return M
