--- Several steps on applications, one after the other, up to the first that does not hold.

local actions        = require "elements.act.actions"
local diff           = require "elements.read.diff"
local drag           = require "elements.act.drag"
local drop           = require "elements.act.drop"
local element        = require "sys.element"
local menu_choice    = require "elements.act.menu_choice"
local modal          = require "elements.read.modal"
local outline        = require "elements.read.outline"
local predicate_wait = require "elements.check.predicate_wait"
local predicates     = require "elements.check.predicates"
local recognition    = require "elements.read.recognition"
local receiver       = require "elements.read.receiver"
local refs           = require "elements.read.refs"
local selectors      = require "elements.find.selector"
local snapshots      = require "elements.read.snapshot"
local target         = require "elements.find.target"
local task           = require "sys.task"
local time           = require "sys.time"
local views          = require "elements.check.views"
local window         = require "sys.window"
local windows        = require "elements.read.windows"
local words          = require "elements.read.words"

local M = {}

local WAITS = 10     -- seconds, if a step does not say
local LOOK = 3       -- seconds that a look may take
local GRACE = 1      -- seconds more for steps that only look, so that they can report what they saw
local RECENT = 0.1   -- seconds for which a look need not be repeated, if no event came since


---@class elements.Step
---@field kind string
---@field given table
---@field predicate? elements.Predicate

---@class elements.Done
---@field step string        its kind
---@field holds boolean
---@field text string        the element, the keys, or how much text or time
---@field evidence string
---@field effect? string
---@field route? string
---@field element? string    ref
---@field code? string       why it failed

---@class elements.Course
---@field application? string
---@field window? string
---@field background? boolean  for every step
---@field ends number
---@field first table<integer, elements.Snapshot>  by process: each application before the first step
---@field last table<integer, elements.Snapshot>   the same after the last step, if that looked
---@field apart? table<integer, boolean>  by ID: windows that were open before, and that no step is about
---@field bound? integer         the window that the steps work in: keys go to it, and nowhere else
---@field opened table<integer, integer>  the processes of the windows that were open before the first step, by ID
---@field touched table<integer, boolean>  by ID: windows that steps worked in
---@field recent? {snapshot: elements.Snapshot, hidden: boolean, mark: integer, at: number}  the look after the newest action

-- --- looks --------------------------------------------------------------------------------------

--- Adds the looks before and after a step to the course. after: nil if it could not be read.
local function note(course, before, after)
  if before then course.first[before.pid] = course.first[before.pid] or before end
  course.last = after and { [after.pid] = after } or {}
end


local function note_view(course, view)
  course.last = {}
  for pid in pairs(view.pids) do
    local seen = view:seen(pid)
    if seen then
      course.first[pid] = course.first[pid] or seen
      course.last[pid] = seen
    end
  end
end


--- Looks at the course's application before a first step that waits. Other steps look first themselves.
local function look_first(course)
  local place = target.place { application = course.application, window = course.window }
  local snapshot = place and snapshots.take { pid = place.pid, started = place.started, timeout = 3 }
  if snapshot then note(course, snapshot) end
end


--- Lists the changes from the first look to the last.
---@param course elements.Course
---@return string[] lines
function M.changes(course)
  local all = {}
  for pid, before in pairs(course.first) do
    local after, err = course.last[pid], nil
    if not after then
      after, err = recognition.look { pid = pid, started = before.started, timeout = 3, source = before.source }
    end
    if not after then
      all[#all + 1] = "? what changed in the end could not be read: " .. (err or "no answer")
    else
      table.move(diff.lines(diff.changes(before, after)), 1, 1000, #all + 1, all)
    end
  end
  return all
end


-- --- the window that they are about ------------------------------------------------------------------

--- Remembers the window that a step worked in. A popup is none: the window beneath it stays the one.
---@param course elements.Course
---@param id? integer
---@param pid integer
local function bind(course, id, pid)
  if not id or id == course.bound or not (windows.now(pid) or {})[id] then return end
  course.bound = id
  course.touched[id] = true
end


---@return table<integer, integer> opened  processes by ID
local function open_now()
  local opened = {}
  for _, each in ipairs(window.list() or {}) do opened[each.id] = each.pid end
  return opened
end


--- The predicate of a step. Text in windows that were open before, and that no step worked in, proves nothing about the one that
--- steps work in. What is done in a dialog may show in any window.
---@param course elements.Course
---@param step elements.Step
local function about(course, step)
  local pid = course.opened[course.bound or 0]
  local bound = pid and (windows.now(pid) or {})[course.bound]
  local apart = {}
  for id, its in pairs(bound and not receiver.is_dialog(bound) and course.opened or {}) do
    apart[id] = its == pid and not course.touched[id] or nil
  end
  step.predicate.apart = not step.given[step.kind].application and next(apart) and apart or nil
  return step.predicate
end


-- --- the kinds -----------------------------------------------------------------------------------

local function of_element(course, line, more)
  local args = { element = line, application = course.application, window = course.window, background = course.background }
  for key, value in pairs(more or {}) do args[key] = value end
  return args
end


local function seen(effect) return effect == "confirmed" or effect == "partial" end


local function reported(course, report, text, holds)
  local node = report.found.node
  note(course, report.found.snapshot, report.snapshot)
  bind(course, report.window or node and node.window, report.found.place.pid)
  if report.snapshot and report.mark then
    course.recent = { snapshot = report.snapshot, hidden = report.found.hidden, mark = report.mark, at = time.monotonic() }
  end
  return { holds = holds, text = text or node and outline.placed(node) or "", effect = report.effect, evidence = report.evidence,
    route = report.route, element = node and node.ref }
end


--- Makes the function of a click. An effect that is not seen may still have happened: the step holds unless `must` requires
--- that it is seen.
local function click(count)
  return function(course, step)
    local line = step.given[step.kind]
    local report, err, code = actions.click(of_element(course, line, { count = count, source = "auto", must = step.given.must }))
    if not report then return nil, err, code end
    return reported(course, report, words.called(report.found.node), not step.given.must or seen(report.effect))
  end
end


local function keys(action, name)
  return function(course, step)
    local report, err, code = actions.keys { action = action, [name] = step.given[step.kind], application = course.application,
      window = course.window, background = course.background, bound = course.bound, must = step.given.must }
    if not report then return nil, err, code end
    local text = action == "type" and ("%d characters"):format(utf8.len(step.given.type) or 0) or step.given.keys
    local differs = report.elsewhere or report.effect == "partial" and report.evidence:find "^the field holds"
    return reported(course, report, text, not (action == "type" and differs) and (not step.given.must or seen(report.effect)))
  end
end


local KINDS = {}

function KINDS.find(course, step)
  local found, err, code = target.find(of_element(course, step.given.find, { source = "auto", reading = true }))
  if not found then return nil, err, code end
  note(course, found.snapshot, found.snapshot)
  return { holds = true, text = "", evidence = outline.placed(found.node), element = found.node.ref }
end

KINDS.click = click(1)
KINDS.double_click = click(2)

--- Sets a value. Holds if the value was read back, or cannot be read.
function KINDS.set(course, step)
  local report, err, code = actions.write(of_element(course, step.given.set, { value = step.given.value }))
  if not report then return nil, err, code end
  local unread = report.effect == "unknown" and not step.given.must
  local holds = report.effect == "confirmed" or unread or report.route == "nothing to do"
  return reported(course, report, words.called(report.found.node), holds)
end

function KINDS.drag(course, step)
  local report, err, code = drag.run { element = step.given.drag, to = step.given.to, application = course.application,
    window = course.window, background = course.background }
  if not report then return nil, err, code end
  return reported(course, report, step.given.drag .. " to " .. step.given.to, not step.given.must or seen(report.effect))
end

function KINDS.drop(course, step)
  local report, err, code = drop.run { files = step.given.drop, element = step.given.to, application = course.application,
    window = course.window, background = course.background }
  if not report then return nil, err, code end
  return reported(course, report, "to " .. step.given.to, not step.given.must or seen(report.effect))
end

function KINDS.menu(course, step)
  local report, err, code = menu_choice.item { path = step.given.menu, application = course.application, window = course.window,
    background = course.background }
  if not report then return nil, err, code end
  return reported(course, report, words.called(report.found.node), not step.given.must or seen(report.effect))
end

KINDS.type = keys("type", "text")
KINDS.keys = keys("keys", "keys")

function KINDS.wait(course, step)
  local seconds = math.max(0, math.min(step.given.wait.timeout or WAITS, course.ends - time.monotonic()))
  local awaited = predicate_wait.await({ about(course, step) }, seconds)
  local answer = awaited.answers[1]
  note_view(course, awaited.view)
  local over = not awaited.met and modal.in_front_of(awaited.view.pids)
  return { holds = awaited.met, text = ("%.1f s"):format(awaited.seconds),
    evidence = ("%s, %s%s"):format(answer.result, answer.evidence, over and ("; %s is in front"):format(over) or ""),
    element = answer.node and answer.node.ref, code = not awaited.met and "wait_timeout" or nil }
end

--- A view for verify. It reuses the look of the step before if that is fresh and no event came since.
local function view_of(course)
  local view, recent = views.new(LOOK), course.recent
  course.recent = nil
  if not recent or time.monotonic() - recent.at > RECENT then return view end
  local told = element.changes { pid = recent.snapshot.pid, since = recent.mark }
  if told and #told.events == 0 then view:keep(recent.snapshot, recent.hidden) end
  return view
end


function KINDS.verify(course, step)
  local answers, view = predicate_wait.ask({ about(course, step) }, nil, view_of(course))
  note_view(course, view)
  return { holds = answers[1].result == "satisfied", text = "", evidence = answers[1].result .. ", " .. answers[1].evidence,
    element = answers[1].node and answers[1].node.ref }
end

M.NAMES = { "find", "click", "double_click", "drag", "drop", "set", "menu", "type", "keys", "wait", "verify" }


-- --- reading them ----------------------------------------------------------------------------------

local LOOKS = { find = true, wait = true, verify = true }
local SELECTS = { find = true, click = true, double_click = true, set = true }


local function wrong(text) return nil, text, "bad_argument" end


local function kind_of(given)
  local kind
  for _, name in ipairs(M.NAMES) do
    if given[name] ~= nil then
      if kind then return wrong(("A step does one thing, this one has %s and %s. Use two steps."):format(kind, name)) end
      kind = name
    end
  end
  if not kind then return wrong("A step needs one of " .. table.concat(M.NAMES, ", ") .. ".") end
  if (kind == "set") ~= (given.value ~= nil) then return wrong "set and value go together." end
  if (kind == "drag" or kind == "drop") ~= (given.to ~= nil) then
    return wrong((kind == "drop" and kind or "drag") .. " and to go together.")
  end
  return kind
end


local function check_selector(line)
  local selector, err, code = selectors.parse(line)
  if not selector then return nil, err, code end
  local ref = selectors.ref_in(selector)
  if ref and not refs.find(ref) then return nil, target.unlisted(ref), "element_not_found" end
  return true
end


--- Checks a step as the caller gave it, before anything is done.
---@param given table
---@param application? string
---@return elements.Step? step
---@return string? err
---@return string? code
function M.read(given, application)
  local kind, err, code = kind_of(given)
  if not kind then return nil, err, code end
  local step = { kind = kind, given = given }
  local ok = true
  if SELECTS[kind] then ok, err, code = check_selector(given[kind]) end
  for _, line in ipairs(given.to and { given.to, kind == "drag" and given.drag or nil } or {}) do
    if ok and not drag.point(line) then ok, err, code = check_selector(line) end
  end
  if kind == "wait" or kind == "verify" then
    step.predicate, err, code = predicates.read(given[kind], application)
    ok = step.predicate ~= nil
  end
  if not ok then return nil, err, code end
  return step
end


-- --- going through them ------------------------------------------------------------------------------

---@param course elements.Course
---@param step elements.Step
---@return elements.Done
local function go(course, step)
  course.last = {}
  local left = math.max(0.1, course.ends - time.monotonic()) + (LOOKS[step.kind] and GRACE or 0)
  local done, _, code = task.with_timeout(left, function()
    local done, err, why = KINDS[step.kind](course, step)
    return done or { holds = false, text = "", evidence = err or "no reason was given", code = why or "failed" }
  end)
  done = done or { holds = false, text = "", effect = "unknown", code = code,
    evidence = "the time of the call was up, so what came of it is unknown" }
  done.step = step.kind
  return done
end


--- Runs the steps until the first that does not hold, or until the time is up.
---@param steps elements.Step[]
---@param args {application?: string, window?: string, background?: boolean, bound?: integer}  bound: the ID of the window
---@param seconds number
---@return elements.Done[] done  the last may be one that does not hold
---@return elements.Course course
function M.run(steps, args, seconds)
  local course = { application = args.application, window = args.window, background = args.background,
    first = {}, last = {}, bound = args.bound, opened = open_now(), touched = { [args.bound or 0] = true } }
  course.ends = time.monotonic() + seconds
  if steps[1].kind == "wait" then look_first(course) end
  local list = {}
  for i, step in ipairs(steps) do
    if time.monotonic() >= course.ends then
      list[i] = { step = step.kind, holds = false, text = "", code = "timeout",
        evidence = "not begun: the time of the call was up" }
      break
    end
    list[i] = go(course, step)
    if not list[i].holds then break end
  end
  return list, course
end


return M
