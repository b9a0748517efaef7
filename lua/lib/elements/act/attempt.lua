--- Acts on an element, waits until the application has settled, looks again, and reports the changes.

local app         = require "sys.app"
local copies      = require "elements.act.copies"
local diff        = require "elements.read.diff"
local events      = require "elements.read.await"
local hands       = require "elements.read.hands"
local judge       = require "elements.read.judge"
local modal       = require "elements.read.modal"
local recognition = require "elements.read.recognition"
local refs        = require "elements.read.refs"
local target      = require "elements.find.target"
local watches     = require "elements.act.watch"
local windows     = require "elements.read.windows"
local words       = require "elements.read.words"

local M = {}

local GAVE_BACK = "; the application took the focus, which was given back"
local OPENS = 1.5   -- seconds for a window to open, after another one gave up the focus
local BLOCKED = 2   -- seconds for one look, if an application does not answer and a window has opened
local LATE = 2      -- seconds more for what was asked for and not seen: browsers answer from one process and act in another
local SLOW = 5      -- the same if all that follows needs the effect: an application may be slow

-- --- looking again ------------------------------------------------------------------------------

local function record_of(node, place)
  local record = refs.find(node.ref)
  return record or { id = node.id, pid = place.pid, started = place.started, role = node.role, key = node.key, name = "",
    alike = 0 }
end


---@class elements.Seen
---@field now? elements.Node      the element as it is now
---@field changes elements.Change[]
---@field snapshot? elements.Snapshot
---@field watch? elements.Watch
---@field idle? boolean           nothing was done, because it was so already
---@field lost? string            why nothing could be seen
---@field copied? fun(): "own"|"other"|nil  asks whether something was copied: copies.since()
---@field flickered? boolean      an element was turned on or off meanwhile
---@field took? boolean           the open menu in which the item was pressed closed then

local function of_opened(each, why)
  if each.modal then
    return ("%s came, and the application has not answered since. %s"):format(modal.called(each), modal.ADVICE)
  end
  return ("the window %s opened; the application does not tell what is in it (%s), so use create_input there"):format(
    words.quote(each.title, 60), why)
end


local ENDS = { "quit", "exit", "close" }

--- True if the element's own name says that it ends something.
local function is_end(node)
  local name = node and words.fold(words.own_name(node)) or ""
  for _, each in ipairs(ENDS) do
    if name:find("%f[%w]" .. each .. "%f[%W]") then return true end
  end
  return false
end


--- The verdict on an application that has ended. It may have crashed.
local function of_end(found)
  local place = found.place
  local _, _, code = app.get { pid = place.pid, started = place.started }
  if code ~= "app_not_found" then return nil end
  return { effect = is_end(found.node) and "confirmed" or "partial", evidence = "the application ended" }
end


--- The verdict if the application does not answer, from windows that opened or closed.
local function of_windows(found, before, after, why)
  local ended = of_end(found)
  if ended then return ended end
  local opened, closed = windows.opened(before, after), windows.closed(before, after)
  local wants = found.node and found.node.wants
  if opened and wants then return { effect = "partial", evidence = "it cannot be read back: " .. of_opened(opened, why) } end
  if opened then return { effect = "confirmed", evidence = of_opened(opened, why) } end
  if closed then return { effect = "confirmed", evidence = ("the window %s closed"):format(words.quote(closed.title, 60)) } end
  return { effect = "unknown", evidence = "afterwards it could not be read: " .. why }
end


--- True if a window of the application gave up the focus: it may be for a window that is on its way.
local function gives_way(seen)
  local gave, took = false, false
  for _, change in ipairs(seen.changes) do
    local active = words.TOPS[change.node.role] and change.states and change.states.active
    gave, took = gave or active == false, took or active == true or change.kind == "added" and words.TOPS[change.node.role]
  end
  return gave and not took
end


--- Waits for the window that an application opens late, as programs of Java do; returns the windows then.
local function await_opened(found, before, after)
  local mark = events.mark(found.place.pid)
  events.until_seen(found.place.pid, mark, OPENS, function()
    after = windows.now(found.place.pid) or after
    return windows.opened(before, after)
  end)
  return after
end


--- Corrects a verdict without an effect if a window opened: some windows, as Chromium's file dialogs, report nothing of their
--- content.
local function of_untold(told, before, after)
  local opened = told.effect == "none_seen" and windows.opened(before, after)
  if not opened then return told end
  return { effect = "partial", evidence = ("the window %s opened, which may have another cause"):format(
    words.quote(opened.title, 60)) }
end


local function look(found, seconds)
  return recognition.look { pid = found.place.pid, started = found.place.started, hidden = found.hidden,
    source = found.snapshot.source, timeout = seconds }
end


---@param found elements.Target
---@param seconds? number  at most
---@return elements.Seen
local function look_again(found, seconds)
  local place = found.place
  local record = found.node and record_of(found.node, place)
  local kept = record and refs.copy(record)
  local after, err = look(found, seconds)
  if not after then return { changes = {}, lost = err or "the application did not answer" } end
  return { now = kept and refs.locate(kept, after), changes = diff.changes(found.snapshot, after), snapshot = after }
end


--- The changes so far.
local function glance(found)
  local now = look(found)
  return now and diff.changes(found.snapshot, now) or {}
end


local TELLS = { ["at-spi kept"] = true, ["at-spi cache"] = true }

--- True if the application reports its changes: then a look during the wait is the last one if no event comes after it.
local function tells_all(snapshot) return TELLS[snapshot.route] or false end


-- --- judging ---------------------------------------------------------------------------------------

local function judged(found, seen, verdict, restless)
  return judge.doubted(verdict(seen, restless), diff.is_unsure(found.snapshot, seen.snapshot))
end


--- True if something was done for a value, state or option, and it is not there, or only the beginning of a text is. The same if
--- an effect has to be seen, and none was.
local function is_missing(found, seen, told)
  local asked = found.must or found.node and found.node.wants
  local short = found.node and told.awaited or asked and told.effect == "none_seen"
  return short and not seen.idle and not seen.watch.deaf
end


--- Looks for an effect that is still missing for a while longer.
---@return elements.Seen
---@return elements.Verdict
local function await_missing(found, seen, told, verdict)
  local place, watch, copied = found.place, seen.watch, seen.copied
  events.until_seen(place.pid, events.mark(place.pid), found.must and SLOW or LATE, function()
    local now = look_again(found)
    if now.lost then return true end
    now.watch, now.copied, now.flickered = watch, copied, watches.has_flickered(watch)
    seen, told = now, judged(found, now, verdict, watch.restless)
    return not is_missing(found, seen, told)
  end)
  return seen, told
end


-- --- the whole -------------------------------------------------------------------------------------

---@class elements.Report
---@field route string
---@field effect string
---@field evidence string
---@field changes string[]
---@field now? elements.Node
---@field value? string
---@field found elements.Target        the element it was done to
---@field snapshot? elements.Snapshot  the look after the action
---@field mark? integer                a mark of events, from before that look

--- Does an action as a whole. `act` does it and returns its route; `verdict` judges what was seen then.
---@param found elements.Target  without a node: input, for the whole application
---@param act fun(): string?, string?, string?
---@param verdict fun(seen: elements.Seen, restless: table<integer, boolean>): elements.Verdict
---@param await? fun(watch: elements.Watch, changes: fun(): elements.Change[])  waits for an effect that may come late
---@return elements.Report? report
---@return string? err
---@return string? code
function M.run(found, act, verdict, await)
  local watch = watches.begin(found.place.pid, found.mark)
  local before, person = windows.now(found.place.pid), hands.person(found.place)
  local copied = not (found.node and found.node.wants) and copies.mark() or nil
  local route, err, code = act()
  if not route then return nil, err, code end
  watches.acted(watch, route, not found.snapshot.source and found.node or nil)
  if await then await(watch, function() return glance(found) end) end
  local early = tells_all(found.snapshot) and function() return look_again(found) end or nil
  local seen = watches.settle(watch, function() return glance(found) end, early)
  local mark = watch.since
  local after = windows.now(found.place.pid)
  seen = seen or look_again(found, watch.deaf and windows.opened(before, after) and BLOCKED or nil)
  if not windows.opened(before, after) and gives_way(seen) then
    after = await_opened(found, before, after)
    if windows.opened(before, after) then seen = look_again(found) end
  end
  seen.watch, seen.idle, seen.copied = watch, route == "nothing to do", copies.since(copied, found.place)
  seen.flickered = watches.has_flickered(watch)
  local opened = seen.lost and found.node and not found.node.clicked and windows.opened(before, after)
  if opened and opened.modal then modal.note_waiting(found.node, opened) end
  local told = seen.lost and of_windows(found, before, after, seen.lost) or judged(found, seen, verdict, watch.restless)
  if not seen.lost and is_missing(found, seen, told) then seen, told = await_missing(found, seen, told, verdict) end
  if not seen.lost then told = of_untold(told, before, after) end
  local gave = hands.give_back(found.place, person)
  return { route = route, effect = told.effect, evidence = told.evidence .. (gave and GAVE_BACK or ""),
    changes = diff.lines(seen.changes), now = seen.now, found = found, snapshot = seen.snapshot, mark = mark }
end


--- True if the clicked point is no longer on the element.
local function moved_away(point, now)
  local b = point and now and now.states.shown and now.bounds
  return b and not (point.x >= b.x and point.x < b.x + b.width and point.y >= b.y and point.y < b.y + b.height)
end


--- Doubts changes of elements that scrolling brings or removes: they do not count as an effect of the click. Windows do.
local function doubt_scrolled(node, changes)
  for _, change in ipairs(node.scrolled and changes or {}) do
    change.chance = change.chance or not words.TOPS[change.node.role] or nil
  end
end


--- Doubts a confirmation that another element may have got the click; nil: there is no doubt.
local function missed(node, told, seen)
  if moved_away(node.clicked, seen.now) then
    return { effect = "partial", evidence = told.evidence .. ", but it moved: another element may have got the click" }
  end
  if node.rival then
    return { effect = "partial", evidence = ("%s, but %s lies over it: it may have got the click"):format(told.evidence,
      words.called(node.rival)) }
  end
end


--- The element as it is before the action, because `node` is renewed later.
local function as_it_was(node)
  return { role = node.role, states = node.states, id = node.id, name = node.name, up = node.up, sheet = words.in_sheet(node) }
end


--- Makes the function that judges an action, by what was asked for and all changes. Every tool that acts on elements uses it. A
--- change that proves the effect must not have come by itself, and not late.
---@param asked elements.Asked
---@return fun(seen: elements.Seen, restless: table<integer, boolean>): elements.Verdict
function M.verdict(asked)
  local node = asked.node or {}
  node.wants = asked.own ~= nil and not asked.press or nil
  if node.source then return function(seen) return judge.pressed(recognition.verdict(seen.changes), seen) end end
  local given = { press = asked.press, keys = asked.keys, own = asked.own, same = asked.same,
    node = asked.node and as_it_was(asked.node) }
  return function(seen, restless)
    if node.scrolled then given.node.states = node.now or node.states end   -- as they were just before the click
    doubt_scrolled(node, seen.changes)
    local told = judge.of(given, seen, restless)
    if told.effect ~= "confirmed" or not told.change and not told.copied then return told end
    local doubt = not asked.moves and missed(node, told, seen)
    if doubt or told.copied then return doubt or told end
    if seen.watch then watches.mark_chance(seen.watch, seen.changes) end
    doubt_scrolled(node, seen.changes)
    return judge.of(given, seen, restless)
  end
end


--- The same for a press.
---@param node elements.Node
function M.press_verdict(node) return M.verdict { node = node, press = true } end


--- Finds the element that `args.element` names, as it is now. Refuses an element that takes no input, because applications
--- accept an action on it and do nothing.
---@param args {element: string, application?: string, window?: string, background?: boolean}
---@return elements.Target? target
---@return string? err
---@return string? code  "element_disabled", "dialog_in_front"; others as of target.find() and target.renew()
function M.begin(args)
  local found, node, err, code
  found, err, code = target.find(args)
  if not found then return nil, err, code end
  found.node.background = args.background
  found.node.unseen = not found.node.states.shown or nil
  node, err, code = target.renew(found.node)
  if not node then return nil, err, code end
  if not node.source then err, code = modal.refusal(found.snapshot, node) end
  if err then return nil, err, code end
  if node.states.enabled or node.source then return found end
  return nil, ("%s is off: it takes no input now."):format(words.called(node)), "element_disabled"
end


return M
