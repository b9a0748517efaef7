--- Watches the interfaces of applications while somebody wants to know: looks again when an application tells that something
-- happened, and finds out what by comparing. It sleeps while nothing does.

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
local SHARE = 4        -- of the time at most one part goes into looking
local IN_VAIN = 2      -- seconds between looks at one that tells events and shows no change, at most
local FORGOTTEN = 5    -- seconds without a look, after which one tells events for another reason than being looked at
local LOOK = 5         -- seconds of a look
local CHECK = 2        -- seconds for an answer of one that tells nothing
local AGAIN = 2        -- seconds until the next attempt, after one that failed


---@class observing.Interface
---@field pid integer
---@field started integer
---@field snapshot elements.Snapshot  as it was seen last
---@field dirty boolean               it has told something since
---@field looking boolean
---@field in_vain integer             looks in a row that showed no change
---@field looked number               time.monotonic() of the last look
---@field unread? {since: number, why: string}  it cannot be read now: time.now() when that was seen first

---@class observing.Ear
---@field watch? sys.task.Apart
---@field generation? integer
---@field since? integer
---@field count? integer              of applications that it began with

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


--- Forgets what nobody wants to know any more. False: nothing is left.
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


--- Looks, and tells what is not as it was.
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


--- Until it is as it was seen: what it tells while it is looked at makes for another look. Some tell something because they are
--- looked at, some of them only after the look: so the looks that see no change become rare, also from one wake() to the next.
local function keep_up(interface)
  if time.monotonic() - (interface.looked or 0) > FORGOTTEN then interface.in_vain = 0 end   -- older code left none
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


--- Asks an application that tells nothing whether it still answers: one that is stopped tells nothing, too.
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
  wake(interface)   -- without its first element only a look tells what there is
end


--- Since when, and why, what is observed cannot be read; nil: it can, as far as it was asked.
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


--- The one application that is listened to; nil: there are several.
local function only(interfaces)
  local pid = next(interfaces)
  return not next(interfaces, pid) and pid or nil
end


--- What was not heard, because it was too much or the bus was gone, may have been anything.
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


--- Listens from here on; anew where it listens to others, or where files were reloaded: the new ones go on where it was.
local function start(all)
  local ear, generation, applications = all.ear, engine.generation(), count(all.interfaces)
  if ear.watch and ear.watch:runs() then
    if ear.generation == generation and ear.count == applications then return end
    ear.watch:stop()
  end
  ear.generation, ear.count = generation, applications
  ear.watch = task.apart("observing interfaces", run)
end


--- Begins to watch an application, where nobody does.
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
    -- What it told while it was read may not be in what was read.
    wake(all.interfaces[place.pid])
  end
  start(all)
  return true
end


--- Goes on with what is observed, if files were reloaded.
function M.renew()
  local held <close> = task.lock "observing interfaces"
  local all = mine()
  if next(all.interfaces) then start(all) end
end


return M
