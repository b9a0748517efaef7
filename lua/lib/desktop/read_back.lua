--- What a text field holds after text was typed into it, as the application tells through AT-SPI. Asks only what runs: no
--- accessibility bus is ever started. Password fields are not read.

local dbus   = require "sys.dbus"
local input  = require "sys.input"
local state  = require "sys.state"
local time   = require "sys.time"
local window = require "sys.window"

local M = {}

local BUDGET = 0.2        -- seconds before the input, and again after it
local AGAIN = 0.01        -- seconds between two looks at the text
local NODES_MAX = 600     -- that are looked at where an application has to be searched
local SEEN_MAX = 200      -- characters of what was seen instead

local ROOT = "/org/a11y/atspi/accessible/root"
local DBUS = "org.freedesktop.DBus"
local PROPERTIES = "org.freedesktop.DBus.Properties"
local ACCESSIBLE = "org.a11y.atspi.Accessible"
local TEXT = "org.a11y.atspi.Text"

--- Bits of the first word of an object's states, and roles (atspi-constants.h).
local ACTIVE, EDITABLE, FOCUSED, MULTI_LINE, SHOWING = 1 << 1, 1 << 7, 1 << 12, 1 << 17, 1 << 25
local WANTED = EDITABLE | FOCUSED   -- Qt says of a tab, too, that it has the focus
local PASSWORD, TERMINAL = 40, 60


-- --- calls -----------------------------------------------------------------------------------

---@class read_back.Talk
---@field bus string    the address
---@field ends number   of time.monotonic()

---@return sys.dbus.Answer[]? answers  nil: the bus is gone, or the time is over
local function ask(talk, calls)
  local left = talk.ends - time.monotonic()
  if left <= 0 then return nil end
  return (dbus.calls(talk.bus, calls, { timeout = left }))
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

--- Its address, where it runs.
---@return string?
local function address()
  local answers = dbus.calls("session", { call({ "org.a11y.Bus", "/org/a11y/bus" }, "org.a11y.Bus", "GetAddress") },
    { timeout = BUDGET })
  return value(answers and answers[1])
end


--- The object of the application that has this process.
---@return string[]? application
local function application(talk, pid)
  local listed = ask(talk, { call({ "org.a11y.atspi.Registry", ROOT }, ACCESSIBLE, "GetChildren") })
  local found, calls = value(listed and listed[1]), {}
  if not found or #found == 0 then return nil end
  for i, object in ipairs(found) do
    calls[i] = call({ DBUS, "/org/freedesktop/DBus" }, DBUS, "GetConnectionUnixProcessID", "s", { object[1] })
  end
  for i, answer in ipairs(ask(talk, calls) or {}) do
    if value(answer) == pid then return found[i] end
  end
end


-- --- the object that has the focus -------------------------------------------------------------

--- GTK 3, Firefox, LibreOffice and others search themselves.
local function match(talk, app)
  local rule = { { WANTED, 0 }, 1, {}, 1, {}, 1, {}, 1, false }    -- 1: all of these
  local answers = ask(talk, { call(app, "org.a11y.atspi.Collection", "GetMatches", "(aiia{ss}iaiiasib)uib",
    { rule, 1, 1, true }) })
  local found = value(answers and answers[1])
  return found and found[1]
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


--- Kept for the next time: an application's focus mostly stays where it is.
local function focused(talk, pid)
  local kept = state.open "read_back"
  if kept.bus == talk.bus and kept.pid == pid then
    local answers = ask(talk, { call(kept.object, ACCESSIBLE, "GetState") })
    if has(value(answers and answers[1]), WANTED) then return kept.object end
  end
  local app = application(talk, pid)
  local object = app and (match(talk, app) or cached(talk, app) or walked(talk, app))
  kept.bus, kept.pid, kept.object = talk.bus, object and pid, object
  return object
end


-- --- its text ------------------------------------------------------------------------------------

--- How many units the application counts in a text: Qt counts those of UTF-16.
local function units(text, utf16)
  local count = 0
  for _, point in utf8.codes(text) do count = count + (utf16 and point > 0xffff and 2 or 1) end
  return count
end


---@class read_back.Field
---@field talk    read_back.Talk
---@field object  string[]
---@field start   integer  where the text will begin
---@field count   integer  characters that it holds
---@field lines   boolean  it holds several
---@field utf16   boolean

--- The field that has the focus, before something is typed. nil: there is none that can be read. What was clicked before may
--- still be giving it away.
---@return read_back.Field?
function M.before()
  local talk = { bus = address(), ends = time.monotonic() + BUDGET }
  if not talk.bus or not input.settle(BUDGET / 2) then return nil end
  local front
  for _, item in ipairs(window.list() or {}) do front = item.focused and item or front end
  local object = front and front.pid > 0 and focused(talk, front.pid)
  if not object then return nil end
  local answers = ask(talk, {
    call(object, ACCESSIBLE, "GetState"), call(object, ACCESSIBLE, "GetRole"), property(object, TEXT, "CaretOffset"),
    call(object, TEXT, "GetNSelections"), call(object, TEXT, "GetSelection", "i", { 0 }),
    property({ object[1], ROOT }, "org.a11y.atspi.Application", "ToolkitName"), property(object, TEXT, "CharacterCount") }) or {}
  local states, role, caret, count = value(answers[1]), value(answers[2]), value(answers[3]), value(answers[7])
  if not has(states, WANTED) or role == PASSWORD or role == TERMINAL or not count or not caret or caret < 0 then return nil end
  local start = caret
  if (value(answers[4]) or 0) > 0 and answers[5].values then
    start = math.min(answers[5].values[1], answers[5].values[2])
  end
  return { talk = talk, object = object, start = start, count = count, lines = has(states, MULTI_LINE),
           utf16 = value(answers[6]) == "Qt" }
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
  return text:find "[\n\t]$" ~= nil or (not field.lines and text:find "[\n\t]" ~= nil)
end


--- Compares what the field holds with what was entered; waits until it is there, for 0.2 seconds at most. Keys that were sent
--- before the text may have moved the caret after before() looked: then the text stands elsewhere, before the caret.
---@param field read_back.Field  of before()
---@param text string
---@param typed boolean  line ends and tabs in it were keys
---@return {arrived: boolean, seen: string?}?  seen: what is there instead. nil: unknown
function M.after(field, text, typed)
  text = text:gsub("\r\n?", "\n")
  local length = units(text, field.utf16)
  field.talk.ends = time.monotonic() + BUDGET
  local now, last, left
  repeat
    if now then time.sleep(AGAIN) end
    last = now
    now, left = read(field, length)
  until not now or now.seen == text
  now = now or last
  if not now or left then return nil end
  if now.seen == text then return now.caret == field.start + length and { arrived = true } or nil end
  if may_differ(field, text, typed) or (now.before == text and now.count ~= field.count) then return nil end
  local stop = utf8.offset(now.seen, SEEN_MAX + 1)
  return { arrived = false, seen = stop and stop <= #now.seen and now.seen:sub(1, stop - 1) .. "..." or now.seen }
end


return M
