--- Watches the interfaces of applications while anyone observes them. It looks again when an application reports an event, and
-- finds the changes by comparing. It sleeps while nothing happens.

local app          = require "sys.app"
local changes      = require "observing.changes"
local diff         = require "elements.read.diff"
local element      = require "sys.element"
local engine       = require "sys.engine"
local observations = require "observing.observations"
local snapshots    = require "elements.read.snapshot"
local state        = require "sys.state"
local task         = require "sys.task"
local time         = require "sys.time"

local M = {}

M.MOST = 8             -- applications at the same time

local STRETCH = 60     -- seconds of one wait
local SETTLE = 0.06    -- seconds between an event and the look, in which more events come
local SHARE = 4        -- looks take at most one of so many parts of the time
local IN_VAIN = 2      -- seconds between looks at an application that reports events but shows no change, at most
local FORGOTTEN = 5    -- seconds without a look, after which events are no longer caused by looks
local LOOK = 5         -- seconds of a look
local CHECK = 2        -- seconds for an answer of an application that reports no events
local AGAIN = 2        -- seconds until the next attempt after a failure


---@class observing.Interface
---@field pid integer
---@field started integer
---@field snapshot elements.Snapshot  the newest look
---@field dirty boolean               it has reported an event since
---@field looking boolean
---@field in_vain integer             looks in a row that showed no change
---@field looked number               time.monotonic() of the last look
---@field unread? {since: number, why: string}  it cannot be read now: since when, a time of time.now(), and why

---@class observing.Ear
---@field watch? sys.task.Apart
---@field generation? integer
---@field since? integer
---@field count? integer              the number of applications at its start

local function mine()
  local all = state.open "observing"
  all.interfaces, all.ear = all.interfaces or {}, all.ear or {}
  return all
end


local ABOUT = { elements = true, tree = true, attributes = true }

--- The observations of an application's interface.
local function of(pid)
  local list = {}
  for _, each in ipairs(observations.running()) do
    if ABOUT[each.what] and each.pid == pid then list[#list + 1] = each end
  end
  return list
end


--- Forgets interfaces that are no longer observed. False: none are left.
local function needed(interfaces)
  for pid in pairs(interfaces) do
    if #of(pid) == 0 then interfaces[pid] = nil end
  end
  return next(interfaces) ~= nil
end


-- --- looking --------------------------------------------------------------------------------

local function finish(interface)
  for _, each in ipairs(of(interface.pid)) do observations.finish(each, "the application exited") end
  mine().interfaces[interface.pid] = nil
end


local function has_exited(interface)
  local found, _, code = app.get { pid = interface.pid, started = interface.started }
  return not found and code == "app_not_found"
end


local function note_unread(interface, why)
  interface.unread = { since = interface.unread and interface.unread.since or time.now(), why = why }
end


--- Looks, and reports the differences.
---@return boolean? changed  nil: it could not be read
local function look(interface)
  local after, err = snapshots.take { pid = interface.pid, started = interface.started, timeout = LOOK, unasked = true }
  if not after then
    note_unread(interface, err)
    return nil
  end
  interface.unread = nil
  local before = interface.snapshot
  interface.snapshot = after
  local list = diff.changes(before, after, true)
  if #list == 0 then return false end
  for _, each in ipairs(of(interface.pid)) do observations.give(each, changes.events(each, before, after, list)) end
  return true
end


--- Looks until no event has come since the last look: an event during a look causes another look. Some applications report
--- events because they are looked at, some of these only after the look. So looks that see no change become rare, also from one
--- wake() to the next.
local function keep_up(interface)
  if time.monotonic() - (interface.looked or 0) > FORGOTTEN then interface.in_vain = 0 end   -- older code has set none
  while interface.dirty and #of(interface.pid) > 0 do
    interface.dirty = false
    time.sleep(SETTLE)
    local began = time.monotonic()
    local changed = look(interface)
    if changed == nil then
      if has_exited(interface) then return finish(interface) end
      interface.dirty = true
      time.sleep(AGAIN)
    else
      local in_vain, now = changed and 0 or interface.in_vain + 1, time.monotonic()
      interface.in_vain, interface.looked = in_vain, now
      time.sleep(math.max((now - began) * SHARE, in_vain > 1 and math.min(IN_VAIN, SETTLE * 2 ^ in_vain) or 0))
    end
  end
end


local function wake(interface)
  interface.dirty = true
  if interface.looking then return end
  interface.looking = true
  task.apart("observing an interface", function()
    local ok, err = pcall(keep_up, interface)
    interface.looking = false
    if not ok then error(err, 0) end
  end)
end


--- Asks an application that reports no events whether it still answers: a stopped application reports none either.
---@param observation observing.Observation
function M.check(observation)
  local interface = ABOUT[observation.what] and not observation.ended and mine().interfaces[observation.pid]
  local node = interface and interface.snapshot.nodes[1]
  if not node then return end
  local found, err = element.get({ node.id }, { timeout = CHECK })
  local there = found and not found[1].gone
  if there and not interface.unread then return end
  if there then interface.unread = nil end
  if not there and has_exited(interface) then return finish(interface) end
  if not found then note_unread(interface, err) end
  wake(interface)   -- without its first element only a look shows its elements
end


--- The time since when, and the reason why, the subject cannot be read; nil: it can, as far as was asked.
---@param observation observing.Observation
---@return {since: number, why: string}? unread
function M.unread(observation)
  local interface = ABOUT[observation.what] and not observation.ended and mine().interfaces[observation.pid]
  return interface and interface.unread or nil
end


-- --- listening ------------------------------------------------------------------------------

local function wake_all(interfaces)
  for _, interface in pairs(interfaces) do wake(interface) end
end


local function hear(interfaces, event)
  local interface = interfaces[event.pid]
  if not interface then return end
  if event.kind == "gone" and has_exited(interface) then return finish(interface) end
  wake(interface)
end


--- The only application that is listened to; nil: there are several.
local function only(interfaces)
  local pid = next(interfaces)
  return not next(interfaces, pid) and pid or nil
end


--- Waits for events. Events that were missed, because there were too many or the bus was gone, may have been of any kind.
local function listen(all)
  local ear = all.ear
  local seconds = math.min(STRETCH, observations.tidy())
  local told = element.changes { pid = only(all.interfaces), since = ear.since, wait = seconds }
  if not told then
    time.sleep(AGAIN)
    ear.since = nil
    return wake_all(all.interfaces)
  end
  local missed = told.missed > 0 or not ear.since
  ear.since = told.next
  if missed then return wake_all(all.interfaces) end
  for _, event in ipairs(told.events) do hear(all.interfaces, event) end
end


local function run()
  local all = mine()
  while needed(all.interfaces) do listen(all) end
  all.ear = {}
end


local function count(interfaces)
  local n = 0
  for _ in pairs(interfaces) do n = n + 1 end
  return n
end


--- Starts to listen. It starts again if the set of applications differs, or if files were reloaded: the new code goes on where
--- the old one was.
local function start(all)
  local ear, generation, applications = all.ear, engine.generation(), count(all.interfaces)
  if ear.watch and ear.watch:runs() then
    if ear.generation == generation and ear.count == applications then return end
    ear.watch:stop()
  end
  ear.generation, ear.count = generation, applications
  ear.watch = task.apart("observing interfaces", run)
end


--- Begins to watch an application, unless it is already watched.
---@param place elements.Place
---@return true? ok
---@return string? err
---@return string? code
function M.begin(place)
  local held <close> = task.lock "observing interfaces"
  local all = mine()
  if not all.interfaces[place.pid] then
    if count(all.interfaces) >= M.MOST then
      return nil, ("The interfaces of %d applications are observed, which is the limit. Cancel an observation first.")
        :format(M.MOST), "too_many_observations"
    end
    local now, err, code = element.changes {}
    if not now then return nil, err, code end
    local snapshot
    snapshot, err, code = snapshots.take { pid = place.pid, started = place.started }
    if not snapshot then return nil, err, code end
    all.ear.since = all.ear.since or now.next
    all.interfaces[place.pid] = { pid = place.pid, started = place.started, snapshot = snapshot, dirty = false, looking = false,
      in_vain = 0, looked = time.monotonic() }
    -- Events that it reported while it was read may not be in the snapshot.
    wake(all.interfaces[place.pid])
  end
  start(all)
  return true
end


--- Goes on with the observations after files were reloaded.
function M.renew()
  local held <close> = task.lock "observing interfaces"
  local all = mine()
  if next(all.interfaces) then start(all) end
end


return M
