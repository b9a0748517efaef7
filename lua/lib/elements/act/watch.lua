--- Reads an application's events around an action, to find changes that happen by themselves or came too late to be its effect.
--
-- An effect comes before the application answers again, or right after that. A change that comes later, or comes again and
-- again, may be the effect, but nothing distinguishes it from chance.

local asking  = require "elements.read.asking"
local await   = require "elements.read.await"
local element = require "sys.element"
local time    = require "sys.time"

local M = {}

local FIRST = 0.4     -- seconds for the first thing to happen
local QUIET = 0.05    -- seconds without anything: it has settled
local MORE = 0.02     -- seconds after an answer, or an event that adds nothing new: a frame, and a little
local LONGEST = 1.5   -- seconds of waiting in all
local EARLY = 0.008   -- seconds of these, after which a look may begin
local PROMPT = 0.1    -- seconds after it answers again, in which an effect comes
local AGAIN = 0.08    -- seconds for an element that changes by itself to change once more


---@class elements.Watch
---@field pid integer
---@field since? integer                   the mark to read events from; nil: there are none
---@field restless table<integer, boolean> ids of elements that changed by themselves before the action
---@field earlier sys.element.Event[]      between the look and the action
---@field events sys.element.Event[]       since the action
---@field answered? number                 the time at which the application answered again
---@field deaf? true                       the application does not answer
---@field glanced? table<integer, true>    ids of changes found soon after the action, if no event had come by then

-- Windows and elements that come bring more of them, even after a pause.
local GROWS = { children = true, window = true }

local TOLD = { checked = true, selected = true, expanded = true, enabled = true }

--- True if an effect could be such an event. The focus moves with every click.
local function counts(event)
  if event.kind == "state" then return TOLD[event.detail:match "^%S*"] or false end
  return event.kind ~= "focus"
end


local function is_change(event)
  return event.kind == "value" or event.kind == "name" or event.kind == "state" and counts(event)
end


--- Before the action: notes the elements that changed by themselves since the look.
---@param pid integer
---@param mark? integer  a mark of events, from before the look
---@return elements.Watch
function M.begin(pid, mark)
  local told = mark and element.changes { pid = pid, since = mark }
  local watch = { pid = pid, restless = {}, earlier = told and told.events or {}, events = {} }
  for _, event in ipairs(watch.earlier) do
    if event.id and is_change(event) then watch.restless[event.id] = true end
  end
  watch.since = told and told.next
  return watch
end


--- After the action: asks the application until it has answered, because then it has done its immediate work.
---@param watch elements.Watch
---@param route string         the way it was done
---@param node? elements.Node  the element it was done to
function M.acted(watch, route, node)
  watch.deaf = asking.is_unanswered(route) or watch.since and node and not asking.is_awake(node) or nil
  watch.answered = time.monotonic()
end


local function read(watch, seconds)
  local told = element.changes { pid = watch.pid, since = watch.since, wait = math.max(0, seconds) }
  watch.since = told and told.next
  if told then table.move(told.events, 1, #told.events, #watch.events + 1, watch.events) end
  return told and told.events
end


--- True if an event that may be an effect came in the time of an effect.
local function is_told(watch)
  local ends = time.monotonic() + PROMPT
  repeat
    local events = read(watch, ends - time.monotonic()) or {}
    for _, event in ipairs(events) do
      if counts(event) and not watch.restless[event.id] then return true end
    end
  until #events == 0 or time.monotonic() >= ends
  return false
end


--- Looks once soon after the action for changes without an event, for example of rows of lists: so it is known which came in
--- time.
local function glance(watch, look)
  watch.glanced = {}
  for _, change in ipairs(look()) do watch.glanced[change.node.id] = true end
end


--- The time from which it will have been quiet for long enough, not before `quiet`. Elements that change by themselves do not
--- count: a clock would make every click wait.
local function quiet_after(watch, events, quiet)
  for _, event in ipairs(events) do
    local pause = GROWS[event.kind] and QUIET or MORE
    if not watch.restless[event.id] then quiet = math.max(quiet, (event.at or time.monotonic()) + pause) end
  end
  return quiet
end


local function quiet_of_told(watch)
  return quiet_after(watch, watch.events, (watch.answered or time.monotonic()) + MORE)
end


--- Waits until nothing has happened for a moment.
local function until_quiet(watch, quiet, ends)
  local now = time.monotonic()
  while watch.since and now < math.min(ends, quiet) do
    local events = read(watch, math.min(ends, quiet) - now)
    if events and #events == 0 then return end
    now, quiet = time.monotonic(), quiet_after(watch, events or {}, quiet)
  end
end


local function grows(watch)
  for _, event in ipairs(watch.events) do
    if GROWS[event.kind] then return true end
  end
  return false
end


--- Waits until the application has settled. Without events nothing shows when that is, so it takes a fixed time.
---@generic T
---@param watch elements.Watch
---@param changed fun(): elements.Change[]  the changes so far
---@param look? fun(): T                    a whole look, for an application that reports its changes
---@return T? seen  the result of `look`, if nothing has happened since
function M.settle(watch, changed, look)
  local now = time.monotonic()
  local ends, quiet, seen, count = now + LONGEST, now + FIRST, nil, nil
  if not watch.since then return time.sleep(await.patience(FIRST)) end
  if is_told(watch) then
    quiet = quiet_of_told(watch)
    if look and not grows(watch) then
      read(watch, EARLY)
      count = #watch.events
      seen = look()
    end
  elseif not watch.deaf then
    local more = await.patience(FIRST) - FIRST
    ends, quiet = ends + more, quiet + more
    glance(watch, changed)
  end
  until_quiet(watch, quiet, ends)
  if seen and read(watch, 0) and #watch.events == count then return seen end
end


--- The same in a shorter time: only for effects that are reported at once.
---@param watch elements.Watch
---@param seconds number  at most
function M.settle_soon(watch, seconds)
  local ends = time.monotonic() + seconds
  if not watch.since then return time.sleep(math.min(PROMPT, seconds)) end
  if is_told(watch) then until_quiet(watch, quiet_of_told(watch), ends) end
end


-- --- chance --------------------------------------------------------------------------------------

local FLICKERS = { checked = true, enabled = true }

--- True if an element was turned on or off since the action, whatever the looks before and after it show: applications turn
--- elements off while they work.
---@param watch elements.Watch
---@return boolean
function M.has_flickered(watch)
  for _, event in ipairs(watch.events) do
    local state = event.kind == "state" and event.detail:match "^%S*"
    if FLICKERS[state] and not watch.restless[event.id] then return true end
  end
  return false
end


--- True if the event is from the container of an element that came or went. The container may never have been listed.
local function is_around(event, change)
  if change.kind == "changed" or event.kind ~= "children" then return false end
  if not event.id then return true end
  local at = change.node.up
  while at and at.id ~= event.id do at = at.up end
  return at ~= nil or event.id == change.node.parent
end


--- The time of the first event of a change; nil: there was none.
local function first_told(events, change)
  for _, event in ipairs(events) do
    if (event.id == change.node.id or is_around(event, change)) and counts(event) then return event.at end
  end
end


--- True if the change came before the action, or late.
local function is_untimely(watch, change)
  if first_told(watch.earlier, change) then return true end
  local at = watch.answered and first_told(watch.events, change)
  if not at then return watch.glanced ~= nil and not watch.glanced[change.node.id] end
  return at > watch.answered + PROMPT
end


--- The ids of elements that change again without an action.
local function changes_again(watch)
  local again = {}
  local ends = time.monotonic() + AGAIN
  repeat
    local events = read(watch, ends - time.monotonic())
    for _, event in ipairs(events or {}) do
      if event.id and is_change(event) then again[event.id] = true end
    end
  until not events or #events == 0 or time.monotonic() >= ends
  return again
end


--- Marks the changes that may have another cause: they came too early or too late, or go on.
---@param watch elements.Watch
---@param changes elements.Change[]
function M.mark_chance(watch, changes)
  local waits = false
  for _, change in ipairs(changes) do
    change.chance = is_untimely(watch, change) or nil
    waits = waits or change.kind == "changed" and (change.value or change.states ~= nil) and not change.chance
  end
  if not waits or not watch.since then return end
  local again = changes_again(watch)
  for _, change in ipairs(changes) do change.chance = change.chance or again[change.node.id] or nil end
end


return M
