#!/usr/bin/env tests/lua/run
--- sys.dbus.connect, signals and serve, on a bus of its own: objects of this script, called by this script and by dbus-send.
local t       = require "check"
local dbus    = require "sys.dbus"
local handles = require "handles"
local process = require "sys.process"
local task    = require "sys.task"
local time    = require "sys.time"

local folder = ...
local LONG = 60   -- seconds; only against hanging

if not process.exists "dbus-daemon" then
  t.case("D-Bus", function() t.skip "dbus-daemon is not installed (vendor/install test)" end)
  return t.done()
end

local function start(name)
  local daemon = assert(process.start { "dbus-daemon", "--session", "--nofork", "--nopidfile",
    "--address=unix:path=" .. folder .. "/" .. name, "--print-address=1" })
  return daemon, assert(daemon:read_line())
end

local _, bus = start "bus"

local NAMES = { to = "org.freedesktop.DBus", path = "/", interface = "org.freedesktop.DBus", member = "ListNames", kind = "call" }

local function matching(member)
  return { kind = "call", to = "org.freedesktop.DBus", path = "/", interface = "org.freedesktop.DBus", member = "AddMatch",
    signature = "s", args = { "type='signal',member='" .. member .. "'" } }
end

local function signal(member, ...)
  return { kind = "signal", path = "/test", interface = "test.Wire", member = member, signature = ("i"):rep(select("#", ...)),
    args = { ... } }
end

--- The next message that is not about names of the connection itself.
local function next_of(wire)
  while true do
    local message, err, code = wire:next(LONG)
    if not message or message.member ~= "NameAcquired" then return message, err, code end
  end
end

-- --- connections --------------------------------------------------------------------------------

t.case("a connection calls, and several tasks wait for their own answers", function()
  local wire <close> = assert(dbus.connect(bus))
  t.match(wire:name(), "^:%d")
  local names = task.map({ 1, 2, 3, 4, 5 }, function() return assert(wire:call(NAMES)).values[1][1] end)
  for i = 1, 5 do t.same(names[i], "org.freedesktop.DBus") end
  local answer = assert(wire:call { kind = "call", to = "test.Nowhere", path = "/", interface = "a.b", member = "C" })
  t.same({ answer.kind, answer.error }, { "answer", "org.freedesktop.DBus.Error.NameHasNoOwner" })
end)

t.case("signals come in their order, also those that came while nobody waited", function()
  local from <close> = assert(dbus.connect(bus))
  local to <close> = assert(dbus.connect(bus))
  assert(to:call(matching "Ordered"))
  for i = 1, 200 do t.same(from:send(signal("Ordered", i)), true) end
  for i = 1, 200 do
    local message = assert(next_of(to))
    t.same({ message.kind, message.sender, message.values, message.path }, { "signal", from:name(), { i }, "/test" })
  end
  t.same(to:dropped(), 0)
  t.same(select(3, to:next(0)), "timeout")
end)

t.case("a full queue loses its oldest signals, and counts them", function()
  local from <close> = assert(dbus.connect(bus))
  local to <close> = assert(dbus.connect(bus, { capacity = 10 }))
  assert(to:call(matching "Many"))
  for i = 1, 100 do from:send(signal("Many", i)) end
  local ends = time.monotonic() + LONG
  while to:dropped() < 90 and time.monotonic() < ends do time.sleep(0.01) end
  t.ok(to:dropped() >= 90, to:dropped())
  local last, count
  for i = 1, 10 do
    local message = to:next(0)
    if message then last, count = message.values[1], i end
  end
  t.same({ last, count }, { 100, 10 })
end)

t.case("a full queue refuses calls, and their callers know", function()
  local to <close> = assert(dbus.connect(bus, { capacity = 3 }))
  local from <close> = assert(dbus.connect(bus))
  local call = { kind = "call", to = to:name(), path = "/a", interface = "a.b", member = "C" }
  local answers = task.map({ 1, 2, 3, 4, 5, 6 }, function()
    local answer, _, code = from:call(call, 0.5)
    return answer and answer.error or code
  end)
  table.sort(answers)
  local limits, late = 0, 0
  for i = 1, 6 do
    if answers[i] == "org.freedesktop.DBus.Error.LimitsExceeded" then limits = limits + 1 end
    if answers[i] == "timeout" then late = late + 1 end
  end
  t.same({ limits, late }, { 3, 3 })
end)

t.case("an answer that comes too late is not taken for another one's", function()
  local to <close> = assert(dbus.connect(bus))
  local from <close> = assert(dbus.connect(bus))
  local function call(member) return { kind = "call", to = to:name(), path = "/a", interface = "a.b", member = member } end
  t.same(select(3, from:call(call "Slow", 0.05)), "timeout")
  local slow = assert(next_of(to))
  t.same({ slow.member, slow.answered, slow.sender }, { "Slow", true, from:name() })
  assert(to:send { kind = "answer", to = slow.sender, reply_to = slow.serial, signature = "s", args = { "slow" } })
  local answer
  local waits <close> = assert(task.spawn(function() answer = from:call(call "Fast", LONG) end))
  local fast = assert(next_of(to))
  assert(to:send { kind = "answer", to = fast.sender, reply_to = fast.serial, signature = "s", args = { "fast" } })
  waits:join(LONG)
  t.same(answer.values, { "fast" })
end)

t.case("a table that is not a message is not sent", function()
  local wire <close> = assert(dbus.connect(bus))
  for _, message in ipairs {
    {}, { kind = "word" }, { kind = "signal", path = "no path", interface = "a.b", member = "C" },
    { kind = "signal", path = "/a", interface = "a", member = "C" }, { kind = "signal", path = "/a", interface = "a.b", member = "C-" },
    { kind = "signal", path = "/a", interface = "a.b", member = "C", signature = "i", args = { "x" } },
    { kind = "call", to = "x", path = "/a", interface = "a.b", member = "C" },
    { kind = "answer", to = ":1.1" }, { kind = "answer", to = ":1.1", reply_to = 0 }, { kind = "answer", to = "", reply_to = 1 },
    { kind = "answer", to = ":1.1", reply_to = 1, error = "x", text = "y" },
    { kind = "answer", to = ":1.1", reply_to = 1, error = "x.y" },
  } do
    local ok, err, code = wire:send(message)
    t.same({ ok, code }, { nil, "bad_call" }, t.show(message) .. ": " .. tostring(err))
  end
  t.raises(function() wire:send "x" end, "table")
  t.raises(function() wire:next(-1) end, "seconds")
  t.raises(function() dbus.connect(bus, { capacity = 0 }) end, "capacity")
  t.raises(function() dbus.connect(bus, { wait = 0 }) end, "wait")
end)

t.case("closing ends all waits, and a second task may not wait for the next message", function()
  local wire = assert(dbus.connect(bus))
  next_of { next = function() return wire:next(0) end }
  local ends = {}
  task.map({ 1, 2, 3, 4 }, function(i)
    if i == 1 then ends[1] = select(3, wire:next(LONG)) end
    if i == 2 then ends[2] = select(3, wire:next(LONG)) end
    if i == 3 then
      ends[3] = select(3, wire:call({ kind = "call", to = wire:name(), path = "/a", interface = "a.b", member = "C" }, LONG))
    end
    if i == 4 then
      time.sleep(0.1)
      wire:close()
    end
  end)
  t.same({ ends[2], ends[3], select(3, wire:call(NAMES)), select(3, wire:send(NAMES)), select(3, wire:name()) },
    { "busy", "closed", "closed", "closed", "closed" })
  wire:close()
end)

t.case("a bus that dies ends all waits, and one that is not there is told", function()
  local daemon, address = start "mortal"
  local wire <close> = assert(dbus.connect(address))
  while wire:next(0) do end
  local ends = task.map({ 1, 2, 3 }, function(i)
    if i == 1 then return (select(3, wire:next(LONG))) end
    if i == 2 then
      return (select(3, wire:call({ kind = "call", to = wire:name(), path = "/a", interface = "a.b", member = "C" }, LONG)))
    end
    time.sleep(0.1)
    daemon:close()
    return "killed"
  end)
  -- the call to itself came as a message before the bus died
  t.same({ ends[2], ends[3] }, { "no_bus", "killed" })
  while wire:next(0) do end
  t.same({ select(3, wire:next(1)), select(3, wire:call(NAMES)), select(3, wire:send(signal "A")) },
    { "no_bus", "no_bus", "no_bus" })
  t.same(select(3, dbus.connect(address)), "no_bus")
  t.same(select(3, dbus.connect "unix:path=/nowhere"), "no_bus")
end)

t.case("a bus that takes nothing is told, and costs memory up to a limit", function()
  local daemon, address = start "hangs"
  local wire <close> = assert(dbus.connect(address))
  daemon:kill "stop"
  local text, code = ("x"):rep(1 << 20), nil
  for _ = 1, 40 do
    local _, _, why = wire:send { kind = "signal", path = "/a", interface = "a.b", member = "C", signature = "s", args = { text } }
    code = code or why
  end
  t.same(code, "too_many")
  t.same(select(3, dbus.connect(address, { timeout = 0.1 })), "timeout")
  daemon:kill "cont"
end)

t.case("a large message goes through in parts", function()
  local from <close> = assert(dbus.connect(bus))
  local to <close> = assert(dbus.connect(bus))
  assert(to:call(matching "Large"))
  local text = ("0123456789abcdef"):rep(1 << 17)   -- 2 MB
  assert(from:send { kind = "signal", path = "/a", interface = "a.b", member = "Large", signature = "s", args = { text } })
  local message = assert(next_of(to))
  t.same(#message.values[1], #text)
  t.ok(message.values[1] == text)
end)

t.case("large signals make room for each other", function()
  local from <close> = assert(dbus.connect(bus))
  local to <close> = assert(dbus.connect(bus))
  assert(to:call(matching "Huge"))
  local text = ("x"):rep(9 << 20)
  for _ = 1, 5 do
    assert(from:send { kind = "signal", path = "/a", interface = "a.b", member = "Huge", signature = "s", args = { text } })
    assert(from:call(NAMES))   -- it has taken it all
  end
  local ends = time.monotonic() + LONG
  while to:dropped() < 3 and time.monotonic() < ends do time.sleep(0.01) end
  t.same({ to:dropped(), #assert(next_of(to)).values[1] }, { 3, #text })   -- the name of the connection, and two
end)

t.case("connections that are open have a limit", function()
  local open, code = {}, nil
  while not code and #open < 1000 do
    local wire, _, why = dbus.connect(bus)
    open[#open + 1], code = wire, why
  end
  t.same(code, "too_many")
  for _, wire in ipairs(open) do wire:close() end
  assert(dbus.connect(bus)):close()
end)

-- --- signals ------------------------------------------------------------------------------------

t.case("signals are events, and others are not told", function()
  local from <close> = assert(dbus.connect(bus))
  local source <close> = assert(dbus.signals(bus, { interface = "test.Wire", member = "Wanted" }))
  assert(from:send(signal("Other", 1)))
  assert(from:send(signal("Wanted", 2)))
  assert(from:send(signal("Wanted", 3)))
  local first, second = assert(source:next(LONG)), assert(source:next(LONG))
  t.same({ first.values, second.values, first.member, source:dropped() }, { { 2 }, { 3 }, "Wanted", 0 })
  t.same(select(3, source:next(0)), "timeout")
end)

t.case("a function is called for each signal, until its handle is stopped", function()
  local from <close> = assert(dbus.connect(bus))
  local seen = task.channel(10)
  local handle = assert(dbus.signals(bus, { member = "Told" }, function(event)
    if event.values[1] == 2 then error "as it should" end
    seen:send(event.values[1])
  end))
  for i = 1, 3 do assert(from:send(signal("Told", i))) end
  t.same({ seen:receive(LONG), seen:receive(LONG), handle.failures }, { 1, 3, 1 })
  handle:stop()
  t.same(handle:runs(), false)
end)

t.case("wrong matches raise, or are told", function()
  t.raises(function() dbus.signals(bus, { members = "x" }) end, "members")
  t.raises(function() dbus.signals(bus, { member = 1 }) end, "member")
  t.same(select(3, dbus.signals(bus, { arg0 = "it's" })), "bad_call")
  t.same(select(3, dbus.signals("unix:path=/nowhere", { member = "A" })), "no_bus")
end)

-- --- objects ------------------------------------------------------------------------------------

local LAMP = "test.Lamp"

local function lamp()
  local on, told = false, {}
  return { ["/lamp/one"] = { [LAMP] = {
    methods = {
      Switch = { takes = "b", gives = "b", fn = function(value) on = value; return on end },
      Both = { takes = "ia{sv}", gives = "sas", fn = function(number, map)
        local keys = {}
        for key in pairs(map) do keys[#keys + 1] = key end
        table.sort(keys)
        return ("%d"):format(number), keys
      end },
      Nothing = { fn = function(message) told[1] = message.member end },
      Fail = { gives = "s", fn = function() return nil, "it is broken", "test.Lamp.Broken" end },
      Raise = { fn = function() error "a bug" end },
      Wrong = { gives = "i", fn = function() return "not a number" end },
    },
    properties = {
      On = { type = "b", get = function() return on end },
      Name = { type = "s", get = function() return told.name or "lamp" end, set = function(value) told.name = value end },
    },
    signals = { Switched = "b", Plain = "" } } } }
end

local function call(member, signature, ...)
  return { to = LAMP, path = "/lamp/one", interface = LAMP, member = member, signature = signature,
    args = signature and { ... } or nil }
end

local function one(request)
  local answers = assert(dbus.calls(bus, { request }))
  return answers[1].values or answers[1].error
end

local function property(member, signature, ...)
  local request = call(member, signature, ...)
  request.interface = "org.freedesktop.DBus.Properties"
  return request
end

t.case("an object answers calls, and its failures are errors", function()
  local served = assert(dbus.serve(bus, { name = LAMP, objects = lamp() }))
  t.same(one(call("Switch", "b", true)), { true })
  t.same(one(call("Both", "ia{sv}", 7, { b = { "i", 1 }, a = { "s", "x" } })), { "7", { "a", "b" } })
  t.same(one(call "Nothing"), {})
  t.same(one(call "Fail"), "test.Lamp.Broken")
  for member, name in pairs { Raise = "Failed", Wrong = "Failed", Missing = "UnknownMethod", Switch = "InvalidArgs" } do
    t.same(one(call(member)), "org.freedesktop.DBus.Error." .. name, member)
  end
  local other = call "Nothing"
  other.path = "/lamp/two"
  t.same(one(other), "org.freedesktop.DBus.Error.UnknownObject")
  t.same(served:runs(), true)
  served:stop()
  local ends = time.monotonic() + LONG
  while one(call "Nothing") ~= "org.freedesktop.DBus.Error.NameHasNoOwner" and time.monotonic() < ends do time.sleep(0.01) end
  t.same(one(call "Nothing"), "org.freedesktop.DBus.Error.NameHasNoOwner")
end)

t.case("properties, introspection and Ping come with it", function()
  local served = assert(dbus.serve(bus, { name = LAMP, objects = lamp() }))
  t.same(one(property("Get", "ss", LAMP, "On")), { false })
  t.same(one(property("Set", "ssv", LAMP, "Name", { "s", "desk" })), {})
  t.same(one(property("GetAll", "s", LAMP)), { { On = false, Name = "desk" } })
  t.same(one(property("GetAll", "s", "test.Other")), { {} })
  t.same(one(property("Set", "ssv", LAMP, "On", { "b", true })), "org.freedesktop.DBus.Error.PropertyReadOnly")
  t.same(one(property("Get", "ss", LAMP, "Off")), "org.freedesktop.DBus.Error.UnknownProperty")
  t.same(one { to = LAMP, path = "/lamp", interface = "org.freedesktop.DBus.Peer", member = "Ping" }, {})
  local xml = one { to = LAMP, path = "/lamp/one", interface = "org.freedesktop.DBus.Introspectable", member = "Introspect" }[1]
  t.match(xml, '<method name="Both"><arg type="i" direction="in"/><arg type="a{sv}" direction="in"/>'
    .. '<arg type="s" direction="out"/><arg type="as" direction="out"/></method>')
  t.match(xml, '<property name="Name" type="s" access="readwrite"/>')
  xml = one { to = LAMP, path = "/", interface = "org.freedesktop.DBus.Introspectable", member = "Introspect" }[1]
  t.match(xml, '<node name="lamp"/>')
  served:stop()
end)

t.case("another program calls it, and hears its signals", function()
  local served = assert(dbus.serve(bus, { name = LAMP, objects = lamp() }))
  local said = assert(process.run { "dbus-send", "--bus=" .. bus, "--print-reply", "--dest=" .. LAMP, "/lamp/one", LAMP .. ".Switch",
    "boolean:true" })
  t.match(said.stdout, "boolean true")
  local source <close> = assert(dbus.signals(bus, { path = "/lamp/one" }))
  assert(served:emit("/lamp/one", LAMP, "Switched", true))
  assert(served:emit("/lamp/one", LAMP, "Plain"))
  assert(served:changed("/lamp/one", LAMP, { "On" }))
  t.same(assert(source:next(LONG)).values, { true })
  t.same(assert(source:next(LONG)).values, {})
  t.same(assert(source:next(LONG)).values, { LAMP, { On = true }, {} })
  t.raises(function() served:emit("/lamp/one", LAMP, "Undeclared") end, "no signal")
  served:stop()
end)

t.case("a name that another program owns is told", function()
  local served = assert(dbus.serve(bus, { name = LAMP, objects = lamp() }))
  t.same(select(3, dbus.serve(bus, { name = LAMP, objects = lamp() })), "name_taken")
  served:stop()
  t.raises(function() dbus.serve(bus, {}) end, "objects")
  t.raises(function() dbus.serve(bus, { objects = { lamp = {} } }) end, "not a path")
  t.raises(function() dbus.serve(bus, { objects = { ["/a"] = { ["a.b"] = { methods = { C = {} } } } } }) end, "has no fn")
end)

t.case("a bus that dies ends the objects that are served on it", function()
  local daemon, address = start "second"
  local served = assert(dbus.serve(address, { objects = lamp() }))
  t.match(served.bus_name, "^:")
  local waits = assert(handles.new("the test", function() while served:runs() do time.sleep(0.01) end end))
  daemon:close()
  local ends = time.monotonic() + LONG
  while waits:runs() and time.monotonic() < ends do time.sleep(0.01) end
  t.same(served:runs(), false)
  t.same(select(3, served:emit("/lamp/one", LAMP, "Plain")), "closed")
end)

t.done()
