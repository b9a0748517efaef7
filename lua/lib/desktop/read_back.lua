--- What a text field holds after text was typed into it, as the application tells through AT-SPI. Asks only what runs: no
--- accessibility bus is ever started. Password fields are not read.

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
local PER_THOUSAND = 0.1  -- and after it for each 1,000 bytes of text more, which an editor lays out, at most
local BUDGET_MAX = 2      -- in all
local LAST_LOOK = 0.02    -- of these, for what is asked when nothing was heard
local STEADY = 0.04       -- seconds in which a text that differs has to stay: Writer gathers keys for 20 ms (SwEditWin)
local SEEN_MAX = 200      -- characters of what was seen instead

local DBUS = "org.freedesktop.DBus"
local EVENT = "org.a11y.atspi.Event.Object"

--- What ends the answers that are kept.
local BUS_TAKEN = { interface = DBUS, member = "NameOwnerChanged", arg0 = "org.a11y.Bus" }
local APPLICATIONS = { sender = REGISTRY, path = ROOT, interface = EVENT, member = "ChildrenChanged" }
local NOBODY = { ["org.freedesktop.DBus.Error.ServiceUnknown"] = true, ["org.freedesktop.DBus.Error.NameHasNoOwner"] = true }

--- Windows (WM_CLASS) that are not searched: a sheet claims 2^30 cells, and an application that searches itself makes all of them
--- and answers nothing meanwhile.
local ENDLESS = { ["libreoffice-calc"] = true }


-- --- the accessibility bus ---------------------------------------------------------------------

---@class read_back.Kept
---@field address? string   of the accessibility bus,
---@field taken?   integer  as it was at this mark
---@field object?  string[] that had the focus,
---@field window?  integer  when this window had it
---@field left?    read_back.Left

---@return read_back.Kept
local function memory() return state.open "read_back" end


--- Its address, where it runs. The session's bus tells when that changes.
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


--- Whether the application shows, in any window, what has no end.
local function is_endless(pid)
  for _, each in ipairs(window.list { pid = pid } or {}) do
    if ENDLESS[each.app] then return true end
  end
  return false
end


--- The object that has the focus. Kept for the next time: an application's focus mostly stays where it is. While what was
--- sent before is not settled nobody knows it.
---@return string[]? object
---@return field_text.Facts? facts
---@return boolean? absent   its application is not on the bus
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


--- How the last text left the window that it went to. While that is so nobody has to look before the next text: sys.input
--- compares, beside its own work, and sends nothing if something else is so.
---@class read_back.Left
---@field bus     string
---@field window  integer
---@field absent? integer  its application is not on the bus: the mark when that was so
---@field object? string[]
---@field facts?  field_text.Facts

---@class read_back.Field
---@field talk   read_back.Talk
---@field window integer
---@field pid?   integer
---@field object string[]
---@field facts  field_text.Facts
---@field still? sys.input.Still  what before() took for granted

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


--- Line ends as the keys of typed text make them.
local function plain(text) return (text:gsub("\r\n?", "\n")) end


---@alias read_back.Unread
---| "late"       there was too little time to look, there may be a field
---| "nowhere"    nothing that takes keys has the focus
---| "read_only"  the field that has the focus takes no text

--- Looks for the field that has the focus, before something is entered. nil: there is none that can be read. What was clicked
--- before may still be giving it away.
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
  -- Writer has no caret in a paragraph that keys which it has not done yet are about to take away
  if facts.readable or facts.paragraph then return nil, "late" end
  memo.left = { bus = talk.bus, window = front.id, object = object, facts = facts }
end


--- The field that text will go to; nil: there is none that can be read. With `still` it is as the last text left it, if
--- sys.input finds that so; else look() is to be asked.
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


--- After input other than text: it may have changed the field or what is selected in it.
function M.forget()
  local memo = memory()
  if memo.left and not memo.left.absent then memo.left = nil end
end


--- Until the text of the field changes, or the time is over. The application tells of it once the registry has told it that
--- somebody listens; what changed before that is seen by another look.
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


--- A text of several lines in an application that makes an object of each paragraph, as LibreOffice does: the last line has the
--- focus then.
local function is_in_paragraphs(field, text)
  if not field.facts.paragraph or not text:find "\n" or not field.pid then return false end
  local app = focus.application(field.talk, field.pid)
  local object = app and focus.find(field.talk, app)
  return object ~= nil and compare.are_paragraphs(field.talk, field.facts, object, text)
end


---@class read_back.Compared
---@field arrived?   boolean  it is there, and nothing else has changed; false: it is not so
---@field seen?      string   what is there instead
---@field late?      boolean  the application did not tell in time
---@field nowhere?   boolean  nothing that takes keys had the focus
---@field read_only? boolean  the field that had the focus takes no text
---@field lost?      boolean  the field lost the focus, or is gone
---@field keys?      boolean  as far as the keys in it, Return or Tab; they may have sent off what was there. With `arrived`: all
--- but them is there, and whether they were taken is for sys.input to say

--- What is known now; nil: that may change yet.
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


--- What is known once no more is to be expected.
---@return read_back.Compared
local function last_verdict(field, now, text, typed)
  local has_keys = typed and text:find "[\n\t]" ~= nil
  if not now then return { keys = has_keys or nil, lost = not has_keys or nil } end
  if has_keys and now.count == 0 then   -- a Return may empty a field, but no paragraph
    return field.facts.paragraph and { late = true } or { keys = true }
  end
  local first = text:match "^[^\n]*"
  local differs = field.facts.paragraph and now.found ~= first
  -- the first line is there: whether its Return is still to come, or is lost, cannot be told
  if has_keys and field.facts.paragraph and first ~= text and not now.left and compare.is(field.facts, now, first) then
    return { late = true }
  end
  if now.left and not (has_keys and differs) then return { keys = has_keys or nil, lost = not has_keys or nil } end
  local seen = now.found == text and now.before .. now.found .. now.behind or now.found
  local stop = utf8.offset(seen, SEEN_MAX + 1)
  return { arrived = false, seen = stop and stop <= #seen and seen:sub(1, stop - 1) .. "..." or seen }
end


--- Whether the field still holds what differs, once the application has taken all input and told of no change for a while: else
--- the text is still coming.
---@param was field_text.Now
local function stays(field, ear, text, was)
  local changes = not ear.mark or dbus.await(field.talk.bus, ear.signal, ear.mark, STEADY)
  if changes or not input.settle(BUDGET / 2) then return false end
  field.talk.ends = time.monotonic() + BUDGET / 2
  local now = compare.read(field, text)
  return now ~= nil and now.found == was.found and now.before == was.before and now.behind == was.behind
         and now.count == was.count and now.caret == was.caret
end


--- Reads what the field holds until it is the text, or the time is over.
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


--- Whether the field has to change its length for the text to arrive. It has not where the text takes the place of as much that
--- is selected.
---@param field read_back.Field  of before() or look()
---@param text string
function M.changes_length(field, text)
  local facts = field.facts
  return facts.stop - facts.start ~= compare.units(plain(text), facts.utf16)
end


--- Compares what the field holds with what was entered; waits until it is there, for 0.2 seconds at most.
---@param field read_back.Field  of before() or look()
---@param text string
---@param typed boolean  line ends and tabs in it were keys
---@param told sys.dbus.Answer[]?  the outcome's
---@return read_back.Compared?  nil: the field does not tell what it holds
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
