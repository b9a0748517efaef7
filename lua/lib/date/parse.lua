--- Reads times from text: ISO 8601, and the patterns of strptime(3), in English.

local calendar = require "date.calendar"
local format   = require "date.format"
local zones    = require "date.zones"

local M = {}

--- The parts of a time that were read from text. `offset` is set if the text has one; `seconds` if it is a time since 1970.
---@class date.Read
---@field year? integer
---@field month? integer
---@field day? integer
---@field yday? integer
---@field hour? integer
---@field min? integer
---@field sec? integer
---@field fraction? number
---@field offset? integer
---@field seconds? integer


--- Says what is wrong if there is no such day or time. A leap second and 24:00 are times of the next minute and day.
---@param read date.Read
---@return string? err
function M.check(read)
  if read.month < 1 or read.month > 12 then return ("there is no month %d"):format(read.month) end
  if read.day < 1 or read.day > calendar.month_length(read.year, read.month) then
    return ("%s %d has no day %d"):format(calendar.MONTHS[read.month], read.year, read.day)
  end
  local midnight = read.hour == 24 and read.min == 0 and read.sec == 0
  if read.hour > 23 and not midnight or read.min > 59 or read.sec > 60 then
    return ("there is no time %02d:%02d:%02d"):format(read.hour, read.min, read.sec)
  end
end


-- --- ISO 8601 -----------------------------------------------------------------------------------------

local function integers(...)
  local list = { ... }
  for i, text in ipairs(list) do list[i] = math.tointeger(tonumber(text)) end
  return table.unpack(list)
end


--- Returns year, month and day of a date, and the rest of the text.
local function iso_date(text)
  local year, month, day, rest = text:match "^(%d%d%d%d)%-(%d%d)%-(%d%d)(.*)$"
  if not year then year, month, day, rest = text:match "^(%d%d%d%d)(%d%d)(%d%d)(.*)$" end
  if year then
    local y, m, d = integers(year, month, day)
    return y, m, d, rest
  end
  local week, weekday
  year, week, weekday, rest = text:match "^(%d%d%d%d)%-?W(%d%d)%-?([1-7])(.*)$"
  if year then
    local y, w, of_week = integers(year, week, weekday)
    local first = calendar.days(y, 1, 4)
    local days = first - calendar.weekday(first) + of_week + 7 * (w - 1)
    if w < 1 or calendar.week(days) ~= y then return nil end
    local at_year, at_month, at_day = calendar.date(days)
    return at_year, at_month, at_day, rest
  end
  year, day, rest = text:match "^(%d%d%d%d)%-?(%d%d%d)(%D?.*)$"
  if not year then return nil end
  local y, of_year = integers(year, day)
  local at_year, at_month, at_day = calendar.date(calendar.days(y, 1, of_year))
  if of_year < 1 or at_year ~= y then return nil end
  return at_year, at_month, at_day, rest
end


--- Returns hour, minute, second, its fraction, and the rest of the text.
local function iso_clock(text)
  local hour, min, rest = text:match "^(%d%d):(%d%d)(.*)$"
  local colon = ":"
  if not hour then
    hour, min, rest = text:match "^(%d%d)(%d%d)(.*)$"
    colon = ""
  end
  if not hour then return nil end
  local sec, behind = rest:match("^" .. colon .. "(%d%d)(.*)$")
  if not sec then
    local h, m = integers(hour, min)
    return h, m, 0, 0, rest
  end
  local digits, after = behind:match "^[.,](%d+)(.*)$"
  local h, m, s = integers(hour, min, sec)
  return h, m, s, digits and tonumber("0." .. digits) or 0, after or behind
end


---@param text string
---@return date.Read? read
---@return string? err
function M.iso(text)
  local wrong = 'Write it in ISO 8601: 2026-11-26, 2026-11-26T14:03 or 2026-11-26T14:03:05.5+01:00'
  local year, month, day, rest = iso_date(text)
  if not year then return nil, wrong end
  local read = { year = year, month = month, day = day, hour = 0, min = 0, sec = 0, fraction = 0 }
  if rest ~= "" then
    local clock = rest:match "^[Tt ](.+)$"
    if not clock then return nil, wrong end
    read.hour, read.min, read.sec, read.fraction, rest = iso_clock(clock)
    if not read.hour then return nil, wrong end
  end
  if rest ~= "" then
    read.offset = zones.offset_of((rest:gsub("^ ", "")))
    if not read.offset then return nil, wrong end
  end
  local err = M.check(read)
  if err then return nil, err end
  return read
end


-- --- patterns -----------------------------------------------------------------------------------------

--- Returns the number of the name at this place, which is whole or has its first three letters, and where it ends.
local function name_at(text, at, names)
  for i, name in ipairs(names) do
    for _, word in ipairs { name, name:sub(1, 3) } do
      if text:sub(at, at + #word - 1):lower() == word:lower() then return i, at + #word end
    end
  end
end


local function digits(field, most, least, offset)
  return function(read, text, at)
    local word = text:match("^%d+", at)
    if not word then return nil end
    word = word:sub(1, most)
    if #word < (least or 1) then return nil end
    read[field] = math.tointeger(tonumber(word)) + (offset or 0)
    return at + #word
  end
end


local function blank_then(next_reader)
  return function(read, text, at) return next_reader(read, text, text:match("^ *()", at)) end
end


local READERS = {
  Y = digits("year", 4, 4), m = digits("month", 2), d = digits("day", 2), e = blank_then(digits("day", 2)), j = digits("yday", 3),
  H = digits("hour", 2), k = blank_then(digits("hour", 2)), I = digits("hour12", 2), l = blank_then(digits("hour12", 2)),
  M = digits("min", 2), S = digits("sec", 2), s = digits("seconds", 12),
  -- POSIX: 69 to 99 are in the 20th century.
  y = function(read, text, at)
    local word = text:match("^%d%d", at)
    if not word then return nil end
    read.year = math.tointeger(tonumber(word)) + (tonumber(word) < 69 and 2000 or 1900)
    return at + 2
  end,
  f = function(read, text, at)
    local word = text:match("^%d+", at)
    if not word then return nil end
    read.fraction = tonumber("0." .. word)
    return at + #word
  end,
  a = function(_, text, at) return select(2, name_at(text, at, calendar.DAYS)) end,
  b = function(read, text, at)
    local month, behind = name_at(text, at, calendar.MONTHS)
    read.month = month
    return behind
  end,
  p = function(read, text, at)
    local half = text:match("^[AaPp][Mm]", at)
    if not half then return nil end
    read.afternoon = half:lower() == "pm"
    return at + 2
  end,
  z = function(read, text, at)
    local word = text:match("^[Zz]", at) or text:match("^[+-]%d%d:?%d%d", at) or text:match("^[+-]%d%d", at)
    read.offset = word and zones.offset_of(word)
    return read.offset and at + #word
  end,
  Z = function(read, text, at)
    local word = text:match("^%u+", at)
    if word ~= "UTC" and word ~= "GMT" and word ~= "Z" then return nil end
    read.offset = 0
    return at + #word
  end,
  n = function(_, text, at) return text:match("^%s*()", at) end,
  ["%"] = function(_, text, at) return text:match("^%%()", at) end,
}
for same, letter in pairs { L = "f", A = "a", B = "b", h = "b", P = "p", t = "n" } do READERS[same] = READERS[letter] end


--- Combines the fields; nil and a message if they do not fit together.
local function settle(read)
  if read.hour12 then
    if read.hour12 < 1 or read.hour12 > 12 then return nil, ("there is no hour %d before or after noon"):format(read.hour12) end
    read.hour = read.hour12 % 12 + (read.afternoon and 12 or 0)
  end
  if read.yday and read.year then
    local year
    year, read.month, read.day = calendar.date(calendar.days(read.year, 1, read.yday))
    if year ~= read.year then return nil, ("%d has no day %d"):format(read.year, read.yday) end
  end
  read.hour, read.min, read.sec, read.fraction = read.hour or 0, read.min or 0, read.sec or 0, read.fraction or 0
  return read
end


--- Returns where the plain text of a pattern ends in the text. White space matches any white space, and none.
local function skip_plain(text, at, plain)
  for blank, word in plain:gmatch "(%s*)(%S*)" do
    if blank ~= "" then at = text:match("^%s*()", at) end
    if text:sub(at, at + #word - 1) ~= word then return nil end
    at = at + #word
  end
  return at
end


--- Reads the fields of the text; nil and the byte that does not fit.
local function read_all(text, pattern)
  local read, at, from = {}, 1, 1
  while from <= #pattern do
    local letter, behind = pattern:match("^%%[-:]?(.?)()", from)
    local next_at
    if letter then
      local reader = READERS[letter]
      if not reader then error(("%q has no meaning in a pattern of time that is read"):format("%" .. letter), 4) end
      next_at = reader(read, text, at)
    else
      local plain
      plain, behind = pattern:match("^([^%%]+)()", from)
      next_at = skip_plain(text, at, plain)
    end
    if not next_at then return nil, at end
    at, from = next_at, behind
  end
  if at <= #text then return nil, at end
  return read
end


--- Reads a time by a pattern. If the text has no date, it is `today`; a missing month or day is 1.
---@param text string
---@param pattern string  a letter without a meaning raises an error in the caller of sys.date
---@param today {year: integer, month: integer, day: integer}
---@return date.Read? read
---@return string? err
function M.pattern(text, pattern, today)
  local read, at = read_all(text, format.spelled(pattern))
  if not read then return nil, ("It does not fit the pattern %q at byte %d"):format(pattern, at) end
  if read.seconds then return read end
  local settled, err = settle(read)
  if not settled then return nil, err end
  if not read.year and not read.month and not read.day then
    read.year, read.month, read.day = today.year, today.month, today.day
  end
  read.year, read.month, read.day = read.year or today.year, read.month or 1, read.day or 1
  err = M.check(read)
  if err then return nil, err end
  return read
end


return M
