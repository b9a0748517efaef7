--- Reads the content of a text field after text was typed into it, as the application reports it through AT-SPI. It asks only
--- services that run: it never starts an accessibility bus. Password fields are not read.

local compare = require "desktop.field_text"
local dbus    = require "sys.dbus"
local focus   = require "desktop.field_focus"
local input   = require "sys.input"
local state   = require "sys.state"
local talking = require "desktop.field_talk"
local time    = require "sys.time"
local window  = require "sys.window"

local M = {}

local ask, call, value = talking.ask, talking.call, talking.value
local ROOT, REGISTRY = talking.ROOT, talking.REGISTRY

local BUDGET = 0.2        -- seconds before the input, and again after it
local PER_THOUSAND = 0.1  -- more after it for each 1,000 bytes of text, which an editor lays out
local BUDGET_MAX = 2      -- at most, in all
local LAST_LOOK = 0.02    -- part of these, for the look after no event came
local STEADY = 0.04       -- seconds for which different text has to stay: Writer gathers keys for 20 ms (SwEditWin)
local SEEN_MAX = 200      -- characters of other text that was seen

local DBUS = "org.freedesktop.DBus"
local EVENT = "org.a11y.atspi.Event.Object"

--- The signals after which kept answers are no longer valid.
local BUS_TAKEN = { interface = DBUS, member = "NameOwnerChanged", arg0 = "org.a11y.Bus" }
local APPLICATIONS = { sender = REGISTRY, path = ROOT, interface = EVENT, member = "ChildrenChanged" }
local NOBODY = { ["org.freedesktop.DBus.Error.ServiceUnknown"] = true, ["org.freedesktop.DBus.Error.NameHasNoOwner"] = true }

--- Windows (WM_CLASS) that are not searched: a sheet claims 2^30 cells, and an application that searches itself makes all of
--- them and does not answer meanwhile.
local ENDLESS = { ["libreoffice-calc"] = true }


-- --- the accessibility bus ---------------------------------------------------------------------

---@class read_back.Kept
---@field address? string   the address of the accessibility bus,
---@field taken?   integer  valid at this mark
---@field object?  string[] the object that had the focus,
---@field window?  integer  in this window
---@field left?    read_back.Left

---@return read_back.Kept
local function memory() return state.open "read_back" end


--- The address of the accessibility bus, if it runs. The session bus reports when that changes.
---@return string?
local function address()
  local memo, mark = memory(), dbus.mark("session", BUS_TAKEN)
  if mark and memo.taken == mark then return memo.address end
  local answers = dbus.calls("session", { call({ "org.a11y.Bus", "/org/a11y/bus" }, "org.a11y.Bus", "GetAddress") },
    { timeout = BUDGET })
  local answer = answers and answers[1]
  memo.address = value(answer)
  memo.taken = answer and (answer.values or NOBODY[answer.error]) and mark or nil
  return memo.address
end


--- True if any window of the application shows a sheet, whose cells have no end.
local function is_endless(pid)
  for _, each in ipairs(window.list { pid = pid } or {}) do
    if ENDLESS[each.app] then return true end
  end
  return false
end


--- The object that has the focus. It is kept for the next time, because the focus mostly stays where it is. While earlier input
--- is not settled, the object is not known.
---@return string[]? object
---@return field_text.Facts? facts
---@return boolean? absent   true: its application is not on the bus
---@return field_focus.Without? without
local function focused(talk, front, settled)
  local memo = memory()
  if not settled then return nil, nil, select(2, focus.application(talk, front.pid)) end
  local known = memo.object and memo.window == front.id and compare.facts(talk, memo.object)
  if known then return memo.object, known end
  memo.object, memo.window = nil, nil
  if is_endless(front.pid) then return nil end
  local app, absent = focus.application(talk, front.pid)
  if not app then return nil, nil, absent end
  local object, without = focus.find(talk, app)
  local found = object and compare.facts(talk, object)
  if not found then return nil, nil, nil, without end
  memo.object, memo.window = object, front.id
  return object, found
end


--- The state of the field or window after the last text. While it is the same, no look is needed before the next text:
--- sys.input compares it beside its other work, and sends nothing if it differs.
---@class read_back.Left
---@field bus     string
---@field window  integer
---@field absent? integer  the mark at which its application was not on the bus
---@field object? string[]
---@field facts?  field_text.Facts

---@class read_back.Field
---@field talk   read_back.Talk
---@field window integer
---@field pid?   integer
---@field object string[]
---@field facts  field_text.Facts
---@field still? sys.input.Still  the assumptions of before()

--- @return read_back.Field?
local function as_left(left, bus, text)
  if left.bus ~= bus then return nil end
  if left.absent then
    return left.absent == dbus.mark(bus, APPLICATIONS) and { still = { window = left.window } } or nil
  end
  local object, facts = left.object, left.facts
  local still = { window = left.window, bus = bus }
  still.calls, still.answers = compare.questions(object, facts)
  if facts.readable then still.after = compare.questions_after(object, facts, text) end
  return { talk = { bus = bus, ends = 0 }, window = left.window, pid = left.pid, object = object, facts = facts, still = still }
end


--- The text with line ends as the keys of typed text make them.
local function plain(text) return (text:gsub("\r\n?", "\n")) end


---@alias read_back.Unread
---| "late"       there was too little time to look, so there may be a field
---| "nowhere"    no element that takes keys has the focus
---| "read_only"  the field that has the focus takes no text

--- Looks for the field with the focus before text is entered. nil: there is none that can be read. An element that was clicked
--- before may still be passing the focus on.
---@return read_back.Field?
---@return read_back.Unread? unread
function M.look()
  local memo, bus = memory(), address()
  memo.left = nil
  if not bus then return nil end
  local settled, front = input.settle(BUDGET / 2), nil
  local talk = { bus = bus, ends = time.monotonic() + BUDGET }
  for _, item in ipairs(window.list() or {}) do front = item.focused and item or front end
  if not front or front.pid <= 0 then return nil end
  local mark = dbus.mark(talk.bus, APPLICATIONS)
  local object, facts, absent, without = focused(talk, front, settled)
  if absent and mark then memo.left = { bus = talk.bus, window = front.id, absent = mark } end
  if not object then
    if not absent and (not settled or talk.late) then return nil, "late" end
    return nil, without and (without.read_only and "read_only" or without.nowhere and "nowhere") or nil
  end
  local field = { talk = talk, window = front.id, pid = front.pid, object = object, facts = facts }
  if facts.readable and compare.read_around(talk, object, facts) then return field end
  -- Writer has no caret in a paragraph that unprocessed keys are about to remove
  if facts.readable or facts.paragraph then return nil, "late" end
  memo.left = { bus = talk.bus, window = front.id, object = object, facts = facts }
end


--- The field that text will go to; nil: there is none that can be read. With `still` it is the field as the last text left it.
--- If sys.input finds it changed, look() has to be called.
---@param text string
---@return read_back.Field?
---@return read_back.Unread? unread
function M.before(text)
  local bus, left = address(), memory().left
  if not bus then return nil end
  local field = left and as_left(left, bus, plain(text))
  if field then return field end
  return M.look()
end


--- Forgets the field's state after input other than text: it may have changed the field or its selection.
function M.forget()
  local memo = memory()
  if memo.left and not memo.left.absent then memo.left = nil end
end


--- Waits for changes of the field's text, until the time is over. The application reports them once the registry has told it
--- that there is a listener. Earlier changes are found by another look.
---@class read_back.Ear
---@field signal sys.dbus.Signal
---@field mark   integer?

local function register(talk, method)
  ask(talk, { call({ REGISTRY, "/org/a11y/atspi/registry" }, REGISTRY, method, "s", { "object:text-changed" }) })
end


---@return read_back.Ear
local function listen(field)
  local signal = { sender = field.object[1], path = field.object[2], interface = EVENT, member = "TextChanged" }
  local ear = { signal = signal, mark = dbus.mark(field.talk.bus, signal) }
  register(field.talk, "RegisterEvent")
  return ear
end


local function hear(field, ear)
  local left = math.max(0, field.talk.ends - time.monotonic() - LAST_LOOK)
  if not ear.mark or not dbus.await(field.talk.bus, ear.signal, ear.mark, left) then return false end
  ear.mark = dbus.mark(field.talk.bus, ear.signal)
  return true
end


local function unlisten(field, ear)
  dbus.unhear(field.talk.bus, ear.signal)
  field.talk.ends = time.monotonic() + LAST_LOOK
  register(field.talk, "DeregisterEvent")
end


local function leave(field, text)
  local facts = compare.facts_after(field.facts, text)
  memory().left = { bus = field.talk.bus, window = field.window, pid = field.pid, object = field.object, facts = facts }
end


--- True if text of several lines arrived as paragraphs, in an application that makes an object of each paragraph, as
--- LibreOffice does. The last line has the focus then.
local function is_in_paragraphs(field, text)
  if not field.facts.paragraph or not text:find "\n" or not field.pid then return false end
  local app = focus.application(field.talk, field.pid)
  local object = app and focus.find(field.talk, app)
  return object ~= nil and compare.are_paragraphs(field.talk, field.facts, object, text)
end


---@class read_back.Compared
---@field arrived?   boolean  the text is there, and nothing else has changed; false: it is not
---@field seen?      string   the text that is there instead
---@field late?      boolean  the application did not answer in time
---@field nowhere?   boolean  no element that takes keys had the focus
---@field read_only? boolean  the field that had the focus takes no text
---@field lost?      boolean  the field lost the focus, or is gone
---@field keys?      boolean  a Return or Tab in the text may have submitted or left the field. With `arrived`: the rest
--- of the text is there, and sys.input reports whether the keys were processed

--- The verdict now; nil: it may still change.
---@return read_back.Compared?
local function verdict(field, now, text, typed)
  if compare.is(field.facts, now, text) then
    if not now.left and now.caret == field.facts.start + compare.units(text, field.facts.utf16) then leave(field, text) end
    return { arrived = true }
  end
  if is_in_paragraphs(field, text) then return { arrived = true } end
  if not typed or not text:find "[\n\t]" then return nil end
  local head, rest = text:match "^([^\n\t]*)(.*)$"
  if not field.facts.lines and not now.left and compare.is(field.facts, now, (text:gsub("[\n\t]", ""))) then
    return { arrived = true, keys = true }
  end
  if now.left and compare.is(field.facts, now, head) then
    return { arrived = not rest:find "[^\n\t]" or nil, keys = true }
  end
end


--- The verdict once no further change is expected.
---@return read_back.Compared
local function last_verdict(field, now, text, typed)
  local has_keys = typed and text:find "[\n\t]" ~= nil
  if not now then return { keys = has_keys or nil, lost = not has_keys or nil } end
  if has_keys and now.count == 0 then   -- a Return may empty a field, but no paragraph
    return field.facts.paragraph and { late = true } or { keys = true }
  end
  local first = text:match "^[^\n]*"
  local differs = field.facts.paragraph and now.found ~= first
  -- the first line is there: its Return may still come, or be lost
  if has_keys and field.facts.paragraph and first ~= text and not now.left and compare.is(field.facts, now, first) then
    return { late = true }
  end
  if now.left and not (has_keys and differs) then return { keys = has_keys or nil, lost = not has_keys or nil } end
  local seen = now.found == text and now.before .. now.found .. now.behind or now.found
  local stop = utf8.offset(seen, SEEN_MAX + 1)
  return { arrived = false, seen = stop and stop <= #seen and seen:sub(1, stop - 1) .. "..." or seen }
end


--- True if the field still has the different text once the application has processed all input and reported no change for a
--- while. Otherwise the text is still coming.
---@param was field_text.Now
local function stays(field, ear, text, was)
  local changes = not ear.mark or dbus.await(field.talk.bus, ear.signal, ear.mark, STEADY)
  if changes or not input.settle(BUDGET / 2) then return false end
  field.talk.ends = time.monotonic() + BUDGET / 2
  local now = compare.read(field, text)
  return now ~= nil and now.found == was.found and now.before == was.before and now.behind == was.behind
         and now.count == was.count and now.caret == was.caret
end


--- Reads the field until it contains the text, or the time is over.
---@return read_back.Compared
local function await(field, text, typed)
  local now = compare.read(field, text)
  local known = now and verdict(field, now, text, typed)
  if known or not now then return known or last_verdict(field, nil, text, typed) end
  local ear, last = listen(field), nil
  repeat
    now = compare.read(field, text)
    last = now or last
    known = now and verdict(field, now, text, typed)
  until not now or known or not hear(field, ear)
  if now and not known then
    now = compare.read(field, text)
    last = now or last
    known = now and verdict(field, now, text, typed)
  end
  known = known or last_verdict(field, last, text, typed)
  if known.arrived == false and not stays(field, ear, text, last) then known = { late = true } end
  local late = field.talk.late
  unlisten(field, ear)
  field.talk.late = late
  return known
end


--- True if the field has to change its length for the text to arrive. It does not if the text replaces a selection of the same
--- length.
---@param field read_back.Field  a field of before() or look()
---@param text string
function M.changes_length(field, text)
  local facts = field.facts
  return facts.stop - facts.start ~= compare.units(plain(text), facts.utf16)
end


--- Compares the field's content with the entered text. Waits until that is there, for 0.2 seconds, and longer for long text, up
--- to 2 seconds.
---@param field read_back.Field  a field of before() or look()
---@param text string
---@param typed boolean  true: line ends and tabs in it were keys
---@param told sys.dbus.Answer[]?  the outcome's
---@return read_back.Compared?  nil: the field does not report its text
function M.after(field, text, typed, told)
  if not field.object or not field.facts.readable then return nil end
  text = plain(text)
  if compare.is_told(field.facts, text, told) then
    leave(field, text)
    return { arrived = true }
  end
  memory().left = nil
  field.talk.ends = time.monotonic() + math.min(BUDGET + #text // 1000 * PER_THOUSAND, BUDGET_MAX)
  field.talk.late = nil
  local compared = await(field, text, typed)
  if compared.lost and field.talk.late then return { late = true } end
  return compared
end


return M
