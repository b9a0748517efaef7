--- The observations of clients: each has a filter, a queue and a lifetime.

local engine  = require "sys.engine"
local owner   = require "owner"
local queues  = require "observing.queue"
local quoting = require "desktop.quoting"
local store   = require "observing.store"
local task    = require "sys.task"
local time    = require "sys.time"

local M = {}

M.MOST = 32            -- observations that run at the same time
M.QUEUE, M.QUEUE_MAX = 500, 5000
M.LIFE, M.LIFE_MAX = 600, 86400   -- seconds without a reader
local ENDED = 16       -- ended observations that are kept with their events
local TIDY = 1         -- seconds by which a lifetime may end later, at most

--- The events of each kind of observation. An observation reports all of these unless it names some.
M.KINDS = {
  windows       = { "window_opened", "window_closed", "window_titled", "window_focused", "window_moved", "window_changed" },
  applications  = { "application_opened", "application_activated", "application_exited" },
  elements      = { "element_added", "element_changed", "element_removed" },
  tree          = { "element_added", "element_removed" },
  attributes    = { "element_changed" },
  notifications = { "notification" },
}

--- Events that are only reported on request: menus and tooltips come and go all the time.
M.POPUPS = { "popup_opened", "popup_closed" }


---@class observing.Observation
---@field id integer
---@field what string
---@field events table<string, true>
---@field pid? integer         only events of this process
---@field started? integer
---@field window_id? integer   only events of this window
---@field words? string        only events of windows with these in their title or their application's name, in lower case
---@field selector? elements.Selector
---@field said? string         the selector as the caller gave it
---@field queue observing.Queue
---@field life number
---@field created number       time.now()
---@field read number          time.monotonic() of the last read
---@field watchers integer     subscriptions
---@field owner? string        owner.key(): whose it is
---@field script? boolean      it ends with the script of run_lua that created it
---@field ended? string        why it ended

---@param observation observing.Observation
---@return string
function M.name(observation) return ("observations/%d"):format(observation.id) end


---@param observation observing.Observation
---@return string
function M.uri(observation) return "perigee://" .. M.name(observation) end


---@return observing.Observation[]  of the running call's caller, oldest first, including those that ended
function M.list()
  local mine = {}
  for _, each in ipairs(store.all().list) do
    if owner.is_mine(each.owner) then mine[#mine + 1] = each end
  end
  return mine
end


---@return observing.Observation[]  of all callers
function M.running()
  local running = {}
  for _, each in ipairs(store.all().list) do
    if not each.ended then running[#running + 1] = each end
  end
  return running
end


--- Finds an observation by "observations/3", its URI, or its number.
---@param name string
---@return observing.Observation? observation
---@return string? err
---@return string? code
function M.find(name)
  local id = math.tointeger(tonumber(name:match "^perigee://observations/(%d+)$" or name:match "^observations/(%d+)$"
    or name:match "^%d+$"))
  for _, each in ipairs(M.list()) do
    if each.id == id then return each end
  end
  return nil, ("The observation %s does not exist. It was cancelled, ended long ago, or this engine was restarted. Call "
    .. "list_observations for those that there are."):format(name), "observation_not_found"
end


--- Reports to subscribers, and to tasks that wait, that there is something to read.
local function announce(observation)
  engine.updated(M.uri(observation))
  task.signal(M.uri(observation))
end


-- --- lifetimes ------------------------------------------------------------------------------

--- Forgets the oldest observations that ended.
local function forget(list)
  local ended = 0
  for i = #list, 1, -1 do
    if list[i].ended then
      ended = ended + 1
      if ended > ENDED then table.remove(list, i) end
    end
  end
end


--- Ends an observation. It reports nothing more; its events can still be read for a while.
---@param observation observing.Observation
---@param why string
function M.finish(observation, why)
  if observation.ended then return end
  observation.ended = why
  forget(store.all().list)
  announce(observation)
end


local function left(observation, now)
  return observation.watchers == 0 and observation.read + observation.life - now or math.huge
end


--- Ends observations that have not been read for too long.
---@return number seconds  until the next call may be needed
function M.tidy()
  local now, soonest = time.monotonic(), math.huge
  for _, each in ipairs(M.running()) do
    local seconds = left(each, now)
    if seconds <= 0 then
      M.finish(each, ("it had no reader for %g seconds"):format(each.life))
    else
      soonest = math.min(soonest, seconds)
    end
  end
  return soonest + TIDY
end


--- Adds an observation. `about`: the members of observing.Observation that describe its subject.
---@param about table
---@param most? integer  the number of events that it keeps
---@param life? number
---@return observing.Observation? observation
---@return string? err
---@return string? code
function M.add(about, most, life)
  M.tidy()
  local running, mine = M.running(), store.all()
  if #running >= M.MOST then
    local own
    for _, each in ipairs(running) do own = own or owner.is_mine(each.owner) and each end
    return nil, ("%d observations are running, which is the limit. %s."):format(#running, own
      and "Cancel one with cancel_observation, for example " .. M.name(own)
      or "They belong to other clients. Try again later"), "too_many_observations"
  end
  mine.last = mine.last + 1
  about.id, about.queue, about.life = mine.last, queues.new(most or M.QUEUE), life or M.LIFE
  about.owner = owner.key()
  about.created, about.read, about.watchers = time.now(), time.monotonic(), 0
  mine.list[#mine.list + 1] = about
  return about
end


---@param observation observing.Observation
function M.remove(observation)
  local list = store.all().list
  observation.ended = observation.ended or "it was cancelled"
  for i, each in ipairs(list) do
    if each == observation then
      table.remove(list, i)
      break
    end
  end
  announce(observation)
end


--- Lets scripts leave observations until the returned value is closed. They are removed after the last of the scripts that run
--- at the same time.
---@return table  a value to close
function M.of_scripts()
  local mine = store.all()
  mine.scripts = (mine.scripts or 0) + 1
  return setmetatable({}, { __close = function()
    mine.scripts = mine.scripts - 1
    if mine.scripts > 0 then return end
    for _, each in ipairs(table.move(mine.list, 1, #mine.list, 1, {})) do
      if each.script then M.remove(each) end
    end
  end })
end


-- --- filters --------------------------------------------------------------------------------

local function holds(outside, part)
  return quoting.either(outside, function(text) return text:lower():find(part, 1, true) ~= nil end)
end


---@param observation observing.Observation
---@param event observing.Event
local function is_for(observation, event)
  local window = event.window
  if not observation.events[event.event] then return false end
  if observation.pid and event.pid ~= observation.pid then return false end
  if observation.window_id and not (window and window.id == observation.window_id) then return false end
  local words, shown = observation.words, event.notification or {}
  return not words or holds(window and window.title or shown.title or "", words) or holds(event.was or "", words)
    or holds(event.app or shown.app or "", words)
end


--- Puts events into the queue of an observation, and notifies its subscribers.
---@param observation observing.Observation
---@param events observing.Event[]
function M.give(observation, events)
  for _, event in ipairs(events) do queues.push(observation.queue, event) end
  if #events > 0 then announce(observation) end
end


local function copy(event)
  local one = {}
  for key, value in pairs(event) do one[key] = value end
  return one
end


--- Gives each observation of windows, applications and notifications the events that it is for.
---@param events observing.Event[]
function M.share(events)
  for _, observation in ipairs(M.running()) do
    local mine = {}
    for _, event in ipairs(events) do
      if is_for(observation, event) then mine[#mine + 1] = copy(event) end
    end
    M.give(observation, mine)
  end
end


return M
