--- What a text field holds after text was typed into it, as the application tells through AT-SPI. Asks only what runs: no
--- accessibility bus is ever started. Password fields are not read.

local dbus   = require "sys.dbus"
local input  = require "sys.input"
local state  = require "sys.state"
local time   = require "sys.time"
local window = require "sys.window"

local M = {}

local BUDGET = 0.2        -- seconds before the input, and again after it
local LAST_LOOK = 0.02    -- of these, for what is asked when nothing was heard
local NODES_MAX = 600     -- that are looked at where an application has to be searched
local SEEN_MAX = 200      -- characters of what was seen instead

local ROOT = "/org/a11y/atspi/accessible/root"
local DBUS = "org.freedesktop.DBus"
local PROPERTIES = "org.freedesktop.DBus.Properties"
local ACCESSIBLE = "org.a11y.atspi.Accessible"
local TEXT = "org.a11y.atspi.Text"
local EVENT = "org.a11y.atspi.Event.Object"
local REGISTRY = "org.a11y.atspi.Registry"

--- What ends the answers that are kept.
local BUS_TAKEN = { interface = DBUS, member = "NameOwnerChanged", arg0 = "org.a11y.Bus" }
local APPLICATIONS = { sender = REGISTRY, path = ROOT, interface = EVENT, member = "ChildrenChanged" }
local NO_REPLY = "org.freedesktop.DBus.Error.NoReply"
local NOBODY = { ["org.freedesktop.DBus.Error.ServiceUnknown"] = true, ["org.freedesktop.DBus.Error.NameHasNoOwner"] = true }

--- Bits of the first word of an object's states, and roles (atspi-constants.h).
local ACTIVE, EDITABLE, FOCUSED, MULTI_LINE, SHOWING = 1 << 1, 1 << 7, 1 << 12, 1 << 17, 1 << 25
local WANTED = EDITABLE | FOCUSED   -- Qt says of a tab, too, that it has the focus
local PASSWORD, TERMINAL = 40, 60

--- What takes no keys itself: frame, panel, root pane, scroll pane, window, filler.
local HOLDERS = { [23] = true, [39] = true, [46] = true, [49] = true, [69] = true, [20] = true }
local FOCUSED_MAX = 4     -- objects of an application

--- Windows (WM_CLASS) that are not searched: a sheet claims 2^30 cells, and an application that searches itself makes all of them
--- and answers nothing meanwhile.
local ENDLESS = { ["libreoffice-calc"] = true }


-- --- calls -----------------------------------------------------------------------------------

---@class read_back.Talk
---@field bus string    the address
---@field ends number   of time.monotonic()
---@field late? boolean the time was over before all was told

---@return sys.dbus.Answer[]? answers  nil: the bus is gone, or the time is over
local function ask(talk, calls)
  local left = talk.ends - time.monotonic()
  if left <= 0 then
    talk.late = true
    return nil
  end
  local answers, _, code = dbus.calls(talk.bus, calls, { timeout = left })
  talk.late = talk.late or code == "timeout"
  for _, answer in ipairs(answers or {}) do talk.late = talk.late or answer.error == NO_REPLY end
  return answers
end


--- The first value that a call returned.
---@param answer sys.dbus.Answer?
local function value(answer) return answer and answer.values and answer.values[1] end


local function call(object, interface, member, signature, args)
  return { to = object[1], path = object[2], interface = interface, member = member, signature = signature, args = args }
end


local function property(object, interface, name) return call(object, PROPERTIES, "Get", "ss", { interface, name }) end


local function has(states, bits) return states ~= nil and states[1] & bits == bits end


-- --- the accessibility bus, and an application on it -------------------------------------------

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
  local kept, mark = memory(), dbus.mark("session", BUS_TAKEN)
  if mark and kept.taken == mark then return kept.address end
  local answers = dbus.calls("session", { call({ "org.a11y.Bus", "/org/a11y/bus" }, "org.a11y.Bus", "GetAddress") },
    { timeout = BUDGET })
  local answer = answers and answers[1]
  kept.address = value(answer)
  kept.taken = answer and (answer.values or NOBODY[answer.error]) and mark or nil
  return kept.address
end


--- The object of the application that has this process.
---@return string[]? application
---@return boolean? absent  it is not on the bus
local function application(talk, pid)
  local listed = ask(talk, { call({ REGISTRY, ROOT }, ACCESSIBLE, "GetChildren") })
  local found, calls = value(listed and listed[1]), {}
  if not found then return nil end
  for i, object in ipairs(found) do
    calls[i] = call({ DBUS, "/org/freedesktop/DBus" }, DBUS, "GetConnectionUnixProcessID", "s", { object[1] })
  end
  local answers = ask(talk, calls)
  for i, answer in ipairs(answers or {}) do
    if value(answer) == pid then return found[i] end
  end
  return nil, answers ~= nil
end


-- --- the object that has the focus -------------------------------------------------------------

--- Whether none of what has the focus takes keys: LibreOffice drops them while its panel has it, before its document does.
local function take_none(talk, objects)
  local calls = {}
  for i, object in ipairs(objects) do calls[i] = call(object, ACCESSIBLE, "GetRole") end
  local answers = #calls > 0 and ask(talk, calls) or {}
  for i in ipairs(calls) do
    if not HOLDERS[value(answers[i])] then return false end
  end
  return true
end


--- GTK 3, Firefox, LibreOffice and others search themselves.
---@return string[]? object
---@return boolean? nowhere  what has the focus takes no keys
local function match(talk, app)
  local calls = {}
  for i, wanted in ipairs { { WANTED, 1 }, { FOCUSED, FOCUSED_MAX } } do
    local rule = { { wanted[1], 0 }, 1, {}, 1, {}, 1, {}, 1, false }    -- 1: all of these
    calls[i] = call(app, "org.a11y.atspi.Collection", "GetMatches", "(aiia{ss}iaiiasib)uib", { rule, 1, wanted[2], true })
  end
  local answers = ask(talk, calls) or {}
  local found, any = value(answers[1]), value(answers[2])
  if found and found[1] then return found[1] end
  return nil, any ~= nil and take_none(talk, any)
end


--- GTK 4 lists what it has shown so far.
local function cached(talk, app)
  local answers = ask(talk, { call({ app[1], "/org/a11y/atspi/cache" }, "org.a11y.atspi.Cache", "GetItems") })
  for _, item in ipairs(value(answers and answers[1]) or {}) do
    if has(item[10], WANTED) then return item[1] end
  end
end


---@return table[] states  of each; nil where it did not tell
---@return table[] children
local function look(talk, objects)
  local calls, states, children = {}, {}, {}
  for i, object in ipairs(objects) do
    calls[2 * i - 1] = call(object, ACCESSIBLE, "GetState")
    calls[2 * i] = call(object, ACCESSIBLE, "GetChildren")
  end
  local answers = ask(talk, calls) or {}
  for i in ipairs(objects) do
    states[i], children[i] = value(answers[2 * i - 1]), value(answers[2 * i]) or {}
  end
  return states, children
end


--- Qt has to be walked: level by level, what is shown of the active window.
local function walked(talk, app)
  local level, seen = { app }, 0
  for depth = 0, 40 do
    local states, children = look(talk, level)
    local below = {}
    for i, object in ipairs(level) do
      if has(states[i], WANTED) then return object end
      if depth == 0 or has(states[i], depth == 1 and ACTIVE or SHOWING) then
        table.move(children[i], 1, #children[i], #below + 1, below)
      end
    end
    seen = seen + #below
    if #below == 0 or seen > NODES_MAX then return nil end
    level = below
  end
end


-- --- its text ------------------------------------------------------------------------------------

--- How many units the application counts in a text: Qt counts those of UTF-16.
local function units(text, utf16)
  local count = 0
  for _, point in utf8.codes(text) do count = count + (utf16 and point > 0xffff and 2 or 1) end
  return count
end


--- What is known of a field that has the focus.
---@class read_back.Facts
---@field states   integer[]
---@field readable boolean
---@field caret    integer
---@field count    integer
---@field start    integer  where text that is entered will begin
---@field lines    boolean  it holds several
---@field utf16    boolean

---@return read_back.Facts?  nil: it has not the focus, or does not tell
local function facts_of(talk, object)
  local answers = ask(talk, {
    call(object, ACCESSIBLE, "GetState"), call(object, ACCESSIBLE, "GetRole"), property(object, TEXT, "CaretOffset"),
    call(object, TEXT, "GetNSelections"), call(object, TEXT, "GetSelection", "i", { 0 }),
    property({ object[1], ROOT }, "org.a11y.atspi.Application", "ToolkitName"), property(object, TEXT, "CharacterCount") }) or {}
  local states, role, caret, count = value(answers[1]), value(answers[2]), value(answers[3]), value(answers[7])
  if not has(states, WANTED) then return nil end
  local start = caret
  if (value(answers[4]) or 0) > 0 and answers[5].values then
    start = math.min(answers[5].values[1], answers[5].values[2])
  end
  local readable = role ~= PASSWORD and role ~= TERMINAL and count ~= nil and caret ~= nil and caret >= 0
  return { states = states, readable = readable, caret = caret, count = count, start = start,
           lines = has(states, MULTI_LINE), utf16 = value(answers[6]) == "Qt" }
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
---@return read_back.Facts? facts
---@return boolean? absent   its application is not on the bus
---@return boolean? nowhere  nothing in it that takes keys has the focus
local function focused(talk, front, settled)
  local kept = memory()
  if not settled then return nil, nil, select(2, application(talk, front.pid)) end
  local known = kept.object and kept.window == front.id and facts_of(talk, kept.object)
  if known then return kept.object, known end
  kept.object, kept.window = nil, nil
  if is_endless(front.pid) then return nil end
  local app, absent = application(talk, front.pid)
  if not app then return nil, nil, absent end
  local object, nowhere = match(talk, app)
  object = object or cached(talk, app) or walked(talk, app)
  local found = object and facts_of(talk, object)
  if not found then return nil, nil, nil, nowhere and not object end
  kept.object, kept.window = object, front.id
  return object, found
end


--- How the last text left the window that it went to. While that is so nobody has to look before the next text: sys.input
--- compares, beside its own work, and sends nothing if something else is so.
---@class read_back.Left
---@field bus     string
---@field window  integer
---@field absent? integer  its application is not on the bus: the mark when that was so
---@field object? string[]
---@field facts?  read_back.Facts

---@class read_back.Field
---@field talk   read_back.Talk
---@field window integer
---@field object string[]
---@field facts  read_back.Facts
---@field start  integer
---@field still? sys.input.Still  what before() took for granted

--- @return read_back.Field?
local function as_left(left, bus, text)
  if left.bus ~= bus then return nil end
  if left.absent then
    return left.absent == dbus.mark(bus, APPLICATIONS) and { still = { window = left.window } } or nil
  end
  local object, facts = left.object, left.facts
  local still = { window = left.window, bus = bus, calls = { call(object, ACCESSIBLE, "GetState") },
                  answers = { { values = { facts.states } } } }
  if facts.readable then
    local stop = facts.caret + units(text, facts.utf16)
    still.calls[2], still.answers[2] = property(object, TEXT, "CaretOffset"), { values = { facts.caret } }
    still.after = { property(object, TEXT, "CaretOffset"), call(object, TEXT, "GetText", "ii", { facts.caret, stop }) }
  end
  return { talk = { bus = bus, ends = 0 }, window = left.window, object = object, facts = facts, start = facts.caret,
           still = still }
end


--- Line ends as the keys of typed text make them.
local function plain(text) return (text:gsub("\r\n?", "\n")) end


--- Looks for the field that has the focus, before something is entered. nil: there is none that can be read. What was clicked
--- before may still be giving it away.
---@return read_back.Field?
---@return "late"|"nowhere"|nil unread  late: there was too little time, there may be one. nowhere: nothing that takes keys has
--- the focus
function M.look()
  local kept, bus = memory(), address()
  kept.left = nil
  if not bus then return nil end
  local settled, front = input.settle(BUDGET / 2), nil
  local talk = { bus = bus, ends = time.monotonic() + BUDGET }
  for _, item in ipairs(window.list() or {}) do front = item.focused and item or front end
  if not front or front.pid <= 0 then return nil end
  local mark = dbus.mark(talk.bus, APPLICATIONS)
  local object, facts, absent, nowhere = focused(talk, front, settled)
  if absent and mark then kept.left = { bus = talk.bus, window = front.id, absent = mark } end
  if not object then return nil, not absent and (not settled or talk.late) and "late" or nowhere and "nowhere" or nil end
  local field = { talk = talk, window = front.id, object = object, facts = facts, start = facts.start }
  if facts.readable then return field end
  kept.left = { bus = talk.bus, window = front.id, object = object, facts = facts }
end


--- The field that text will go to; nil: there is none that can be read. With `still` it is as the last text left it, if
--- sys.input finds that so; else look() is to be asked.
---@param text string
---@return read_back.Field?
---@return "late"|"nowhere"|nil unread  as of look()
function M.before(text)
  local bus, left = address(), memory().left
  if not bus then return nil end
  local field = left and as_left(left, bus, plain(text))
  if field then return field end
  return M.look()
end


--- After input other than text: it may have changed the field or what is selected in it.
function M.forget()
  local kept = memory()
  if kept.left and not kept.left.absent then kept.left = nil end
end


---@class read_back.Look
---@field seen  string   what stands where the text was typed, as long as the text is
---@field before string  what stands before the caret, as long as the text is
---@field caret integer
---@field count integer

---@return read_back.Look?  nil: it does not tell
---@return boolean? left     the focus went elsewhere
local function read(field, length)
  local object = field.object
  local answers = ask(field.talk, { call(object, ACCESSIBLE, "GetState"), property(object, TEXT, "CaretOffset"),
    property(object, TEXT, "CharacterCount") }) or {}
  local states, caret, count = value(answers[1]), value(answers[2]), value(answers[3])
  if states and not has(states, FOCUSED) then return nil, true end
  if not caret or not count then return nil end
  local stop = math.min(count, field.start + length)     -- past the end LibreOffice tells nothing
  local told = ask(field.talk, { call(object, TEXT, "GetText", "ii", { field.start, math.max(stop, field.start) }),
    call(object, TEXT, "GetText", "ii", { math.max(0, caret - length), caret }) }) or {}
  local seen, before = value(told[1]), value(told[2])
  return seen and before and { seen = stop > field.start and seen or "", before = before, caret = caret, count = count }
end


--- Line ends and tabs of typed text are keys. They may send off what is in a field, or leave it.
local function may_differ(field, text, typed)
  if not typed then return false end
  return text:find "[\n\t]$" ~= nil or (not field.facts.lines and text:find "[\n\t]" ~= nil)
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


--- Reads what the field holds until it is the text, for 0.2 seconds at most.
---@return read_back.Look?
local function await(field, text, length)
  local now, left = read(field, length)
  if not now or now.seen == text then return not left and now or nil end
  local ear, last = listen(field), now
  repeat
    now, left = read(field, length)
    last = now or last
  until not now or now.seen == text or not hear(field, ear)
  if now and now.seen ~= text then now, left = read(field, length) end
  unlisten(field, ear)
  return not left and (now or last) or nil
end


--- What sys.input was told after the last key: that the text is there.
local function is_there(field, text, length, told)
  return told ~= nil and value(told[1]) == field.start + length and value(told[2]) == text
end


--- Whether the caret has to move for the text to arrive. It has not where the text takes the place of as much that is selected.
---@param field read_back.Field  of before() or look()
---@param text string
function M.moves_caret(field, text)
  return field.facts.caret ~= field.start + units(plain(text), field.facts.utf16)
end


local function leave(field, caret)
  local kept, facts = memory(), {}
  for name, fact in pairs(field.facts) do facts[name] = fact end
  facts.caret, facts.start = caret, caret
  kept.left = { bus = field.talk.bus, window = field.window, object = field.object, facts = facts }
end


--- Where another text is found than was entered. Keys that were sent before may have moved the caret after before() looked:
--- then the text stands elsewhere, before the caret.
local function differs(field, text, typed, now)
  if may_differ(field, text, typed) then return nil end
  if now.before == text and (field.still or now.count ~= field.facts.count) then return nil end
  local stop = utf8.offset(now.seen, SEEN_MAX + 1)
  return { arrived = false, seen = stop and stop <= #now.seen and now.seen:sub(1, stop - 1) .. "..." or now.seen }
end


--- Compares what the field holds with what was entered; waits until it is there, for 0.2 seconds at most.
---@param field read_back.Field  of before() or look()
---@param text string
---@param typed boolean  line ends and tabs in it were keys
---@param told sys.dbus.Answer[]?  the outcome's
---@return {arrived: boolean?, seen: string?, late: boolean?}?  seen: what is there instead. late: it did not tell in time. nil:
--- it does not tell
function M.after(field, text, typed, told)
  if not field.object or not field.facts.readable then return nil end
  text = plain(text)
  local length = units(text, field.facts.utf16)
  if is_there(field, text, length, told) then
    leave(field, field.start + length)
    return { arrived = true }
  end
  memory().left = nil
  field.talk.ends = time.monotonic() + BUDGET
  field.talk.late = nil
  local now = await(field, text, length)
  if not now then return field.talk.late and { late = true } or nil end
  if now.seen ~= text then return differs(field, text, typed, now) end
  if now.caret ~= field.start + length then return nil end
  leave(field, now.caret)
  return { arrived = true }
end


return M
