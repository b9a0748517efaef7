--- Drags an element to another, or to a point, as a person does, and judges what came of it.
--
-- Toolkits begin a drag once the pointer has moved a few points with the button down, and ask the target while the pointer moves
-- over it. So the way begins and ends in short steps. The press selects what it drags; that does not count as an effect.

local attempt     = require "elements.act.attempt"
local await       = require "elements.read.await"
local desktop     = require "sys.desktop"
local diff        = require "elements.read.diff"
local element     = require "sys.element"
local hands       = require "elements.read.hands"
local press       = require "elements.press.ways"
local recognition = require "elements.read.recognition"
local rect        = require "rect"
local target      = require "elements.find.target"
local time        = require "sys.time"
local window      = require "sys.window"
local words       = require "elements.read.words"

local M = {}

local BEGINS = { 3, 6, 9, 12, 18 }   -- points from the start: GTK begins a drag after 8, Qt after 10
local ENDS = { 9, 6, 3 }             -- points before the end
local SECONDS = 0.6                  -- for the whole way
local COMES = 1                      -- seconds for an effect to come: applications copy and ask after the drop


-- --- the two ends ------------------------------------------------------------------------------

---@class elements.End
---@field found elements.Target  without a node for a point
---@field point? {x: number, y: number}

--- The point that a text names, as "120,300"; nil: it is not one.
---@param text string
---@return {x: number, y: number}?
function M.point(text)
  local x, y = text:match "^%s*(%-?%d+%.?%d*)%s*,%s*(%-?%d+%.?%d*)%s*$"
  return x and { x = tonumber(x), y = tonumber(y) } or nil
end


--- The window in front at a point.
local function window_at(point)
  for _, each in ipairs(window.list { all_kinds = true } or {}) do
    if each.on_screen and each.pid > 0 and rect.holds(each.frame, point.x, point.y) then return each end
  end
end


--- The end of a drag at a point. The application there is looked at.
---@param point {x: number, y: number}
---@return elements.End? its
---@return string? err
---@return string? code
function M.at_point(point)
  local each = window_at(point)
  if not each then
    return nil, ("No window is at %g,%g. Pass a point of a window, or an element."):format(point.x, point.y), "bad_argument"
  end
  local found, err, code = target.whole { pid = each.pid, started = each.started }
  if not found then return nil, err, code end
  return { found = found, point = point }
end


--- Finds an end of a drag: an element, or a point as "120,300".
---@param line string
---@param place {application?: string, window?: string}
---@return elements.End? its
---@return string? err
---@return string? code
function M.find(line, place)
  local point = M.point(line)
  if point then return M.at_point(point) end
  local found, err, code = attempt.begin { element = line, application = place.application, window = place.window }
  return found and { found = found } or nil, err, code
end


--- Brings the element into view, and finds its point.
---@param its elements.End
---@return boolean? ok
---@return string? err
---@return string? code
function M.aim(its)
  local node = its.found.node
  if not node then return true end
  local err, code
  its.point, err, code = press.aim(node)
  return its.point ~= nil or nil, err, code
end


--- Checks that the start can still be seen, because the end was scrolled to, or its window brought to the front.
local function still_there(from)
  local node, at = from.found.node, from.point
  if not node then return true end
  local fresh = element.get { node.id }
  local bounds = fresh and fresh[1].bounds
  local mine
  for _, each in ipairs(window.list() or {}) do
    if each.id == node.window then mine = each end
  end
  local over = mine and window.over(mine, at.x, at.y)
  if bounds and rect.holds(bounds, at.x, at.y) and not (over and not over.own) then return true end
  return nil, ("%s is not in view together with the target. Move or resize the windows, or scroll, so that both can be seen.")
    :format(words.called(node)), "not_in_view"
end


-- --- the way ---------------------------------------------------------------------------------------

local function towards(from, to, distance)
  local x, y = to.x - from.x, to.y - from.y
  local length = math.sqrt(x * x + y * y)
  local part = length > 0 and distance / length or 0
  return { x = math.floor(from.x + x * part + 0.5), y = math.floor(from.y + y * part + 0.5) }, length
end


--- The points of the pointer's way.
---@param from {x: number, y: number}
---@param to {x: number, y: number}
---@return {x: number, y: number}[]
function M.way(from, to)
  local path = { from }
  local _, length = towards(from, to, 0)
  for _, distance in ipairs(BEGINS) do
    if distance < length / 2 then path[#path + 1] = towards(from, to, distance) end
  end
  for _, distance in ipairs(ENDS) do
    if distance < length / 2 then path[#path + 1] = towards(to, from, distance) end
  end
  path[#path + 1] = to
  return path
end


---@return string? route
---@return string? err
---@return string? code
local function pull(node, from, to, options)
  if desktop.held() then
    return nil, "a question to the user is open on this display, so nothing was done. Try again after it is answered", "held"
  end
  local sent, err, code = hands.drag(node, M.way(from, to), { button = options.button, modifiers = options.modifiers,
    duration = SECONDS })
  if not sent then return nil, err, code end
  return ("pointer from %g,%g to %g,%g"):format(from.x, from.y, to.x, to.y)
end


-- --- the effect --------------------------------------------------------------------------------------

--- True for a window without a name and without anything to work with: toolkits show in it what is dragged.
---@param top elements.Node
---@return boolean
function M.is_picture(top)
  if not words.TOPS[top.role] or words.own_name(top) ~= "" then return false end
  local function holds_work(node)
    for _, each in ipairs(node.down or {}) do
      if words.WORKED[each.role] or each.role == "menu" or words.own_name(each) ~= "" or holds_work(each) then return true end
    end
    return false
  end
  return not holds_work(top)
end


--- True if the drag itself may have done it: the press moves the selection and the focus.
---@param change elements.Change
local function is_of_drag(change)
  local node = change.node
  if change.kind ~= "changed" then return M.is_picture(node.top or node) end
  if change.name or change.value then return false end
  for state in pairs(change.states or {}) do
    if state ~= "selected" and state ~= "focused" and state ~= "active" then return false end
  end
  return true
end


local function without_drag(changes)
  local list = {}
  for _, change in ipairs(changes) do
    if not is_of_drag(change) then list[#list + 1] = change end
  end
  return list
end


--- The changes in the application that the element was dragged from, if that is another one.
local function changes_at_start(from, to)
  local place = from.found.place
  if place.pid == to.found.place.pid then return {} end
  local after = recognition.look { pid = place.pid, started = place.started, hidden = from.found.hidden, timeout = 2 }
  return after and diff.changes(from.found.snapshot, after) or {}
end


local function verdict_of(from, to)
  local judge = attempt.verdict { moves = true }   -- a dropped menu or dialog shares no word with what was dragged
  return function(seen, restless)
    local more = changes_at_start(from, to)
    table.move(more, 1, #more, #seen.changes + 1, seen.changes)
    local kept = without_drag(seen.changes)
    local told = judge({ changes = kept, snapshot = seen.snapshot, watch = seen.watch }, restless)
    local only = told.effect == "none_seen" and #kept == 0 and #seen.changes > 0
    if only then told.evidence = "only the selection or the focus moved" end
    return told
  end
end


--- Waits for an effect beside that of the drag itself. The applications exchange data first, so the time in which an effect
--- comes begins when it is seen.
---@param to elements.End
function M.awaited(to)
  local pid = to.found.place.pid
  local since = await.mark(pid)
  return function(watch, changes)
    await.until_seen(pid, since, COMES, function() return without_drag(changes())[1] end)
    watch.answered = time.monotonic()
  end
end


---@class elements.Drag
---@field element string       an element, or a point as "120,300"
---@field to string            the same
---@field application? string
---@field window? string
---@field to_application? string  default: application
---@field to_window? string
---@field button? string
---@field modifiers? string[]
---@field background? boolean  it is refused: a drag takes the pointer

---@param args elements.Drag
---@return elements.Report? report  its `found` is that of the element at the end
---@return string? err
---@return string? code
---@return elements.End? from
function M.run(args)
  local from, to, ok, err, code
  local start = { background = args.background, called = args.element }
  err, code = hands.refusal(start, "dragged", hands.POINTER)
  if err then return nil, err, code end
  from, err, code = M.find(args.element, args)
  if not from then return nil, err, code end
  local away = args.to_application or args.to_window
  to, err, code = M.find(args.to, away and { application = args.to_application, window = args.to_window } or args)
  if not to then return nil, err, code end
  local function act()
    for _, its in ipairs { from, to } do
      ok, err, code = M.aim(its)
      if not ok then return nil, err, code end
    end
    ok, err, code = still_there(from)
    if not ok then return nil, err, code end
    return pull(start, from.point, to.point, args)
  end
  local report
  report, err, code = attempt.run(to.found, act, verdict_of(from, to), M.awaited(to))
  return report, err, code, from
end


return M
