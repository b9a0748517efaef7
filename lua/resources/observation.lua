--- An observation's events, for clients that subscribe to it.

local desk          = require "observing.desk"
local interfaces    = require "observing.interfaces"
local json          = require "sys.json"
local notifications = require "observing.notifications"
local observations  = require "observing.observations"
local reading       = require "observing.reading"
local telling       = require "observing.telling"
local time          = require "sys.time"

local LIMIT = 1000   -- the number of events of one reading


---@type Resource
return {
  uriTemplate = "perigee://observations/{id}{?after}",
  title       = "Observed events",
  description = "The events of an observation that create_observation began, oldest first; with after only those with a higher "
             .. "number. Subscribers of perigee://observations/N are told when there are new ones.",
  mimeType    = "application/json",
  from        = "screen",

  read = function(_, params)
    local observation, err = observations.find(params.id)
    if not observation then return nil, err, "not_found" end
    local page = reading.read(observation, math.tointeger(tonumber(params.after)) or 0, LIMIT)
    if #page.events == 0 then interfaces.check(observation) end
    local about, events = telling.about(observation), json.array {}
    for i, event in ipairs(page.events) do events[i] = telling.facts(event) end
    return { observation = about, events = events, next = page.next, missed = page.missed, more = page.more }
  end,

  -- It runs while a client is subscribed: meanwhile the observation goes on even if it is not read. It starts again when files
  -- are reloaded, and the new code goes on with the same observation.
  watch = function(_, params)
    local observation, err = observations.find(params.id)
    if not observation then return nil, err, "not_found" end
    local held <close> = reading.hold(observation)
    desk.renew()
    interfaces.renew()
    notifications.renew()
    while not observation.ended do time.sleep(86400) end
  end,

  examples = {
    { "has what get_observation returns", uri = "perigee://observations/3?after=1",
      given = { ["observing.store.all"] = { last = 3, list = { { id = 3, what = "windows", events = {}, watchers = 0, life = 600,
        read = 0, created = 0, ended = "it was cancelled", queue = { most = 9, first = 1, last = 2, by_number = {
          [2] = { number = 2, event = "application_exited", at = 0, pid = 7, started = 70, app = "Editor" } } } } } } },
      want  = { next = 2, missed = 0, events = { { event = "application_exited", application = "applications/7" } } } },
    { "one that does not exist", uri = "perigee://observations/9", err = "The observation 9 does not exist.",
      code = "not_found" },
  },
}
