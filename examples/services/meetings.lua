--- Shows a notification before each meeting in the calendars of a folder, and opens the URL of the meeting when the
--- notification is clicked or KEYS are pressed.
--
-- The folder has to be granted: `perigee serve --grant ~/Calendars`. It holds iCalendar files (.ics), which calendar programs
-- export and vdirsyncer keeps up to date. lua/lib/sys/ics.lua says what of them is understood.

local app    = require "sys.app"
local date   = require "sys.date"
local fs     = require "sys.fs"
local hotkey = require "sys.hotkey"
local ics    = require "sys.ics"
local notify = require "sys.notify"
local path   = require "sys.path"
local store  = require "sys.store"
local task   = require "sys.task"
local text   = require "sys.text"
local time   = require "sys.time"

-- --- options ------------------------------------------------------------------------------------------

local FOLDER = path.expand "~/Calendars"
local BEFORE = 5 * 60         -- seconds
local KEYS = "ctrl+meta+m"    -- opens the meeting that goes on, or else the next one
local AHEAD = 24 * 3600       -- seconds that are planned; then it looks again
local QUIET = 1               -- seconds without a change until changed calendars are read: some programs change many at once
local RETRY = 30              -- seconds until a notification that could not be shown is tried again

local told = store.open "meetings"   -- "told": meetings whose notification was shown, and when they end


-- --- calendars ----------------------------------------------------------------------------------------

--- The calendars of all files. One that cannot be read is left out until it changes.
local function read_all(context)
  local calendars = {}
  for _, entry in ipairs(assert(fs.list(FOLDER))) do
    if path.extension(entry.name) == ".ics" then
      local bytes, err = fs.read(path.join(FOLDER, entry.name))
      local calendar
      if bytes then calendar, err = ics.decode(bytes) end
      calendars[#calendars + 1] = calendar
      for _, problem in ipairs(calendar and calendar.problems or { err }) do context.log(entry.name .. ": " .. problem) end
    end
  end
  return calendars
end


--- Meetings with a time, by their beginning.
local function meetings_of(calendars, from, to)
  local found = {}
  for _, calendar in ipairs(calendars) do
    for _, meeting in ipairs(calendar:between(from, to)) do
      if not meeting.all_day then found[#found + 1] = meeting end
    end
  end
  table.sort(found, function(a, b) return a.starts < b.starts end)
  return found
end


--- The URL of the call: what the calendar program has for it, or the first one in the text. From outside, so only https.
local function url_of(meeting)
  local has = meeting.properties
  for _, said in ipairs { has["X-GOOGLE-CONFERENCE"] or "", has.CONFERENCE or "", has.URL or "", meeting.location,
    meeting.description } do
    local url = said:match "https://[%w%-._~:/?#%[%]@!$&'()*+,;=%%]+"
    if url then return (url:gsub("[.,;:)%]]+$", "")) end
  end
end


-- --- showing ------------------------------------------------------------------------------------------

local function key_of(meeting) return ("%s %d"):format(meeting.uid, meeting.starts) end


local function was_told(meeting) return (told:get "told" or {})[key_of(meeting)] ~= nil end


--- Meetings that are over need not be remembered.
local function remember(meeting)
  assert(told:update("told", function(list)
    list = list or {}
    for key, ends in pairs(list) do
      if ends < time.now() - 3600 then list[key] = nil end
    end
    list[key_of(meeting)] = meeting.ends
    return list
  end))
end


local function open(meeting, context)
  local url = url_of(meeting)
  local ok, err
  if url then ok, err = app.open_url(url) end
  context.log(ok and "opened " .. url or err or meeting.summary .. " has no URL")
end


--- Did the desktop take the notification?
local function tell(meeting, context)
  local title = text.truncate(meeting.summary ~= "" and meeting.summary or "Meeting", 100)
  local what = { title = title, icon = "x-office-calendar", timeout = 0,   -- until the user has seen it
    text = ("%s, %s"):format(date.format(meeting.starts, "%H:%M"), date.relative(meeting.starts)) }
  if meeting.location ~= "" then what.text = what.text .. "\n" .. text.truncate(meeting.location, 200) end
  if url_of(meeting) then what.buttons = { "Open" } end
  local function answered(event)
    if event.what == "button" or event.what == "clicked" then open(meeting, context) end
  end
  local shown, err, code = notify.show(what, answered)
  if code == "not_supported" then   -- buttons
    what.buttons = nil
    shown, err = notify.show(what, answered)
  end
  context.log(shown and ("shown: %s, %s"):format(title, date.format(meeting.starts, "%H:%M")) or err)
  return shown ~= nil
end


local function start(context)
  local calendars = {}
  local planned   -- timer

  --- Shows what begins soon or has begun, and comes again for the next meeting. If the machine slept while one began, that is
  --- shown when the machine is awake, if it still goes on.
  local function plan()
    local held <close> = task.lock "meetings"
    if planned then planned:stop() end
    local now = time.now()
    local again = now + AHEAD
    for _, meeting in ipairs(meetings_of(calendars, now, again + BEFORE)) do
      if meeting.starts - BEFORE > now then
        again = math.min(again, meeting.starts - BEFORE)
      elseif not was_told(meeting) then
        if tell(meeting, context) then remember(meeting) else again = math.min(again, now + RETRY) end
      end
    end
    planned = time.at(again, function()
      planned = nil   -- it is this task, which must not stop itself
      plan()
    end)
  end

  local function open_current()
    local now = time.now()
    local current
    for _, meeting in ipairs(meetings_of(calendars, now, now + AHEAD)) do
      if not current or meeting.starts - BEFORE <= now then current = meeting end
    end
    if current then open(current, context) else context.log "there is no meeting within a day" end
  end

  local changed = assert(time.delayed(QUIET, function()
    calendars = read_all(context)
    plan()
  end))

  assert(fs.watch(FOLDER, nil, function() changed:start() end))
  assert(hotkey.bind(KEYS, open_current))
  calendars = read_all(context)   -- once they are watched, so that no change is missed
  plan()
end


-- --- examples -----------------------------------------------------------------------------------------

--- A meeting that begins in 400 seconds, if it is 1795700000 seconds since 1970.
local CALENDAR = table.concat({ "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", "SUMMARY:Stand-up", "DTSTART:20261126T134000Z",
  "DTEND:20261126T135500Z", "LOCATION:https://meet.example.com/standup", "END:VEVENT", "END:VCALENDAR" }, "\r\n")


---@type Service
return {
  description = "Shows a notification before each meeting, and opens its URL.",
  start       = start,

  examples = {
    { "shows a meeting, and opens its URL",
      events = { { "time.at 1795700100" }, { "notify.show", { what = "button", button = "Open" } } },
      given = { ["sys.fs.list"] = { { { name = "work.ics" } } }, ["sys.fs.read"] = CALENDAR, ["sys.app.open_url"] = true,
                ["sys.time.now"] = { 1795700000, 1795700100 } },
      did = { "fs.list", "fs.read", "time.now", "time.now", "notify.show buttons={Open}",
              "app.open_url https://meet.example.com/standup" } },
  },
}
