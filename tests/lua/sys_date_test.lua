#!/usr/bin/env tests/lua/run
--- sys.date and sys.duration: dates, and times and lengths of time as text. What depends on the zone of the machine is in
--- tests/cli/time_zone_test.py.
local date     = require "sys.date"
local duration = require "sys.duration"
local t        = require "check"
local time     = require "sys.time"

-- --- dates --------------------------------------------------------------------------------------------

local NOON = 1795694585.25   -- 2026-11-26T12:03:05.25Z, a Thursday

local function code_of(...) return (select(3, ...)) end

t.case("a date has what calendar and clock show", function()
  t.same(date.of(NOON, "+01:30"), { year = 2026, month = 11, day = 26, hour = 13, min = 33, sec = 5, fraction = 0.25, wday = 5,
    yday = 330, isdst = false, offset = 5400, zone = "+01:30" })
  t.same(date.of(-1, "utc"), { year = 1969, month = 12, day = 31, hour = 23, min = 59, sec = 59, fraction = 0, wday = 4, yday = 365,
    isdst = false, offset = 0, zone = "UTC" })
  for zone, offset in pairs { utc = 0, UTC = 0, GMT = 0, Z = 0, ["+14"] = 50400, ["-0330"] = -12600, [7200] = 7200 } do
    t.same(date.of(0, zone).offset, offset, zone)
  end
  for _, zone in ipairs { "Europe/Berlin", "+25:00", "+1", "", 86400, 0.5 } do
    t.raises(function() date.of(0, zone) end, "sys_date_test.*is not a time zone", zone)
  end
  t.raises(function() date.of(1e12) end, "sys_date_test.*years 1 to 9999")
  t.raises(function() date.of "now" end, "sys_date_test.*a number of seconds")
  t.ok(math.abs(date.time(date.of()) - time.now()) < 5)
end)

t.case("every day of 800 years is found again", function()
  local day = date.time({ year = 1600 }, "utc")
  local year, month, of_month, of_year, weekday = 1600, 1, 1, 1, 6   -- a Saturday
  for _ = 1, 2 * 146097, 7 do
    local found = date.of(day, "utc")
    t.same({ found.year, found.month, found.day, found.yday, (date.weekday(day, "utc")) }, { year, month, of_month, of_year, weekday })
    day = day + 7 * 86400
    of_month, of_year = of_month + 7, of_year + 7
    local leap = year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)
    local length = ({ 31, leap and 29 or 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 })[month]
    if of_month > length then of_month, month = of_month - length, month + 1 end
    if month > 12 then year, month, of_year = year + 1, 1, of_month end
  end
end)

t.case("a date is counted on beyond its range", function()
  local function iso(fields) return date.iso(date.time(fields, "utc")) end
  t.same(iso { year = 2026 }, "2026-01-01T00:00:00.000Z")
  t.same(iso { year = 2026, month = 13, day = 0 }, "2026-12-31T00:00:00.000Z")
  t.same(iso { year = 2026, month = -1, day = 31 }, "2025-12-01T00:00:00.000Z")
  t.same(iso { year = 2024, month = 2, day = 30, hour = 25, min = -1, sec = 60.5 }, "2024-03-02T01:00:00.500Z")
  t.raises(function() date.time { month = 1 } end, 'sys_date_test.*the field "year" is not a whole number')
  t.raises(function() date.time { year = 2026, day = 1.5 } end, '"day" is not a whole number')
end)

t.case("time goes on by the calendar, and by the clock", function()
  local function after(text, amounts) return (date.iso(date.add(assert(date.parse(text, nil, "utc")), amounts,
    "utc")):gsub("T00:00:00.000Z", "")) end
  t.same(after("2026-01-31", { months = 1 }), "2026-02-28")
  t.same(after("2024-02-29", { years = 1 }), "2025-02-28")
  t.same(after("2024-02-29", { years = -4, days = 1 }), "2020-03-01")
  t.same(after("2026-12-31", { months = -10, weeks = 1 }), "2026-03-07")
  t.same(after("2026-11-26", { months = 14 }), "2028-01-26")
  t.same(after("2026-11-26", { hours = -0.5, minutes = 90, seconds = 1.25 }), "2026-11-26T01:00:01.250Z")
  t.same(date.add(NOON, {}), NOON)
  t.raises(function() date.add(NOON, { day = 1 }) end, 'sys_date_test.*"day" is not an amount of time')
  t.raises(function() date.add(NOON, { days = 0.5 }) end, '"days" is not a whole number')
end)

t.case("the beginnings of things", function()
  local begins = { minute = "2026-11-26T12:03:00", hour = "2026-11-26T12:00:00", day = "2026-11-26T00:00:00",
    week = "2026-11-23T00:00:00",
    month = "2026-11-01T00:00:00", year = "2026-01-01T00:00:00" }
  for unit, begin in pairs(begins) do
    t.same(date.format(date.start_of(NOON, unit, "utc"), "%FT%T", "utc"), begin, unit)
    t.same(date.start_of(date.start_of(NOON, unit, "utc"), unit, "utc"), date.start_of(NOON, unit, "utc"), unit)
  end
  t.same(date.format(date.start_of(NOON, "hour", "+05:30"), "%FT%T%:z", "+05:30"), "2026-11-26T17:00:00+05:30")
  t.raises(function() date.start_of(NOON, "days") end, '"days" is not a unit')
end)

t.case("weekdays, and the days between", function()
  t.same({ date.weekday(NOON, "utc") }, { 4, "Thursday" })
  t.same({ date.weekday(NOON, "+12:00") }, { 5, "Friday" })
  t.same({ date.days_between(NOON, NOON + 43200, "utc"), date.days_between(NOON, NOON + 40000, "utc"), date.days_between(NOON,
    NOON - 86400 * 9, "utc") },
    { 1, 0, -9 })
end)


-- --- text ---------------------------------------------------------------------------------------------

t.case("iso in a zone", function()
  t.same(date.iso(NOON, "-03:30"), "2026-11-26T08:33:05.250-03:30")
  t.same(date.iso(NOON, "utc"), "2026-11-26T12:03:05.250+00:00")
  t.same(date.iso(NOON + 0.7499, "+01:00"), "2026-11-26T13:03:06.000+01:00")
end)

t.case("format knows what strftime does", function()
  local expected = { ["%Y-%m-%d %H:%M:%S"] = "2026-11-26 12:03:05", ["%A, %-d %B %Y"] = "Thursday, 26 November 2026",
    ["%a %b %h"] = "Thu Nov Nov",
    ["%F|%D|%T|%R|%r"] = "2026-11-26|11/26/26|12:03:05|12:03|12:03:05 PM", ["%c|%x|%X"] = "Thu Nov 26 12:03:05 2026|11/26/26|12:03:05",
    ["%y %C %e %j %k %I %l"] = "26 20 26 330 12 12 12", ["%L %f %s"] = "250 250000 1795694585",
      ["%u %w %U %W %V %G %g"] = "4 4 47 47 48 2026 26",
    ["%p %P %z %:z %Z"] = "PM pm +0000 +00:00 UTC", ["100%% %n%t"] = "100% \n\t", [""] = "", ["%H:%M"] = "12:03", ["ä"] = "ä" }
  for pattern, text in pairs(expected) do t.same(date.format(NOON, pattern, "utc"), text, pattern) end
  t.same(date.format(0, "%-I %-d %-m %-H %e|%l %I %p", "utc"), "12 1 1 0  1|12 12 AM")
  t.same(date.format(0, nil, "utc"), "1970-01-01 00:00:00")
  for _, pattern in ipairs { "%q", "%", "%-", "%:y", "%E" } do
    t.raises(function() date.format(0, pattern, "utc") end, "sys_date_test.*has no meaning in a pattern", pattern)
  end
end)

t.case("weeks begin with Sunday, with Monday, or as ISO 8601 has them", function()
  for day, weeks in pairs { ["2026-01-01"] = "00 00 01 2026", ["2026-01-04"] = "01 00 01 2026", ["2026-01-05"] = "01 01 02 2026",
    ["2027-01-01"] = "00 00 53 2026", ["2024-12-30"] = "52 53 01 2025", ["2023-01-01"] = "01 00 52 2022",
      ["2020-12-31"] = "52 52 53 2020" } do
    t.same(date.format(date.parse(day, nil, "utc"), "%U %W %V %G", "utc"), weeks, day)
  end
end)

t.case("parse reads ISO 8601", function()
  for text, iso in pairs {
    ["2026-11-26"] = "2026-11-26T00:00:00.000Z", ["2026-11-26T14:03"] = "2026-11-26T14:03:00.000Z",
      ["2026-11-26 14:03:05"] = "2026-11-26T14:03:05.000Z",
    ["2026-11-26T14:03:05.5Z"] = "2026-11-26T14:03:05.500Z", ["2026-11-26t14:03:05,25z"] = "2026-11-26T14:03:05.250Z",
    ["2026-11-26T14:03:05+01:00"] = "2026-11-26T13:03:05.000Z", ["20261126T140305-0330"] = "2026-11-26T17:33:05.000Z",
    ["2026-11-26 14:03 +01"] = "2026-11-26T13:03:00.000Z", ["2026-W48-4"] = "2026-11-26T00:00:00.000Z",
      ["2026W484"] = "2026-11-26T00:00:00.000Z",
    ["2026-330"] = "2026-11-26T00:00:00.000Z", ["2026330T0102"] = "2026-11-26T01:02:00.000Z", ["2024-02-29"] = "2024-02-29T00:00:00.000Z",
    ["2026-11-26T24:00"] = "2026-11-27T00:00:00.000Z", ["2016-12-31T23:59:60Z"] = "2017-01-01T00:00:00.000Z",
      ["0001-01-01"] = "0001-01-01T00:00:00.000Z",
    ["2020-W53-5"] = "2021-01-01T00:00:00.000Z",
  } do t.same(date.iso(assert(date.parse(text, nil, "utc"))), iso, text) end
  t.same(date.iso(date.parse("2026-11-26T14:03", nil, "+02:00")), "2026-11-26T12:03:00.000Z")
  t.same(date.parse(date.iso(NOON)), NOON)
  t.same(date.parse(date.iso(NOON, "-11:15")), NOON)
end)

t.case("text that is not a time is refused", function()
  for _, text in ipairs { "", "now", "2026", "2026-11", "26.11.2026", "2026-13-01", "2026-00-01", "2026-02-29", "2026-04-31",
    "2026-11-26T", "2026-11-26T25:00",
    "2026-11-26T24:01", "2026-11-26T12:60", "2026-11-26T12:00:61", "2026-11-26T12", "2026-11-26T12:00:00.Z", "2026-11-26T12:00+24:00",
    "2026-11-26T12:00 CET", "2026-11-26 Z", "2026-W54-1", "2025-W53-1", "2026-W00-1", "2026-366", "2026-000", " 2026-11-26",
      "2026-11-26 ", "2026-1-1" } do
    local seconds, err, code = date.parse(text)
    t.same({ seconds, code }, { nil, "not_a_time" }, text)
    t.match(err, "^%b\"\" is not a time: %u?")
  end
  t.match(select(2, date.parse "2026-02-29"), "February 2026 has no day 29")
  t.ok(#select(2, date.parse(("x"):rep(10000))) < 300)
end)

t.case("parse reads by a pattern", function()
  for _, case in ipairs {
    { "26.11.2026 14:03", "%d.%m.%Y %H:%M", "2026-11-26T14:03:00" }, { "11/26/26", "%D", "2026-11-26T00:00:00" },
    { "Thu, 26 Nov 2026 14:03:05 GMT", "%a, %d %b %Y %H:%M:%S %Z", "2026-11-26T14:03:05" }, { "november 3, 1999", "%B %d, %Y",
      "1999-11-03T00:00:00" },
    { "2:05 pm 1.2.03", "%I:%M %p %d.%m.%y", "2003-02-01T14:05:00" }, { "12:00 AM 1.2.70", "%I:%M %p %e.%m.%y", "1970-02-01T00:00:00" },
    { "20261126140305", "%Y%m%d%H%M%S", "2026-11-26T14:03:05" }, { "1795694585", "%s", "2026-11-26T12:03:05" }, { "2026 330", "%Y %j",
      "2026-11-26T00:00:00" },
    { "14:03 26.11.2026 +0100", "%R %d.%m.%Y %z", "2026-11-26T13:03:00" }, { "2026-11", "%Y-%m", "2026-11-01T00:00:00" }, { "May 2026",
      "%b %Y", "2026-05-01T00:00:00" },
    { "100% 2026", "100%% %Y", "2026-01-01T00:00:00" }, { " 2026\t\n11", " %Y %m", "2026-11-01T00:00:00" }, { "2026-11-26T14:03:05.250",
      "%FT%T.%f", "2026-11-26T14:03:05" },
  } do t.same(date.format(assert(date.parse(case[1], case[2], "utc")), "%FT%T", "utc"), case[3], case[2]) end
  t.same(date.parse("2026-11-26 12:03:05.250", "%F %T.%L", "utc"), NOON)
  local noon = date.of(date.parse("12:00", "%H:%M"))
  t.same({ noon.year, noon.yday, noon.hour }, { date.of().year, date.of().yday, 12 }, "of today")
end)

t.case("text that does not fit a pattern is refused, with the place", function()
  for _, case in ipairs { { "26.11", "%d.%m.%Y", "at byte 6" }, { "26.11.2026 x", "%d.%m.%Y", "at byte 11" }, { "x", "%d", "at byte 1" },
    { "13:00 PM", "%I:%M %p", "no hour 13" },
    { "Foo 2026", "%b %Y", "at byte 1" }, { "31.2.2026", "%d.%m.%Y", "February 2026 has no day 31" }, { "1 2026", "%m/%Y", "at byte 2" },
    { "2026 366", "%Y %j", "2026 has no day 366" }, { "12:00 CET", "%H:%M %Z", "at byte 7" } } do
    local seconds, err, code = date.parse(case[1], case[2])
    t.same({ seconds, code }, { nil, "not_a_time" }, case[1])
    t.has(err, case[3])
  end
  t.raises(function() date.parse("x", "%Q") end, 'sys_date_test.*"%%Q" has no meaning in a pattern of time that is read')
end)

t.case("formatted times are parsed again", function()
  for _, pattern in ipairs { "%F %T", "%A, %d %B %Y %I:%M:%S %p", "%c", "%y%m%d%H%M%S", "%s", "%j %Y %T", "%D %r %z" } do
    for _, seconds in ipairs { 0, 1795694585, 951827696, 2000000000, 86399 } do
      t.same(date.parse(date.format(seconds, pattern, "+05:45"), pattern, "+05:45"), seconds, pattern)
    end
  end
end)

t.case("how far away, in words", function()
  for difference, words in pairs { [0] = "now", [0.4] = "now", [1] = "in 1 second", [59.4] = "in 59 seconds", [59.5] = "in 1 minute",
    [180] = "in 3 minutes",
    [3570] = "in 1 hour", [7200] = "in 2 hours", [84600] = "in 1 day", [86400 * 13] = "in 13 days", [86400 * 14] = "in 2 weeks",
      [86400 * 59] = "in 2 months",
    [86400 * 364] = "in 1 year", [86400 * 3652] = "in 10 years" } do
    t.same(date.relative(NOON + difference, NOON), words, difference)
    t.same(date.relative(NOON - difference, NOON), (words:gsub("^in (.*)$", "%1 ago")), -difference)
  end
  t.same(date.relative(time.now() + 3600 * 5 + 60), "in 5 hours")
end)

t.case("durations are read", function()
  for text, seconds in pairs { ["90"] = 90, ["90s"] = 90, ["1h30m"] = 5400, ["1.5h"] = 5400, ["1h 30m"] = 5400,
    [" 2 days, 3 hours "] = 183600, ["250ms"] = 0.25,
    ["PT1H30M"] = 5400, ["P1DT2H"] = 93600, ["P2W"] = 1209600, ["PT0.5S"] = 0.5, ["-5m"] = -300, ["+1w"] = 604800, ["1 min"] = 60,
      ["0"] = 0, ["1D"] = 86400 } do
    t.same(duration.parse(text), seconds, text)
  end
  for _, text in ipairs { "", "x", "1x", "h", "1m1h", "1h1h", "1h-1m", "--1", "P", "PT", "P1Y", "P1M", "1:30", "1e9", "inf",
    ("9"):rep(400) .. "d" } do
    t.same(code_of(duration.parse(text)), "not_a_duration", text)
  end
end)

t.case("durations are written", function()
  for seconds, text in pairs { [0] = "0s", [0.0004] = "0s", [0.25] = "250ms", [1] = "1s", [1.5] = "1.5s", [59.9996] = "1m", [61] = "1m1s",
    [5400] = "1h30m", [86410] = "1d10s",
    [93784.5] = "1d2h3m4.5s", [-90] = "-1m30s", [864000] = "10d" } do
    t.same(duration.format(seconds), text, seconds)
    if seconds ~= 0.0004 and seconds ~= 59.9996 then t.same(duration.parse(text) + 0.0, seconds + 0.0) end
  end
  t.same({ duration.format(93784, 2), duration.format(86410, 2), duration.format(1.5, 1), duration.format(0.25, 1) },
    { "1d2h", "1d", "1s", "250ms" })
end)

t.done()
