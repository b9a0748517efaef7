local ics = require "sys.ics"

--- decode
local calendar = assert(ics.decode [[
BEGIN:VCALENDAR
BEGIN:VEVENT
SUMMARY:Standup
DTSTART:20260105T090000Z
DURATION:PT15M
RRULE:FREQ=WEEKLY;BYDAY=MO,TH
END:VEVENT
END:VCALENDAR
]])
local date = require "sys.date"
for _, meeting in ipairs(calendar:between(date.parse "2026-11-23T00:00:00Z", date.parse "2026-11-29T00:00:00Z")) do
  print(date.format(meeting.starts, "%A, %H:%M", "utc"), meeting.summary)   --> Monday, 09:00	Standup
end
--> Thursday, 09:00	Standup
