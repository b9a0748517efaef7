local date = require "sys.date"

--- of
local d = date.of(0, "utc")
print(d.year, d.month, d.day, d.wday, d.zone)   --> 1970	1	1	5	UTC

--- time
print(date.time({ year = 2026, month = 11, day = 26 }, "utc"))                --> 1795651200
print(date.time({ year = 2026, month = 13 }, "utc") == date.time({ year = 2027 }, "utc"))   --> true

--- add
local last = date.time({ year = 2026, month = 1, day = 31 }, "utc")
print(date.format(date.add(last, { months = 1 }, "utc"), "%Y-%m-%d", "utc"))   --> 2026-02-28

--- start_of
print(date.iso(date.start_of(1795651200 + 5000, "day", "utc")))   --> 2026-11-26T00:00:00.000Z

--- weekday
print(date.weekday(1795651200, "utc"))   --> 4	Thursday

--- days_between
print(date.days_between(1795651200, 1795651200 + 86400 * 3, "utc"))   --> 3

--- iso
print(date.iso(0, "+01:00"))   --> 1970-01-01T01:00:00.000+01:00

--- format
print(date.format(1795701785, "%A, %-d %B %Y, %H:%M", "utc"))   --> Thursday, 26 November 2026, 14:03

--- parse
print(date.parse "2026-11-26T14:03:05+01:00")                             --> 1795698185
print(date.parse("26.11.2026 14:03", "%d.%m.%Y %H:%M", "utc"))            --> 1795701780
print(select(3, date.parse "2026-02-30"))                                 --> not_a_time

--- relative
print(date.relative(180, 0), date.relative(0, 86400 * 2))   --> in 3 minutes	2 days ago
