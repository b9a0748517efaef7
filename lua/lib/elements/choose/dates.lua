--- The entries of dates and times in pages, which browsers make of a field for each part: day, month, year, hours, ...
--
-- Their order is that of a language. No browser tells the value of the whole entry, nor which part is which, except by names and
-- limits. Values here are those of HTML: 2026-02-03, 13:45, 2026-02-03T13:45, 2026-02, 2026-W07.

local element = require "sys.element"
local words   = require "elements.read.words"

local M = {}

---@class elements.DateEntry
---@field list elements.Node[]                the parts, in the order of the page
---@field parts table<string, elements.Node>  the same by KINDS
---@field shape string                        a value of its form, for errors

local KINDS = { "year", "month", "week", "day", "hours", "minutes", "seconds", "milliseconds", "half" }
local NAMES = { year = "year", month = "month", week = "week", day = "day", hours = "hours", minutes = "minutes",
  seconds = "seconds", milliseconds = "milliseconds", ["am/pm"] = "half" }
local SHOWN = { year = "yyyy", month = "mm", week = "ww", day = "dd", hours = "hh", minutes = "mm", seconds = "ss",
  milliseconds = "sss" }
local FORMATS = { year = "%04d", milliseconds = "%03d" }   -- of the others: "%02d"


-- --- the kinds of parts ----------------------------------------------------------------------------------

--- Adds the fields below the node. Firefox has a field of text for the half of the day.
local function add_fields(node, list)
  for _, each in ipairs(node.down or {}) do
    if each.role == "spin" or each.role == "entry" then list[#list + 1] = each else add_fields(each, list) end
  end
  return list
end


local function is_between(node, least, most) return node.least == least and node.most == most end


local function kind_by_name(node)
  local word = words.own_name(node):lower():match "^%S+"
  return word and NAMES[word]
end


--- The kind of a part by its limits, if they are those of the kind: an entry may have narrower ones. The hours of half a day
--- have the limits of months, and minutes follow them.
local function kind_by_limits(node, following, had)
  local least, most = node.least, node.most
  if not least or not most or least > most then return nil end
  if most == 999 then return "milliseconds" end
  if most > 999 then return "year" end
  if is_between(node, 1, 12) then return following and is_between(following, 0, 59) and "hours" or "month" end
  if is_between(node, 0, 59) then return had.minutes and "seconds" or "minutes" end
  if is_between(node, 0, 23) or is_between(node, 0, 11) or is_between(node, 1, 24) then return "hours" end
  if is_between(node, 1, 2) then return "half" end
  if least == 1 and most >= 28 and most <= 31 then return "day" end
  if least == 1 and (most == 52 or most == 53) then return "week" end
end


--- The parts by kind; nil: not all of them are known.
local function by_kind(list, kind_of)
  local parts = {}
  for i, node in ipairs(list) do
    local kind = kind_of(node, list[i + 1], parts)
    if not kind or parts[kind] then return nil end
    parts[kind] = node
  end
  return parts
end


local function shape_of(parts)
  local date = parts.week and "2026-W07" or parts.day and "2026-02-03" or parts.month and "2026-02"
  local time = parts.hours and (parts.milliseconds and "13:45:30.500" or parts.seconds and "13:45:30" or "13:45")
  return date and time and date .. "T" .. time or date or time
end


--- The fields of a date entry; nil: it is none.
local function fields(node)
  local time = node.role == "group" and node.native == "panel"   -- in Firefox
  if not time and node.native ~= "date editor" then return nil end
  local list = add_fields(node, {})
  local first = list[1] and list[1].role == "spin" and list[2]
  if first and (not time or kind_by_name(list[1]) == "hours") then return list end
end


--- The parts of a date entry; nil without an error: it is none.
---@param node elements.Node
---@return elements.DateEntry?
---@return string? err
---@return string? code
function M.entry(node)
  local list = fields(node)
  if not list then return nil end
  local parts = by_kind(list, kind_by_name) or by_kind(list, kind_by_limits)
  local shape = parts and shape_of(parts)
  if shape then return { list = list, parts = parts, shape = shape } end
  local called = {}
  for i, each in ipairs(list) do called[i] = words.called(each) end
  return nil, ("%s does not tell which of its parts is the day, the month and so on. Write each: %s."):format(words.called(node),
    table.concat(called, ", ")), "not_supported"
end


-- --- values ---------------------------------------------------------------------------------------------

local function format(kind, number) return (FORMATS[kind] or "%02d"):format(number) end


local function days_in(year, month)
  if month == 2 then return (year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)) and 29 or 28 end
  return (month == 4 or month == 6 or month == 9 or month == 11) and 30 or 31
end


local MOST = { month = 12, week = 53, hours = 23, minutes = 59, seconds = 59 }
local LEAST = { year = 1, month = 1, week = 1, day = 1 }


local function is_real(numbers)
  for kind, number in pairs(numbers) do
    if number < (LEAST[kind] or 0) or number > (MOST[kind] or number) then return false end
  end
  return not numbers.day or numbers.day <= days_in(numbers.year, numbers.month)
end


--- Reads the date at the beginning of a value; returns the rest of it, too.
local function read_date(text, numbers)
  local year, rest = text:match "^(%d%d%d%d+)%-(.*)$"
  if not year then return text end
  numbers.year = tonumber(year)
  local week, after_week = rest:match "^W(%d%d)(.*)$"
  local month, after_month = rest:match "^(%d%d)(.*)$"
  numbers.week, numbers.month = tonumber(week), tonumber(month)
  local day, after_day = (after_month or ""):match "^%-(%d%d)(.*)$"
  numbers.day = tonumber(day)
  return after_day or after_month or after_week or rest
end


local function read_time(text, numbers)
  local hours, minutes, rest = text:match "^[T ]?(%d%d):(%d%d)(.*)$"
  if not hours then return text end
  numbers.hours, numbers.minutes = tonumber(hours), tonumber(minutes)
  local seconds, after = rest:match "^:(%d%d)(.*)$"
  numbers.seconds = tonumber(seconds)
  local part = (after or ""):match "^%.(%d%d?%d?)$"
  if not part then return after or rest end
  numbers.milliseconds = tonumber((part .. "00"):sub(1, 3))
  return ""
end


--- The value in the form that HTML gives it.
local function text_of(numbers)
  local function shown(kind) return type(numbers[kind]) == "number" and format(kind, numbers[kind]) or SHOWN[kind] end
  local date = numbers.year and shown "year"
  if numbers.week then date = date .. "-W" .. shown "week" end
  if numbers.month then date = date .. "-" .. shown "month" end
  if numbers.day then date = date .. "-" .. shown "day" end
  local time = numbers.hours and shown "hours" .. ":" .. shown "minutes"
  if numbers.seconds or numbers.milliseconds then time = time .. ":" .. shown "seconds" end
  if numbers.milliseconds then time = time .. "." .. shown "milliseconds" end
  return date and time and date .. "T" .. time or date or time
end


local MAY_LACK = { seconds = true, milliseconds = true }   -- if they are 0

--- The numbers of a value, one for each part; nil: it is not of the entry's form, or there is no such day.
---@param entry elements.DateEntry
---@param value string  in the form of HTML
---@return table<string, integer>? numbers
---@return string? text  the value as the entry reports it
function M.numbers(entry, value)
  local numbers = {}
  if read_time(read_date(value, numbers), numbers) ~= "" then return nil end
  for _, kind in ipairs(KINDS) do
    local has, given = entry.parts[kind] ~= nil and kind ~= "half", numbers[kind]
    if has and not given and MAY_LACK[kind] then numbers[kind] = 0 end
    if not has and given == 0 and MAY_LACK[kind] then numbers[kind] = nil end
    if has ~= (numbers[kind] ~= nil) then return nil end
  end
  if not is_real(numbers) then return nil end
  return numbers, text_of(numbers)
end


-- --- the numbers of parts ----------------------------------------------------------------------------------

local HALVES = { am = 1, pm = 2 }


--- True if the application tells the limits of a part, as Chromium does. Firefox says 0 to 0.
---@param now sys.element.Node
---@return boolean
function M.has_limits(now) return now.least ~= nil and now.most ~= nil and now.least <= now.most and now.most > 0 end


--- The number that a part holds; the half of a day is 1 or 2. nil: it is empty, or its text says no number. Chromium shows "0"
--- for an empty part and "00" for the number, and counts no further than the limits, so text comes before the number.
---@param now sys.element.Node  as it is now
---@param kind string
---@return integer?
function M.held_by(now, kind)
  local text, counts = now.value or "", M.has_limits(now)
  if kind == "half" and not counts then return HALVES[(text:lower():gsub("[^apm]", ""))] end
  if counts and text == "0" then return nil end
  return math.tointeger(tonumber(text) or counts and now.number or nil)
end


--- The hour of the day that a part with this number means.
local function hour_of_day(number, entry, half)
  if not number or not entry.parts.half then return number and (entry.parts.hours.most == 24 and number % 24 or number) end
  return half and number % 12 + (half - 1) * 12
end


--- The number that the part of hours shows for an hour of the day, and the half of the day.
---@param entry elements.DateEntry
---@param hour integer
---@return integer number
---@return integer? half
function M.shown_hour(entry, hour)
  local part = entry.parts.hours
  if not entry.parts.half then return part.most == 24 and hour == 0 and 24 or hour end
  local least = part.most == 11 and 0 or 1
  local number = hour % 12
  return number < least and 12 or number, hour < 12 and 1 or 2
end


--- The value that a date entry holds, with words for missing parts: "yyyy-02-03"; "" if all are missing. nil: it is none.
---@param node elements.Node
---@return string?
function M.held(node)
  local entry, ids = M.entry(node), {}
  for i, each in ipairs(entry and entry.list or {}) do ids[i] = each.id end
  local fresh = entry and element.get(ids)
  if not entry or not fresh then return nil end
  local kinds, numbers, some = {}, {}, false
  for kind, each in pairs(entry.parts) do kinds[each] = kind end
  for i, each in ipairs(entry.list) do
    if fresh[i].gone then return nil end
    local number = M.held_by(fresh[i], kinds[each])
    numbers[kinds[each]], some = number or true, some or number ~= nil
  end
  if not some then return "" end
  local half = numbers.half ~= true and numbers.half or nil
  if numbers.hours and numbers.hours ~= true then numbers.hours = hour_of_day(numbers.hours, entry, half) or true end
  return text_of(numbers)
end


return M
