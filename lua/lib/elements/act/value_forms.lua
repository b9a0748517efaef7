--- Compares a value with the form in which an application shows it: numbers with separators, money, units and percent; dates and
--- times.
--
-- Each text has all readings that it can have: "1,234" is a thousand or a fraction, and "05/03/2026" one of two days. Values are
-- the same only if each reading is. What the field showed before may exclude readings.

local month_names = require "elements.act.month_names"
local words       = require "elements.read.words"

local M = {}

local SPACES = { "\u{a0}", "\u{202f}", "\u{2009}", "\u{2007}" }

local function plain(text)
  for _, space in ipairs(SPACES) do text = text:gsub(space, " ") end
  text = text:gsub("\u{2212}", "-"):gsub("\u{2019}", "'"):gsub("%s+", " ")
  return (text:gsub("^ ", ""):gsub(" $", ""))
end


local function near(a, b) return a == b or math.abs(a - b) <= 1e-12 * math.max(math.abs(a), math.abs(b)) end


--- The verdict on two lists of readings: "same" if all are equal, "unclear" if some are; nil: none is.
local function weigh(ones, others, equal)
  local some, all = false, true
  for _, one in ipairs(ones) do
    for _, other in ipairs(others) do
      local same = equal(one, other)
      some, all = some or same, all and same
    end
  end
  return some and (all and "same" or "unclear") or nil
end


-- --- numbers -----------------------------------------------------------------------------------------

---@class elements.NumberReading
---@field value number
---@field decimal? string  the character before the fraction
---@field group? string    the character between groups of digits

--- The digits of a whole number without the separators; nil: they do not separate groups. India has groups of two.
local function ungrouped(text)
  local group = text:match "[^%d]"
  if not group then return text end
  local parts = {}
  for part in (text .. group):gmatch("(.-)%" .. group) do parts[#parts + 1] = part end
  if #parts[1] > 3 or not parts[1]:find "^[1-9]%d*$" or not parts[#parts]:find "^%d%d%d$" then return nil end
  local width = #parts > 2 and #parts[2] or 3
  for i = 2, #parts - 1 do
    if not parts[i]:find "^%d+$" or #parts[i] ~= width or width < 2 or width > 3 then return nil end
  end
  if width == 2 and #parts[1] > 2 then return nil end
  return table.concat(parts), group
end


---@return elements.NumberReading[]
local function readings_of(numeral)
  local list = {}
  local whole, group = ungrouped(numeral)
  if whole then list[1] = { value = tonumber(whole), group = group } end
  local before, decimal, after = numeral:match "^(.-)([.,])(%d+)$"
  if before and not before:find(decimal, 1, true) then
    whole, group = ungrouped(before)
    if whole and before ~= "" or before == "" then
      list[#list + 1] = { value = tonumber((whole or "") .. "." .. after), decimal = decimal, group = group }
    end
  end
  return list
end


---@class elements.Amount
---@field readings elements.NumberReading[]
---@field unit string    what is around the digits, without the sign
---@field padded boolean  it begins with a zero
---@field whole boolean   it has digits only

---@return elements.Amount?
local function amount(text)
  local inner = text:match "^%((.*)%)$"
  local front, numeral, back = (inner or text):match "^([^%d]-)([.,]?%d[%d., ']*)([^%d]*)$"
  if not numeral then return nil end
  local rest = numeral:match "[., ']*$"
  numeral, back = numeral:sub(1, #numeral - #rest), rest:gsub("[ ']", "") .. back
  local sign = (inner or front:find "%-%s*$" or front:find "^%s*%-" or back:find "^%s*%-%s*$") and -1 or 1
  local unit = plain((front .. " " .. back):gsub("[-+]", ""))
  local list = readings_of(numeral)
  for _, each in ipairs(list) do each.value = sign * each.value end
  if #list == 0 then return nil end
  return { readings = list, unit = unit, padded = numeral:find "^0%d" ~= nil, whole = numeral:find "^%d+$" ~= nil }
end


local CURRENCY = { ["$"] = true, ["€"] = true, ["£"] = true, ["¥"] = true, ["₹"] = true, ["₽"] = true, ["₩"] = true,
  ["₺"] = true, ["zł"] = true, ["Kč"] = true, kr = true, ["kr."] = true, ["R$"] = true, ["US$"] = true, ["Fr."] = true,
  ["Ft"] = true }
local UNITS = {}
for unit in ([[% ‰ ° °C °F mm cm m km in inch inches ft yd mi pt px pc em mg g kg t oz lb lbs ml l L ms s sec secs second seconds
  min mins minute minutes h hr hour hours d day days week weeks month months year years Hz kHz MHz GHz B KB MB GB TB KiB MiB GiB
  W V A dpi ppi fps rpm dB "]]):gmatch "%S+" do UNITS[unit] = true end


local function is_money(unit) return CURRENCY[unit] or unit:find "^%u%u%u$" ~= nil end


--- Takes the readings out that the earlier content excludes: a field that showed "0.00" has a point before the fraction. Returns
--- whether the earlier content leaves it open.
local function narrowed(list, before)
  local earlier = before and amount(before)
  if not earlier then return list, before ~= nil and before:find "%d" ~= nil end
  local decimals, groups = {}, {}
  for _, each in ipairs(earlier.readings) do
    if each.decimal then decimals[each.decimal] = true end
    if each.group then groups[each.group] = true end
  end
  local kept = {}
  for _, each in ipairs(list) do
    local excluded = #earlier.readings == 1 and (each.group and decimals[each.group] or each.decimal and groups[each.decimal])
    if not excluded then kept[#kept + 1] = each end
  end
  return kept, #earlier.readings > 1
end


local function same_value(a, b) return near(a.value, b.value) end


local function is_unit(text) return text == "" or UNITS[text] or is_money(text) end


--- The same for the units; nil: what is around the digits is not a unit.
local function of_units(given, shown, before)
  if given.unit == shown.unit then return "same" end
  if given.unit ~= "" then return is_unit(given.unit) and is_unit(shown.unit) and "unclear" or nil end
  local earlier = before and amount(before)
  if earlier and earlier.unit == shown.unit or is_unit(shown.unit) then return "same" end
  return #shown.unit <= 3 and "unclear" or nil      -- such as k for thousands
end


local function of_percent(given, shown)
  if (given.unit == "%") == (shown.unit == "%") then return nil end
  local factor = shown.unit == "%" and 100 or 0.01
  return weigh(given.readings, shown.readings, function(a, b) return near(a.value * factor, b.value) end) and "unclear"
end


local function numbers(value, held, before)
  local given, shown = amount(value), amount(held)
  if not given or not shown then return nil end
  if value:find "^-?%d*%.?%d+$" then given.readings = { { value = tonumber(value) } } end
  local list, open = narrowed(shown.readings, before)
  local told = weigh(given.readings, list, same_value)
  local units = told and of_units(given, shown, before)
  if not told then return of_percent(given, shown) end
  if not units then return nil end
  if given.padded and not shown.padded then return "unclear" end
  -- Digits without a separator were written, so a separator after thousands was added. Lengths and weights may be converted.
  local added = told == "unclear" and given.whole and not open and (shown.unit == "" or is_money(shown.unit))
  if added then told = "same" end
  return units == "unclear" and units or told
end


-- --- dates and times -----------------------------------------------------------------------------------

local function days_in(year, month)
  if month == 2 then return (year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)) and 29 or 28 end
  return (month == 4 or month == 6 or month == 9 or month == 11) and 30 or 31
end


local function add_date(list, order, year, month, day)
  if #year ~= 4 and #year ~= 2 then return end
  local y, m, d = tonumber(year), tonumber(month), tonumber(day)
  if #year == 2 then y = y + (y < 70 and 2000 or 1900) end
  if #day > 2 or #month > 2 or m < 1 or m > 12 or d < 1 or d > days_in(y, m) then return end
  list[#list + 1] = { order = order, day = ("%04d-%02d-%02d"):format(y, m, d) }
end


--- The date of a text with the name of its month: "Thu 5 March 2026", "March 5, 2026".
local function add_named(list, text)
  local month, found = nil, {}
  for word in text:gmatch "[%a\128-\255]+" do
    local this = month_names[words.fold(word)]
    if month and this and this ~= month then return end
    month = month or this
  end
  for number in text:gmatch "%d+" do found[#found + 1] = number end
  if not month or #found ~= 2 then return end
  if #found[1] == 4 then add_date(list, "named", found[1], tostring(month), found[2]) end
  if #found[1] < 3 then add_date(list, "named", found[2], tostring(month), found[1]) end
end


local function dates_in(text)
  local list = {}
  local a, mark, b, same_mark, c = text:match "^%a*%.?,? ?(%d+)([/.-]) ?(%d+)([/.-]) ?(%d+)%.?$"
  if not a then
    a, b, c = text:match "^(%d%d%d%d)\u{5e74} ?(%d+)\u{6708} ?(%d+)\u{65e5}$"
    if a then add_date(list, "ymd", a, b, c) else add_named(list, text) end
  elseif mark == same_mark and #a == 4 then
    add_date(list, "ymd", a, b, c)
  elseif mark == same_mark then
    add_date(list, "dmy", c, b, a)
    if mark ~= "." then add_date(list, "mdy", c, a, b) end
    if #c == 2 and #a == 2 then add_date(list, "ymd", a, b, c) end
  end
  return list
end


--- The seconds of a time, and the text without it; nil: it has none.
local function split_time(text)
  local from, to, hours, minutes, rest = text:find "%f[%d](%d%d?):(%d%d)([:%d]*)"
  if not from then return nil, text end
  local seconds = rest == "" and 0 or tonumber(rest:match "^:(%d%d)$")
  local half = text:sub(to + 1):lower():match "^ ?([ap])%.?m%.?"
  local after = half and text:sub(to + 1):gsub("^ ?[aApP]%.?[mM]%.?", "") or text:sub(to + 1)
  local hour = tonumber(hours)
  if not seconds or hour > (half and 12 or 24) or half and hour < 1 or tonumber(minutes) > 59 then return false, text end
  if half then hour = hour % 12 + (half == "p" and 12 or 0) end
  local date = (text:sub(1, from - 1):gsub("[T, ]+$", "") .. after):gsub("^[, ]+", "")
  return hour * 3600 + tonumber(minutes) * 60 + seconds, date
end


local function in_orders(list, before)
  local orders, count = {}, 0
  for _, each in ipairs(before and dates_in(select(2, split_time(before))) or {}) do
    orders[each.order], count = true, count + 1
  end
  local kept = {}
  for _, each in ipairs(list) do
    if count ~= 1 or orders[each.order] then kept[#kept + 1] = each end
  end
  return #kept > 0 and kept or list
end


local function same_day(a, b) return a.day == b.day end

--- True for the same three numbers in the same order, as 05/03/2026 and 5/3/26.
local function same_parts(ones, others)
  local known = {}
  for _, each in ipairs(ones) do known[each.order] = each.day end
  for _, each in ipairs(others) do
    if known[each.order] ~= each.day then return false end
  end
  return #ones == #others
end


local function dates(value, held, before)
  local given_time, given = split_time(value)
  local shown_time, shown = split_time(held)
  if given_time ~= shown_time or given_time == false then return nil end
  if given_time and given == "" and shown == "" then return "same" end
  local ones, others = dates_in(given), dates_in(shown)
  if #ones == 0 or #others == 0 then return nil end
  return same_parts(ones, others) and "same" or weigh(ones, in_orders(others, before), same_day)
end


-- --- text ------------------------------------------------------------------------------------------------

local SET_APART = 6   -- digits of a number that is not an amount: of a telephone or a card

local function digits(value, held)
  local set_apart = #value >= SET_APART and value:find "^%d+$" and held:find "^[(%d][%d ()-]*$"
  return set_apart and held:gsub("%D", "") == value and "same" or nil
end


--- Compares a value with the content of a field, in the form that its application gives it.
---@param value string
---@param held string
---@param before? string  what the field held before
---@return "same"|"unclear"|nil told  unclear: it may be the same, or something else; nil: it is something else
function M.compare(value, held, before)
  value, held, before = plain(value), plain(held), before and plain(before)
  if value == "" or held == "" then return nil end
  return dates(value, held, before) or numbers(value, held, before) or digits(value, held)
end


return M
