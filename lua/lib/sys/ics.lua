--- sys.ics: calendars as text: iCalendar files (RFC 5545), which all calendar programs export and subscribe to.
--
--     local date = require "sys.date"
--     local fs   = require "sys.fs"
--     local ics  = require "sys.ics"
--     local time = require "sys.time"
--
--     local calendar = assert(ics.decode(assert(fs.read "work.ics")))
--     for _, meeting in ipairs(calendar:between(time.now(), time.now() + 86400)) do
--       print(date.format(meeting.starts, "%H:%M"), meeting.summary)
--     end
--
-- Times are in UTC, in a zone that the file describes (VTIMEZONE), or those of this machine's clock. Events can repeat daily or
-- weekly: every INTERVAL, on some weekdays, COUNT times or UNTIL a time, without some dates (EXDATE) or with more (RDATE).
-- Single ones can be moved or canceled (RECURRENCE-ID). An event with another rule, monthly or yearly, takes place only the
-- first time, and `problems` names it.

local content    = require "ics.content"
local moments    = require "ics.moments"
local recurrence = require "ics.recurrence"
local zone       = require "ics.zone"
local zones      = require "date.zones"

local M = {}

local HERE = zones.read "local"
local UTC = zones.read "utc"

---@class sys.ics.Event
---@field uid string
---@field summary string
---@field location string
---@field description string
---@field starts integer      seconds since 1970
---@field ends integer        the same as starts if the file has neither an end nor a duration
---@field all_day boolean     true if it has days instead of times
---@field repeats boolean     true if it is one of several
---@field properties table<string, string>  all of its properties, by their names in capital letters: URL, STATUS, ORGANIZER, ...

---@class sys.ics.Calendar
---@field problems string[]   the parts of the file that were not understood
---@field private events table[]
local Calendar = {}
Calendar.__index = Calendar
Calendar.__name = "sys.ics.Calendar"


-- --- reading ------------------------------------------------------------------------------------------

local function problem(self, ...) self.problems[#self.problems + 1] = string.format(...) end


--- Returns the moment of a property, its zone, and the clock time there.
local function moment_of(self, property, value)
  local shown, utc, whole = moments.shown(value or property.value)
  if not shown then return nil end
  local name, clock = property.params.TZID, HERE
  if utc then
    clock = UTC
  elseif name and not whole then
    clock = self.zones[name]
    if not clock then
      if clock == nil then problem(self, "the time zone %q is not described here: its times are taken as local times", name) end
      self.zones[name], clock = false, HERE
    end
  end
  return { at = zones.moment(shown, clock), shown = shown, zone = clock, whole = whole }
end


local function length_of(self, component, start)
  local ends, lasts = content.first(component, "DTEND"), content.first(component, "DURATION")
  local stop = ends and moment_of(self, ends)
  if stop then return math.max(stop.at - start.at, 0) end
  local seconds = lasts and moments.duration(lasts.value)
  return math.max(seconds or start.whole and 86400 or 0, 0)
end


--- Returns the moments at which the event does not take place or, for RDATE, also takes place.
local function dates_of(self, component, name)
  local dates = {}
  for _, property in ipairs(component.properties) do
    if property.name == name then
      for value in property.value:gmatch "[^,]+" do
        local date = moment_of(self, property, value)
        if date then dates[#dates + 1] = date.at end
      end
    end
  end
  return dates
end


local function event_of(self, component)
  local property = content.first(component, "DTSTART")
  local start = property and moment_of(self, property)
  local fields = {}
  for _, each in ipairs(component.properties) do fields[each.name] = fields[each.name] or content.plain(each.value) end
  if not start then return problem(self, "%s: it does not say when it begins", fields.SUMMARY or fields.UID or "?") end
  local event = { fields = fields, start = start, length = length_of(self, component, start), without = {} }
  for _, at in ipairs(dates_of(self, component, "EXDATE")) do event.without[at] = true end
  event.also = dates_of(self, component, "RDATE")
  local stands_for = content.first(component, "RECURRENCE-ID")
  event.stands_for = stands_for and (moment_of(self, stands_for) or {}).at
  if fields.RRULE and not event.stands_for then
    local rule, err = recurrence.read(fields.RRULE, start.shown, start.zone)
    event.rule = rule
    if not rule then problem(self, "%s: only its first time is used, because of %s", fields.SUMMARY or fields.UID, err) end
  end
  return event
end


--- Puts each event that replaces one time of a series in its place.
local function replace(self)
  local series = {}
  for _, event in ipairs(self.events) do
    if not event.stands_for then series[event.fields.UID or ""] = event end
  end
  for _, event in ipairs(self.events) do
    local whole = event.stands_for and series[event.fields.UID or ""]
    if whole then whole.without[event.stands_for] = true end
  end
end


--- Reads a calendar, the content of an .ics file.
---@param text string
---@return sys.ics.Calendar? calendar
---@return string? err
---@return string? code  "not_ics"
function M.decode(text)
  local components, err = content.components(text)
  if components and not components[1] then err = "there is no component in it" end
  if err then return nil, "the text is not an iCalendar file: " .. err, "not_ics" end
  local self = setmetatable({ problems = {}, events = {}, zones = {} }, Calendar)
  local found = {}
  for _, calendar in ipairs(components) do
    for _, part in ipairs(calendar.parts) do
      if part.name == "VTIMEZONE" then
        local name = content.first(part, "TZID")
        if name then self.zones[name.value] = zone.of(part) end
      elseif part.name == "VEVENT" then
        found[#found + 1] = part
      end
    end
  end
  for _, part in ipairs(found) do self.events[#self.events + 1] = event_of(self, part) end
  replace(self)
  return self
end


-- --- asking -------------------------------------------------------------------------------------------

local function shown_of(event, at)
  local fields = event.fields
  return { uid = fields.UID or "", summary = fields.SUMMARY or "", location = fields.LOCATION or "",
    description = fields.DESCRIPTION or "", starts = at, ends = at + event.length, all_day = event.start.whole,
    repeats = event.rule ~= nil or event.stands_for ~= nil or #event.also > 0, properties = fields }
end


--- Returns the events that take place between two times, even partly, by their beginnings. Canceled events are left out.
---@param from number  seconds since 1970
---@param to number    the end: before this time
---@return sys.ics.Event[]
function Calendar:between(from, to)
  local found = {}
  from, to = math.ceil(from), math.ceil(to)
  for _, event in ipairs(self.events) do
    local seen = {}
    local function add(at)
      local ends = math.max(at + event.length, at + 1)
      if at >= to or ends <= from or event.without[at] or seen[at] then return end
      seen[at] = true
      found[#found + 1] = shown_of(event, at)
    end
    if event.fields.STATUS ~= "CANCELLED" then
      if event.rule then
        recurrence.each(event.rule, event.start.shown, event.start.zone, from - event.length, to, add)
      else
        add(event.start.at)
      end
      for _, at in ipairs(event.also) do add(at) end
    end
  end
  table.sort(found, function(a, b)
    if a.starts ~= b.starts then return a.starts < b.starts end
    return a.summary < b.summary
  end)
  return found
end


return M
