--- Time zones: that of this machine, and fixed offsets.

local time = require "sys.time"

local M = {}

local DAY = 86400

---@class date.Zone
---@field offset fun(seconds: integer): integer, string, boolean  as sys.time.offset

local HERE = { offset = time.offset }


local function fixed(offset, name)
  return { offset = function() return offset, name, false end }
end


local UTC = fixed(0, "UTC")


--- Writes an offset: "+05:30"
---@param offset integer  seconds east of UTC
---@param colon? string   default ":"
---@return string
function M.written(offset, colon)
  local minutes = math.abs(offset) // 60
  return ("%s%02d%s%02d"):format(offset < 0 and "-" or "+", minutes // 60, colon or ":", minutes % 60)
end


--- Returns the seconds east of UTC of "Z", "+01", "+0100" or "+01:00"; nil if it is not an offset.
---@param text string
---@return integer?
function M.offset_of(text)
  if text == "Z" or text == "z" then return 0 end
  local sign, hours, minutes = text:match "^([+-])(%d%d):?(%d%d)$"
  if not sign then sign, hours = text:match "^([+-])(%d%d)$" end
  if not sign or tonumber(hours) > 23 or tonumber(minutes or 0) > 59 then return nil end
  return (tonumber(hours) * 3600 + tonumber(minutes or 0) * 60) * (sign == "-" and -1 or 1)
end


--- Returns the zone for an argument of sys.date's functions; raises errors in their caller.
---@param zone? string|number
---@return date.Zone
function M.read(zone)
  if zone == nil or zone == "local" then return HERE end
  if zone == "utc" or zone == "UTC" or zone == "GMT" then return UTC end
  local offset = math.tointeger(zone)
  if type(zone) == "string" then offset = M.offset_of(zone) end
  if not offset or math.abs(offset) >= DAY then
    error(('%s is not a time zone. Use "local", "utc", an offset such as "+01:00", or seconds east of UTC'):format(
      tostring(zone)), 3)
  end
  return offset == 0 and UTC or fixed(offset, M.written(offset))
end


--- Returns the moment at which clocks of a zone show a time. If they show it twice, it is the first one, or the one with the
--- offset `prefer`. If they skip it, it is as much later as they skip.
---@param shown integer  seconds since 1970 as if the clock showed UTC
---@param zone date.Zone
---@param prefer? integer
---@return integer seconds
function M.moment(shown, zone, prefer)
  local before, after = zone.offset(shown - DAY), zone.offset(shown + DAY)
  if before == after then return shown - before end
  local first, second = shown - math.max(before, after), shown - math.min(before, after)
  local first_fits = zone.offset(first) == shown - first
  local second_fits = zone.offset(second) == shown - second
  if first_fits and second_fits then return prefer == shown - second and second or first end
  if first_fits then return first end
  if second_fits then return second end
  return shown - before
end


return M
