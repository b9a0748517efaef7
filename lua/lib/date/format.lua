--- Formats times by the patterns of strftime(3), in English.

local calendar = require "date.calendar"
local zones    = require "date.zones"

--- A date of sys.date, with further fields for the letters of a pattern.
---@class date.Shown: sys.date.Date
---@field days    integer  since 1970-01-01, in its zone
---@field seconds number   since 1970, UTC

local function number(format, of)
  return function(shown) return format:format(of(shown)) end
end


local function hour12(shown) return (shown.hour + 11) % 12 + 1 end
local function year(shown) return shown.year end
local function weekday(shown) return calendar.DAYS[calendar.weekday(shown.days)] end


--- Returns a function for the number of the week, if weeks begin with Sunday (1) or Monday (2). Days before the first such day
--- are in week 0.
local function week_from(begin)
  return function(shown) return (shown.yday + 6 - (shown.wday - begin) % 7) // 7 end
end


local LETTERS = {
  Y = number("%d", year), y = number("%02d", function(shown) return shown.year % 100 end),
  C = number("%02d", function(shown) return shown.year // 100 end),
  m = number("%02d", function(shown) return shown.month end),
  d = number("%02d", function(shown) return shown.day end), e = number("%2d", function(shown) return shown.day end),
  j = number("%03d", function(shown) return shown.yday end),
  H = number("%02d", function(shown) return shown.hour end), k = number("%2d", function(shown) return shown.hour end),
  I = number("%02d", hour12), l = number("%2d", hour12),
  M = number("%02d", function(shown) return shown.min end), S = number("%02d", function(shown) return shown.sec end),
  L = number("%03d", function(shown) return math.floor(shown.fraction * 1000) end),
  f = number("%06d", function(shown) return math.floor(shown.fraction * 1000000) end),
  s = number("%d", function(shown) return math.floor(shown.seconds) end),
  u = number("%d", function(shown) return calendar.weekday(shown.days) end),
  w = number("%d", function(shown) return shown.wday - 1 end),
  U = number("%02d", week_from(1)), W = number("%02d", week_from(2)),
  G = number("%d", function(shown) return (calendar.week(shown.days)) end),
  g = number("%02d", function(shown) return calendar.week(shown.days) % 100 end),
  V = number("%02d", function(shown) return select(2, calendar.week(shown.days)) end),
  a = function(shown) return weekday(shown):sub(1, 3) end, A = weekday,
  b = function(shown) return calendar.MONTHS[shown.month]:sub(1, 3) end,
  B = function(shown) return calendar.MONTHS[shown.month] end,
  p = function(shown) return shown.hour < 12 and "AM" or "PM" end,
  P = function(shown) return shown.hour < 12 and "am" or "pm" end,
  z = function(shown) return zones.written(shown.offset, "") end,
  [":z"] = function(shown) return zones.written(shown.offset) end,
  Z = function(shown) return shown.zone end,
  n = function() return "\n" end, t = function() return "\t" end, ["%"] = function() return "%" end,
}
LETTERS.h = LETTERS.b

--- Letters that stand for patterns, as in the C locale.
local LONGER = { D = "%m/%d/%y", F = "%Y-%m-%d", R = "%H:%M", T = "%H:%M:%S", r = "%I:%M:%S %p", c = "%a %b %e %H:%M:%S %Y",
  x = "%m/%d/%y", X = "%H:%M:%S" }

local M = {}


--- Replaces the letters that stand for patterns.
---@param pattern string
---@return string
function M.spelled(pattern)
  return (pattern:gsub("%%(.)", function(letter) return LONGER[letter] or nil end))
end


---@param shown date.Shown
---@param pattern string
---@return string? text
---@return string? err  what is wrong with the pattern
function M.format(shown, pattern)
  local unknown
  local text = M.spelled(pattern):gsub("%%(%-?)(:?.?)", function(dash, letter)
    local rest = ""
    if not LETTERS[letter] then letter, rest = letter:sub(1, 1), letter:sub(2) end
    local write = LETTERS[letter]
    if not write then
      unknown = unknown or "%" .. dash .. letter
      return nil
    end
    local written = write(shown)
    return (dash == "-" and written:gsub("^[ 0]+(.)", "%1") or written) .. rest
  end)
  if unknown then return nil, ("%q has no meaning in a pattern of time"):format(unknown) end
  return text
end


return M
