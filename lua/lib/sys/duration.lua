--- sys.duration: lengths of time, in seconds, as text.
--
-- For the time between two times, sys.date has date.relative(time).

local M = {}

local UNITS = { { "w", 604800, "week" }, { "d", 86400, "day" }, { "h", 3600, "hour" }, { "m", 60, "minute" },
  { "s", 1, "second" }, { "ms", 0.001, "millisecond" } }

local MOST = 1e12   -- 31,000 years

local SECONDS = { min = 60, mins = 60, sec = 1, secs = 1, hr = 3600, hrs = 3600 }
for _, unit in ipairs(UNITS) do
  SECONDS[unit[1]], SECONDS[unit[3]], SECONDS[unit[3] .. "s"] = unit[2], unit[2], unit[2]
end


local function failure(text)
  local shown = #text > 40 and text:sub(1, 40) .. "..." or text
  return nil, ('%q is not a duration. Write 90s, 1h30m, 1.5h, "2 days 3 hours" or PT1H30M'):format(shown), "not_a_duration"
end


--- Reads "1h30m", "1 hour, 30 minutes": each unit once, the longest first.
local function read_units(text)
  local total, at, last = 0, 1, math.huge
  while at <= #text do
    local number, unit, next_at = text:match("^(%d+%.?%d*)%s*(%a+)[%s,]*()", at)
    local length = number and SECONDS[unit:lower()]
    if not length or length >= last then return nil end
    total, at, last = total + tonumber(number) * length, next_at, length
  end
  return last < math.huge and total or nil
end


--- Reads "P1DT2H3M4S", "P2W" (ISO 8601). Years and months have no fixed length.
local function read_iso(text)
  local date, clock = text:match "^P([%d.DW]*)T([%d.HMS]+)$"
  if not date then date, clock = text:match "^P([%d.DW]+)$", "" end
  if not date then return nil end
  return read_units((date .. clock):lower())
end


--- Returns the seconds of "90s", "1h30m", "1.5h", "2 days 3 hours", "250ms", "PT1H30M" or "90": each unit once, longest first.
---@param text string
---@return number? seconds
---@return string? err
---@return string? code  "not_a_duration"
function M.parse(text)
  local bare = text:match "^%s*(.-)%s*$"
  local sign, rest = bare:match "^([+-]?)%s*(.*)$"
  local seconds = rest:find "^%d+%.?%d*$" and tonumber(rest) or rest:find "^P" and read_iso(rest) or read_units(rest)
  if not seconds or seconds > MOST then return failure(text) end
  seconds = sign == "-" and -seconds or seconds
  return math.tointeger(seconds) or seconds
end


local MILLISECONDS = { { "d", 86400000 }, { "h", 3600000 }, { "m", 60000 }, { "s", 1000 } }

--- Returns "1h30m" for 5400, "1.5s" for 1.5, "250ms" for 0.25. Rounded to milliseconds.
---@param seconds number
---@param most? integer  at most so many units, from the longest on; the rest is cut off: "1d" of 86410 with 2 (default: all)
---@return string
function M.format(seconds, most)
  local rest, parts, first = math.floor(math.abs(seconds) * 1000 + 0.5), {}, nil
  if rest == 0 then return "0s" end
  local sign = seconds < 0 and "-" or ""
  if rest < 1000 then return ("%s%dms"):format(sign, rest) end
  for i, unit in ipairs(MILLISECONDS) do
    local count = rest // unit[2]
    if count > 0 and not first then first = i end
    if first and most and i >= first + most then break end
    if unit[1] == "s" and not most and rest > 0 then
      parts[#parts + 1] = ("%gs"):format(rest / 1000)
    elseif count > 0 then
      parts[#parts + 1] = ("%d%s"):format(count, unit[1])
    end
    rest = rest % unit[2]
  end
  return sign .. table.concat(parts)
end


--- The units of "in 3 minutes"; weeks are used for two weeks or more.
local SPANS = { { 31556952, "year" }, { 2629746, "month" }, { 604800, "week", 2 }, { 86400, "day" }, { 3600, "hour" },
  { 60, "minute" }, { 1, "second" } }


--- Returns in words how far away something is, by the nearest number of one unit: "in 3 minutes", "2 days ago", "now".
---@param difference number  seconds; negative for the past
---@return string
function M.relative(difference)
  local away = math.abs(difference)
  if away < 0.5 then return "now" end
  for i, span in ipairs(SPANS) do
    local count = math.floor(away / span[1] + 0.5)
    -- 59.7 minutes are "1 hour", because 60 minutes would be.
    local finer = SPANS[i + 1]
    local fills = finer and math.floor(away / finer[1] + 0.5) * finer[1] >= span[1] * (span[3] or 1)
    if fills or not finer then
      count = math.max(count, 1)
      local words = ("%d %s%s"):format(count, span[2], count == 1 and "" or "s")
      return difference < 0 and words .. " ago" or "in " .. words
    end
  end
end


return M
