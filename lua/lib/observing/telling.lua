--- Observations as the tools report them: as structured facts and as lines of text.

local effect       = require "sys.effect"
local inputs       = require "desktop.inputs"
local interfaces   = require "observing.interfaces"
local json         = require "sys.json"
local listable     = require "desktop.listable"
local names        = require "desktop.names"
local observations = require "observing.observations"
local quoting      = require "desktop.quoting"
local s            = require "schema"
local selectors    = require "elements.find.selector"
local time         = require "sys.time"
local windows      = require "desktop.windows"
local words        = require "elements.read.words"

local M = {}

local APP_MAX, TEXT_MAX = 60, 1000   -- characters
local LINE_MAX = 200                 -- characters of text in a line


-- --- one event --------------------------------------------------------------------------------

M.event_schema = s.object {
  { "number", s.integer "Counts up by one." },
  { "event", s.string "window_opened, element_changed, ..." },
  { "time", s.string "In UTC." },
  { "application", s.string("Resource name.", { optional = true }) },
  { "app", s.string("Of windows and applications: the application's name.", { optional = true }) },
  { "window", s.string("Resource name.", { optional = true }) },
  { "title", s.string("Of the window, as it is or was last, or of the notification.", { optional = true }) },
  { "was", s.string("window_titled: the title before.", { optional = true }) },
  { "kind", s.string("Of the window: normal, dialog, ...", { optional = true }) },
  { "states", s.array(s.string(), "window_changed: current states.", { optional = true }) },
  { "bounds", windows.rect_schema("window_moved: where it is, in points.", { optional = true }) },
  { "ref", s.string("Of the element.", { optional = true }) },
  { "role", s.string(nil, { optional = true }) },
  { "name", s.string("Of the element.", { optional = true }) },
  { "value", s.string("Of the element, at most 200 characters.", { optional = true }) },
  { "changed", s.array(s.string(), "element_changed: name, value, and states that were set or lost.", { optional = true }) },
  { "set", s.array(s.string(), "Those of them that are states and set now.", { optional = true }) },
  { "lost", s.array(s.string(), "Those of them that are states and no longer set.", { optional = true }) },
  { "items", s.integer("How many came or went with the element.", { optional = true }) },
  { "from", s.string("notification: what the program calls itself.", { optional = true }) },
  { "text", s.string("notification: at most 1000 characters.", { optional = true }) },
}


local function app_name(text) return quoting.name(text, APP_MAX) end


local function window_facts(facts, event)
  local window = event.window
  facts.window, facts.kind = names.window(window), window.kind
  facts.title, facts.was = quoting.plain(window.title), quoting.maybe(event.was)
  if event.event == "window_changed" then facts.states = windows.states(window) end
  if event.event == "window_moved" then facts.bounds = window.frame end
end


local function element_facts(facts, event)
  local it = event.element
  facts.ref, facts.role, facts.name, facts.value, facts.items = it.ref, it.role, it.name, it.value, it.items
  for _, member in ipairs { "changed", "set", "lost" } do facts[member] = it[member] and json.array(it[member]) end
  if it.window then facts.window = names.window { pid = event.pid, started = event.started, id = it.window } end
end


local function short(text, most) return text ~= "" and words.quote(text, most):sub(2, -2) or nil end

local function notification_facts(facts, shown)
  facts.from, facts.title, facts.text = short(shown.app, APP_MAX), short(shown.title, TEXT_MAX), short(shown.text, TEXT_MAX)
end


--- True if the policy lets the caller see what the event is about: an observation may be read by others than its creator.
---@param event observing.Event
---@return boolean
local function may_be_told(event)
  if event.notification then return effect.shows "create_observation" end
  if event.element then return effect.shows("find_elements", event) end
  return event.window and listable.window(event.window) or not event.window and listable.application(event)
end


---@param event observing.Event
---@return table
function M.facts(event)
  if not may_be_told(event) then return { number = event.number, event = event.event, time = inputs.utc(event.at) } end
  local facts = { number = event.number, event = event.event, time = inputs.utc(event.at),
    application = event.pid and event.pid > 0 and names.application(event) or nil, app = quoting.maybe(event.app) }
  if event.window then window_facts(facts, event) end
  if event.element then element_facts(facts, event) end
  if event.notification then notification_facts(facts, event.notification) end
  return facts
end


local MORE = {
  window_titled = function(event) return ", was " .. windows.quote(event.was or "") end,
  window_moved = function(event) return ", " .. windows.rect(event.window.frame) end,
  window_changed = function(event)
    local states = windows.states(event.window)
    return ", " .. (#states > 0 and table.concat(states, ", ") or "no special state")
  end,
}


local function notification_said(shown)
  local from, text = shown.app ~= "" and app_name(shown.app), shown.text ~= "" and " " .. words.quote(shown.text, LINE_MAX) or ""
  return ("notification %s%s%s"):format(words.quote(shown.title, LINE_MAX), text, from and (" (%s)"):format(from) or "")
end


--- `window_opened applications/7/windows/4 "Open" (Editor), dialog`
---@param event observing.Event
---@return string
function M.said(event)
  if not may_be_told(event) then return event.event .. ", which the policy does not let you see" end
  if event.element then return ("%s %s"):format(event.event, event.element.line) end
  if event.notification then return notification_said(event.notification) end
  local window = event.window
  if not window then return ("%s %s (%s)"):format(event.event, names.application(event), app_name(event.app or "")) end
  local more = MORE[event.event]
  return ("%s %s %s (%s)%s%s"):format(event.event, names.window(window), windows.quote(window.title), app_name(window.app),
    window.kind ~= "normal" and ", " .. window.kind or "", more and more(event) or "")
end


---@param event observing.Event
---@return string
function M.line(event)
  return ("%d  %s  %s"):format(event.number, inputs.utc(event.at):sub(12, 19), M.said(event))
end


-- --- one observation ----------------------------------------------------------------------------

M.schema = s.object({
  { "name", s.string "Resource name: observations/N." },
  { "uri", s.string "Resource to subscribe to." },
  { "what", s.string() },
  { "events", s.array(s.string(), "What it tells.") },
  { "application", s.string("Resource name.", { optional = true }) },
  { "window", s.string("Resource name, or words.", { optional = true }) },
  { "element", s.string("Selector.", { optional = true }) },
  { "running", s.boolean() },
  { "ended", s.string("Why it does not run any more.", { optional = true }) },
  { "unread", s.string("Since when and why the application cannot be read now.", { optional = true }) },
  { "total", s.integer "Events so far." },
  { "kept", s.integer "Events that can be read." },
  { "created", s.string "In UTC." },
  { "ends_in", s.number("Seconds until it ends, unless it is read; absent while a client is subscribed.", { optional = true }) },
}, "An observation.")


local function sorted(set)
  local list = json.array {}
  for name in pairs(set) do list[#list + 1] = name end
  table.sort(list)
  return list
end


--- The time and reason since when it cannot be read: "since 12:00:01: the application does not respond"; nil: it can be read.
---@param observation observing.Observation
---@return string?
function M.unread(observation)
  local unread = interfaces.unread(observation)
  return unread and ("since %s: %s"):format(inputs.utc(unread.since):sub(12, 19), quoting.plain(unread.why)) or nil
end


---@param observation observing.Observation
---@return table
function M.about(observation)
  local queue, running = observation.queue, not observation.ended
  local left = observation.read + observation.life - time.monotonic()
  return {
    name = observations.name(observation), uri = observations.uri(observation), what = observation.what,
    events = sorted(observation.events), application = observation.pid and names.application(observation) or nil,
    window = observation.window_id and names.window { pid = observation.pid, started = observation.started,
      id = observation.window_id } or observation.words,
    element = observation.said, running = running, ended = observation.ended, unread = M.unread(observation), total = queue.last,
    kept = queue.last - queue.first + 1, created = inputs.utc(observation.created),
    ends_in = running and observation.watchers == 0 and math.max(0, math.floor(left)) or nil,
  }
end


--- "observations/3: elements of applications/7, button "Save": 4 events, running"
---@param observation observing.Observation
---@return string
function M.about_line(observation)
  local about = M.about(observation)
  local of = about.window or about.application
  return ("%s: %s%s%s: %d event%s, %s"):format(about.name, about.what,
    of and " of " .. (observation.words and windows.quote(of) or of) or "",
    observation.selector and ", " .. selectors.describe(observation.selector) or "", about.total, about.total == 1 and "" or "s",
    about.running and (about.unread and "cannot be read " .. about.unread or "running") or "ended: " .. about.ended)
end


return M
