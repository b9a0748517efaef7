--- Waits until predicates are satisfied together. It looks again after events of applications and windows. Without events it
--- looks now and then, and spends only a part of the time on that.

local element    = require "sys.element"
local predicates = require "elements.check.predicates"
local screen     = require "sys.screen"
local task       = require "sys.task"
local time       = require "sys.time"
local views      = require "elements.check.views"
local window     = require "sys.window"

local M = {}

local LOOK, LEAST = 3, 0.5         -- seconds that the first look and later ones may take, however short the wait is
local SOONEST, LATEST = 0.2, 2     -- seconds without an event, after which it looks again all the same
local SHARE = 6                    -- a look takes at most one of so many parts of the time
local GAP, LONGEST_GAP = 0.02, 0.5 -- seconds between two looks, in which events are gathered

--- Error codes after which waiting does not help.
local HOPELESS = { no_display = true, display_lost = true, desktop_hung = true, no_accessibility = true, not_supported = true }


---@class elements.Awaited
---@field met boolean             true: all are satisfied
---@field seconds number
---@field answers elements.Answer[]
---@field view elements.View      the last look
---@field code? string            why it gave up before its time

-- --- looking ------------------------------------------------------------------------------------

--- Asks all predicates in one look of at most so many seconds.
---@param list elements.Predicate[]
---@param seconds? number
---@param view? elements.View  a view that may already have read something
---@return elements.Answer[] answers
---@return elements.View view
function M.ask(list, seconds, view)
  view = view or views.new(seconds or LOOK)
  local answers = {}
  for i, predicate in ipairs(list) do
    local left = math.max(0.2, view.ends - time.monotonic())
    local told, _, code = task.with_timeout(left + 0.5, function() return predicates.ask(predicate, view) end)
    answers[i] = told or { result = "unknown", evidence = "nothing answered in time", code = code }
  end
  return answers, view
end


local function met(answers)
  for _, each in ipairs(answers) do
    if each.result ~= "satisfied" then return false end
  end
  return true
end


local function hopeless(answers)
  for _, each in ipairs(answers) do
    if HOPELESS[each.code] then return each.code end
  end
end


-- --- until something happens ---------------------------------------------------------------------

---@class elements.Listening
---@field events? integer   `next` of elements' events
---@field windows? string   mark of the windows
---@field elements boolean  some predicate is about elements

local function mark_of_events()
  local told = element.changes {}
  return told and told.next
end


--- Begins to listen, before the first look.
local function listen(list)
  local asks = false
  for _, predicate in ipairs(list) do asks = asks or predicate.kind ~= "window" end
  return { events = asks and mark_of_events() or nil, windows = window.changed(), elements = asks }
end


--- Waits until an event of one of these applications comes.
---@return boolean told
local function until_told(ear, pids, seconds)
  local ends = time.monotonic() + seconds
  local pid = next(pids)
  if pid and next(pids, pid) then pid = nil end
  while true do
    local told = element.changes { pid = pid, since = ear.events, wait = math.max(0, math.min(60, ends - time.monotonic())) }
    if not told then
      ear.events = nil
      return false
    end
    ear.events = told.next
    for _, event in ipairs(told.events) do
      if pids[event.pid] then return true end
    end
    if time.monotonic() >= ends or #told.events == 0 then return false end
  end
end


---@return boolean changed
local function until_windows_change(ear, seconds)
  local before = ear.windows
  ear.windows = window.changed(before, { wait = math.max(0, seconds) })
  return ear.windows ~= before
end


--- Waits until something is drawn in this window.
---@return boolean drawn
local function until_drawn(read, seconds)
  local drawn = screen.drawn { window = read, wait = math.max(0, math.min(60, seconds)) }
  if drawn == nil then time.sleep(math.max(0, seconds)) end
  return drawn or false
end


local OVER = {}

--- Waits until the first of `waits` returns, and returns its result.
local function first_of(waits)
  local told
  local ok, err = pcall(task.map, waits, function(wait)
    told = wait()
    error(OVER)
  end, #waits)
  if not ok and err ~= OVER then error(err, 0) end
  return told
end


--- Waits until an event that may make a difference comes, for at most so many seconds.
---@return boolean happened
local function wait_on(ear, view, seconds)
  local waits = {}
  if ear.elements and ear.events and next(view.pids) then
    waits[1] = function() return until_told(ear, view.pids, seconds) end
  end
  if ear.windows and (not ear.elements or view.unplaced or view.looks.windows) then
    waits[#waits + 1] = function() return until_windows_change(ear, seconds) end
  end
  for _, read in pairs(view.read) do waits[#waits + 1] = function() return until_drawn(read, seconds) end end
  if #waits > 0 then return first_of(waits) end
  time.sleep(seconds)
  ear.events = ear.elements and mark_of_events() or nil   -- the accessibility bus may be back
  return false
end


-- --- the whole --------------------------------------------------------------------------------------

local function calm_of(list)
  local calm = 0
  for _, predicate in ipairs(list) do calm = math.max(calm, predicate.calm) end
  return calm
end


--- Seconds without an event until the next look. They grow with each look in a row before which nothing had happened.
local function patience(ear, cost, in_vain)
  if not ear.elements then return 30 end   -- windows always report
  return math.min(LATEST, math.max(SOONEST, cost * SHARE) * 2 ^ math.min(in_vain, 10))
end


--- Waits for at most so many seconds. It looks at least once.
---@param list elements.Predicate[]
---@param seconds number
---@return elements.Awaited
function M.await(list, seconds)
  local ear, calm, began, since = listen(list), calm_of(list), time.monotonic(), nil
  local ends, looked, in_vain = began + seconds, began, 0
  while true do
    local limit = math.max(looked == began and LOOK or LEAST, ends - looked)
    local answers, view = M.ask(list, math.min(limit, math.max(LEAST, task.remaining() - 1)))
    local now = time.monotonic()
    since = met(answers) and (since or looked) or nil
    local code = hopeless(answers)
    if code or now >= ends or since and now - since >= calm then
      return { met = since ~= nil, seconds = now - began, answers = answers, view = view, code = code }
    end
    local left = since and math.max(0, math.min(ends, since + calm) - now) or ends - now
    local gap = math.min(left, LONGEST_GAP, math.max(GAP, now - looked))
    if not since then time.sleep(gap) end
    local happened = wait_on(ear, view, math.max(0, math.min(left - (since and 0 or gap), patience(ear, now - looked, in_vain))))
    in_vain = happened and 0 or in_vain + 1
    looked = time.monotonic()
  end
end


return M
