#!/usr/bin/env tests/lua/run
--- sys.ics: calendars, with time zones that their files describe, and events that are repeated.
local date = require "sys.date"
local ics  = require "sys.ics"
local t    = require "check"

local BERLIN = [[
BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:CEST
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:CET
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE
]]

--- As Outlook writes it: under a name of its own, and from the year 1601 on.
local EASTERN = [[
BEGIN:VTIMEZONE
TZID:Eastern Standard Time
BEGIN:STANDARD
DTSTART:16010101T020000
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
]]

local function wrapped(inner) return ("BEGIN:VCALENDAR\nVERSION:2.0\n%sEND:VCALENDAR\n"):format(inner):gsub("\n", "\r\n") end

local function event(lines) return ("BEGIN:VEVENT\n%s\nEND:VEVENT\n"):format(lines) end

local function moment(text) return assert(date.parse(text)) end

--- The times of what takes place, in UTC.
local function times(calendar, from, to)
  local found = {}
  for i, each in ipairs(calendar:between(moment(from), moment(to))) do
    found[i] = date.format(each.starts, "%Y-%m-%d %H:%M", "utc")
  end
  return found
end

local function calendar_of(lines, zones)
  local calendar = assert(ics.decode((wrapped((zones or "") .. event(lines)))))
  t.same(calendar.problems, {})
  return calendar
end

t.case("an event with all that it says", function()
  local calendar = calendar_of [[
UID:1@example.com
DTSTART:20261126T140000Z
DTEND:20261126T150000Z
SUMMARY:Design\, and
  a review
LOCATION:Room 1\nor https://meet.example.com/abc
URL;VALUE=URI:https://example.com/x
ATTENDEE;CN="Müller: Anna; Dr.";ROLE=CHAIR:mailto:anna@example.com
BEGIN:VALARM
DESCRIPTION:not the event's
TRIGGER:-PT10M
END:VALARM]]
  local one = calendar:between(moment "2026-11-26T14:30:00Z", moment "2026-11-26T14:31:00Z")[1]
  t.same({ one.uid, one.summary, one.description, one.all_day, one.repeats },
    { "1@example.com", "Design, and a review", "", false, false })
  t.same({ one.starts, one.ends - one.starts }, { moment "2026-11-26T14:00:00Z", 3600 })
  t.same(one.location, "Room 1\nor https://meet.example.com/abc")
  t.same({ one.properties.URL, one.properties.ATTENDEE }, { "https://example.com/x", "mailto:anna@example.com" })
end)

t.case("an event that is over or has not begun is left out", function()
  local calendar = calendar_of "UID:1\nDTSTART:20261126T140000Z\nDURATION:PT1H30M"
  t.same(#calendar:between(moment "2026-11-26T15:30:00Z", moment "2026-11-27T00:00:00Z"), 0)
  t.same(#calendar:between(moment "2026-11-26T15:29:59Z", moment "2026-11-27T00:00:00Z"), 1)
  t.same(#calendar:between(moment "2026-11-26T00:00:00Z", moment "2026-11-26T14:00:00Z"), 0)
end)

t.case("the clock of a zone that the file describes", function()
  local winter = calendar_of("UID:1\nDTSTART;TZID=Europe/Berlin:20260115T090000", BERLIN)
  t.same(times(winter, "2026-01-01", "2026-02-01"), { "2026-01-15 08:00" })
  local summer = calendar_of("UID:1\nDTSTART;TZID=Europe/Berlin:20260715T090000", BERLIN)
  t.same(times(summer, "2026-07-01", "2026-08-01"), { "2026-07-15 07:00" })
  local outlook = calendar_of("UID:1\nDTSTART;TZID=\"Eastern Standard Time\":20260715T090000", EASTERN)
  t.same(times(outlook, "2026-07-01", "2026-08-01"), { "2026-07-15 13:00" })
  outlook = calendar_of("UID:1\nDTSTART;TZID=Eastern Standard Time:20261201T090000", EASTERN)
  t.same(times(outlook, "2026-12-01", "2027-01-01"), { "2026-12-01 14:00" })
end)

t.case("a zone that nothing describes, and times without one, are local, and the first is a problem", function()
  local calendar = assert(ics.decode(wrapped(event "UID:1\nDTSTART;TZID=Mars/Olympus:20260715T090000")))
  t.same(#calendar.problems, 1)
  t.has(calendar.problems[1], 'the time zone "Mars/Olympus" is not described')
  local floating = calendar_of "UID:1\nDTSTART:20260715T090000"
  local nine = date.time { year = 2026, month = 7, day = 15, hour = 9 }
  for _, each in ipairs { calendar, floating } do t.same(each:between(nine, nine + 1)[1].starts, nine) end
end)

t.case("a day without a time", function()
  local calendar = calendar_of "UID:1\nDTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20261227"
  local first = date.time { year = 2026, month = 12, day = 24 }
  local one = calendar:between(first, first + 1)[1]
  t.same({ one.all_day, one.starts, one.ends }, { true, first, date.time { year = 2026, month = 12, day = 27 } })
end)

t.case("weekly, at the same time of the clock in winter and in summer", function()
  local calendar = calendar_of("UID:1\nDTSTART;TZID=Europe/Berlin:20260316T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO,WE", BERLIN)
  t.same(times(calendar, "2026-03-23T00:00:00Z", "2026-04-02T00:00:00Z"),
    { "2026-03-23 08:00", "2026-03-25 08:00", "2026-03-30 07:00", "2026-04-01 07:00" })
end)

t.case("every second week, whose first day counts", function()
  local rule = "UID:1\nDTSTART:20260104T100000Z\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=%s"
  t.same(times(calendar_of(rule:format "MO"), "2026-01-04T00:00:00Z", "2026-01-20T00:00:00Z"),
    { "2026-01-04 10:00", "2026-01-12 10:00", "2026-01-18 10:00" })
  t.same(times(calendar_of(rule:format "SU"), "2026-01-04T00:00:00Z", "2026-01-20T00:00:00Z"),
    { "2026-01-04 10:00", "2026-01-05 10:00", "2026-01-18 10:00", "2026-01-19 10:00" })
end)

t.case("daily, so many times or until a time", function()
  local three = calendar_of "UID:1\nDTSTART:20260101T100000Z\nRRULE:FREQ=DAILY;INTERVAL=3;COUNT=3"
  t.same(times(three, "2026-01-02T00:00:00Z", "2027-01-01T00:00:00Z"), { "2026-01-04 10:00", "2026-01-07 10:00" })
  local until_then = calendar_of "UID:1\nDTSTART:20260101T100000Z\nRRULE:FREQ=DAILY;UNTIL=20260103T100000Z"
  t.same(#times(until_then, "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"), 3)
  local until_day = calendar_of("UID:1\nDTSTART;TZID=Europe/Berlin:20260101T100000\nRRULE:FREQ=DAILY;UNTIL=20260103", BERLIN)
  t.same(#times(until_day, "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"), 3)
  local workdays = calendar_of "UID:1\nDTSTART:20260102T100000Z\nRRULE:FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR"
  t.same(times(workdays, "2026-01-02T00:00:00Z", "2026-01-06T00:00:00Z"), { "2026-01-02 10:00", "2026-01-05 10:00" })
end)

t.case("dates that are left out or come in addition", function()
  local calendar = calendar_of(table.concat({ "UID:1", "DTSTART;TZID=Europe/Berlin:20260105T090000", "RRULE:FREQ=DAILY;COUNT=4",
    "EXDATE;TZID=Europe/Berlin:20260106T090000,20260107T090000", "RDATE;TZID=Europe/Berlin:20260109T120000" }, "\n"), BERLIN)
  t.same(times(calendar, "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"),
    { "2026-01-05 08:00", "2026-01-08 08:00", "2026-01-09 11:00" })
end)

t.case("single ones that are moved or canceled", function()
  local series = event "UID:a\nSUMMARY:Standup\nDTSTART:20260105T090000Z\nDTEND:20260105T091500Z\nRRULE:FREQ=DAILY;COUNT=4"
  local moved = event "UID:a\nSUMMARY:Standup, late\nRECURRENCE-ID:20260106T090000Z\nDTSTART:20260106T160000Z"
  local canceled = event "UID:a\nRECURRENCE-ID:20260107T090000Z\nDTSTART:20260107T090000Z\nSTATUS:CANCELLED"
  local other = event "UID:b\nRECURRENCE-ID:20260108T090000Z\nDTSTART:20260120T090000Z"
  local calendar = assert(ics.decode(wrapped(moved .. series .. canceled .. other)))
  t.same(times(calendar, "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"),
    { "2026-01-05 09:00", "2026-01-06 16:00", "2026-01-08 09:00", "2026-01-20 09:00" })
end)

t.case("rules that are not understood are problems, and their first time counts", function()
  for rule, why in pairs {
    ["FREQ=MONTHLY;BYMONTHDAY=3"] = "BYMONTHDAY", ["FREQ=YEARLY"] = "FREQ=YEARLY", ["FREQ=WEEKLY;BYDAY=1MO"] = "BYDAY=1MO",
    ["FREQ=DAILY;COUNT=x"] = "COUNT=X", ["FREQ=DAILY;UNTIL=soon"] = "UNTIL=SOON", ["FREQ=DAILY;INTERVAL=0"] = "INTERVAL=0",
  } do
    local calendar = assert(ics.decode(wrapped(event("UID:1\nSUMMARY:Rent\nDTSTART:20260103T100000Z\nRRULE:" .. rule))))
    t.has(calendar.problems[1], "Rent: only its first time is used, because of ")
    t.has(calendar.problems[1], why)
    t.same(#times(calendar, "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"), 1)
  end
end)

t.case("an event that does not say when it begins", function()
  for _, start in ipairs { "X:1", "DTSTART:20260230T100000Z", "DTSTART:tomorrow" } do
    local calendar = assert(ics.decode(wrapped(event("UID:1\nSUMMARY:Lunch\n" .. start))))
    t.same(calendar.problems, { "Lunch: it does not say when it begins" })
    t.same(#calendar:between(0, 4e9), 0)
  end
end)

t.case("text that is not a calendar is refused", function()
  for text, why in pairs {
    [""] = "there is no component", ["<html>"] = "line 1 is not a property",
    ["BEGIN:VCALENDAR\nBEGIN:VEVENT\n"] = "VEVENT has no end", ["BEGIN:VCALENDAR\nEND:VEVENT\n"] = "line 2 ends VEVENT",
    ["BEGIN:VCALENDAR\nX:M\xfcller\nEND:VCALENDAR\n"] = "it is not UTF-8", ["BEGIN:VCALENDAR\0"] = "it is not UTF-8",
    [("BEGIN:X\n"):rep(50)] = "line 9: more than 8 components",
  } do
    local calendar, err, code = ics.decode(text)
    t.same({ calendar, code }, { nil, "not_ics" })
    t.has(err, why)
  end
end)

t.case("a large calendar, of one that began long ago", function()
  local lines = { event "UID:old\nDTSTART:19900101T090000Z\nRRULE:FREQ=DAILY;COUNT=20000" }
  for i = 1, 3000 do lines[#lines + 1] = event(("UID:%d\nDTSTART:20260101T%02d0000Z"):format(i, i % 24)) end
  local calendar = assert(ics.decode(wrapped(table.concat(lines))))
  t.same(#calendar:between(moment "2026-01-01T00:00:00Z", moment "2026-01-02T00:00:00Z"), 3001)
end)

t.done()
