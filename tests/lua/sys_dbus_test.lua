#!/usr/bin/env tests/lua/run
--- sys.dbus: calls of a service that returns what it gets, on a bus of its own.
local t       = require "check"
local dbus    = require "sys.dbus"
local fs      = require "sys.fs"
local process = require "sys.process"
local task    = require "sys.task"
local time    = require "sys.time"

local folder = ...

local bus, daemon, echo

local function start()
  daemon = assert(process.start { "dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=unix:path=" .. folder .. "/bus",
    "--print-address=1" })
  bus = assert(daemon:read_line())
  echo = assert(process.start { "/usr/bin/python3", "tests/lib/dbus_echo.py", bus, "test.Echo" })
  return echo:read_line()
end

local function call(member, signature, ...)
  return { to = "test.Echo", path = "/test/echo", interface = "test.Echo", member = member, signature = signature,
           args = signature and { ... } or nil }
end

local function echoed(member, signature, ...)
  local answers = assert(dbus.calls(bus, { call(member, signature, ...) }))
  return answers[1].values or answers[1]
end

if not process.exists "dbus-daemon" or start() ~= "ready" then
  t.case("D-Bus", function() t.skip "dbus-daemon, or python3-gi, is not installed (vendor/install test)" end)
  return t.done()
end

t.case("numbers come back as they went, at their limits", function()
  for _, numbers in ipairs {
    { true, 255, -32768, 65535, -2147483648, 4294967295, -(1 << 53), 1 << 53, 0.5 },
    { false, 0, 32767, 0, 2147483647, 0, 1 << 53, 0, -1e300 },
  } do
    t.same(echoed("Numbers", "bynqiuxtd", table.unpack(numbers)), numbers)
  end
end)

t.case("texts, lists, structs and variants come back", function()
  t.same(echoed("Strings", "sog", "Grüße 世界 😀", "/a/b", "a{sv}"), { "Grüße 世界 😀", "/a/b", "a{sv}" })
  t.same(echoed("Lists", "asa(ib)(i(ss))", { "a", "b" }, { { 1, true }, { 2, false } }, { 3, { "x", "y" } }),
    { { "a", "b" }, { { 1, true }, { 2, false } }, { 3, { "x", "y" } } })
  t.same(echoed("Lists", "asa(ib)(i(ss))", {}, {}, { 3, { "", "" } }), { {}, {}, { 3, { "", "" } } })
  t.same(echoed("Words", "a{sv}", { one = { "i", 1 }, two = { "as", { "x" } } }), { { one = 1, two = { "x" } } })
  t.same(echoed("Any", "v", { "(sv)", { "in", { "d", 1.5 } } }), { { "in", 1.5 } })
end)

t.case("a value that does not fit its type is not sent", function()
  for _, case in ipairs {
    { "Numbers", "y", 256 }, { "Numbers", "n", 1.5 }, { "Numbers", "u", -1 }, { "Numbers", "b", 1 }, { "Numbers", "i", "1" },
    { "Strings", "o", "no path" }, { "Strings", "g", "{" }, { "Strings", "s", "a\0b" }, { "Strings", "s" }, { "Strings", "s", "a", "b" },
    { "Any", "v", { "ii", 1 } }, { "Any", "v", 1 }, { "Lists", "as", "a" }, { "Words", "a{sv}", { x = 1 } }, { "Any", "z", 1 },
    { "not a member" },
  } do
    local answers, err, code = dbus.calls(bus, { call(table.unpack(case)) })
    t.same({ answers, code }, { nil, "bad_call" }, t.show(case) .. ": " .. tostring(err))
  end
end)

t.case("each call has its own answer, in their order", function()
  local calls = {}
  for i = 1, 300 do calls[i] = i % 3 == 0 and call "Fail" or call("Any", "v", { "i", i }) end
  for i, answer in ipairs(assert(dbus.calls(bus, calls))) do
    if i % 3 == 0 then
      t.same({ answer.error, answer.text, answer.values }, { "test.Echo.Failed", "as it should", nil })
    else
      t.same(answer.values, { i })
    end
  end
end)

t.case("a late answer is an error, and does not hold up the others", function()
  local began = time.monotonic()
  local answers = assert(dbus.calls(bus, { call "Never", call("Any", "v", { "i", 1 }) }, { timeout = 0.2 }))
  local took = time.monotonic() - began
  t.same({ answers[1].error, answers[2].values }, { "org.freedesktop.DBus.Error.NoReply", { 1 } })
  t.ok(took > 0.15 and took < 20, ("took %.2f s"):format(took))  -- without a time limit of its own: 25 s
  t.same(echoed("Any", "v", { "s", "after" }), { "after" })
end)

t.case("nothing is started by a call", function()
  for _, name in ipairs { "org.a11y.Bus", "test.Nobody" } do
    local answers = assert(dbus.calls(bus, { { to = name, path = "/", interface = "test.Echo", member = "Any" } }))
    t.match(answers[1].error, "NameHasNoOwner")
  end
end)

t.case("a bus that is not there is told, and one that comes back is found", function()
  local answers, err, code = dbus.calls("unix:path=" .. folder .. "/nowhere", { call "Fail" })
  t.same({ answers, code }, { nil, "no_bus" }, err)
  answers, err, code = dbus.calls("no address", { call "Fail" })
  t.same({ answers, code }, { nil, "no_bus" }, err)
  daemon:close()
  answers = dbus.calls(bus, { call("Any", "v", { "i", 1 }) })
  t.ok(not answers or answers[1].error, "an answer from a dead bus")
  t.same(start(), "ready")
  t.same(echoed("Any", "v", { "i", 2 }), { 2 })
end)

--- A daemon of its own, stopped, and its address.
local function hanging(name)
  local other = assert(process.start { "dbus-daemon", "--session", "--nofork", "--nopidfile",
    "--address=unix:path=" .. folder .. "/" .. name, "--print-address=1" })
  local address = assert(other:read_line())
  other:kill "stop"
  return other, address
end

local NAMES = { to = "org.freedesktop.DBus", path = "/", interface = "org.freedesktop.DBus", member = "ListNames" }

t.case("a bus that hangs costs a call its time, and is there when it goes on", function()
  local other <close>, address = hanging "hangs"
  for _ = 1, 2 do
    local answers, err, code = dbus.calls(address, { NAMES }, { timeout = 0.1 })
    t.same({ answers, code }, { nil, "timeout" }, err)
  end
  other:kill "cont"
  t.ok(assert(dbus.calls(address, { NAMES }, { timeout = 20 }))[1].values)
end)

t.case("calls of one bus wait for each other no longer than their own time", function()
  local other <close>, address = hanging "shared"
  local order = {}
  local ends = task.map({ 3, 0.1 }, function(seconds)
    if seconds < 1 then time.sleep(0.05) end
    local code = select(3, dbus.calls(address, { NAMES }, { timeout = seconds }))
    order[#order + 1] = seconds
    return code
  end)
  t.same(ends, { "timeout", "timeout", n = 2 })
  t.same(order, { 0.1, 3 })
  other:kill "cont"
end)

-- --- calls of other programs --------------------------------------------------------------------

local ANY = { interface = "test.Echo", member = "Any" }

--- Runs the functions at once, in this order as far as they do not wait.
local function together(fns)
  task.map(fns, function(fn) fn() end)
end

t.case("a monitor is told the calls of others, in their order, even those that came while nobody waited", function()
  local monitor <close> = assert(dbus.monitor(bus, ANY))
  for i = 1, 50 do echoed("Any", "v", { "i", i }) end
  echoed("Words", "a{sv}", { one = { "i", 1 } })
  for i = 1, 50 do
    local seen = assert(monitor:next(5))
    t.same(seen.values, { i })
    t.ok(seen.sender:match "^:%d", seen.sender)
  end
  local _, err, code = monitor:next(0.05)
  t.same({ err, code }, { "no call was overheard in time", "timeout" })
end)

t.case("a monitor that waits wakes for its call alone, and reads no more of it than was asked", function()
  local monitor <close> = assert(dbus.monitor(bus, { interface = "test.Echo", member = "Lists", values = 1 }))
  local seen
  together {
    function() seen = assert(monitor:next(20)) end,
    function()
      t.same(select(3, monitor:next(1)), "busy")
      echoed("Any", "v", { "i", 1 })
      t.same(seen, nil)
      echoed("Lists", "asa(ib)(i(ss))", { "a", "b" }, {}, { 3, { "x", "y" } })
    end,
  }
  t.same(seen.values, { { "a", "b" } })
end)

t.case("a monitor whose queue is full loses calls, and answers none in place of the one that was called", function()
  local wire <close> = assert(dbus.connect(bus, { capacity = 2, values = 1 }))
  assert(wire:call { kind = "call", to = "org.freedesktop.DBus", path = "/org/freedesktop/DBus",
    interface = "org.freedesktop.DBus.Monitoring", member = "BecomeMonitor", signature = "asu",
    args = { { "type='method_call',interface='test.Echo'" }, 0 } })
  for i = 1, 5 do t.same(echoed("Any", "v", { "i", i }), { i }) end
  assert(dbus.monitor(bus, ANY)):close()   -- a bus that has answered this one has told the first of all calls
  local names = {}
  for _ = 1, 3 do
    local message = wire:next(#names < 2 and 20 or 0.05)
    names[#names + 1] = message and (message.member .. (message.values[1] or "")) or "none"
  end
  t.same(names, { "Any1", "Any2", "none" })
  t.ok(wire:dropped() >= 3, wire:dropped())
end)

t.case("closing a monitor ends its wait", function()
  local monitor = assert(dbus.monitor(bus, ANY))
  local why
  together { function() why = { monitor:next(20) } end, function() monitor:close() end }
  t.same(why[3], "closed")
  t.same(select(3, monitor:next(1)), "closed")
  monitor:close()
end)

t.case("a bus that does not let itself be watched says so, and one that dies", function()
  local config = folder .. "/quiet.conf"
  fs.write(config, ([[<busconfig><type>session</type><listen>unix:path=%s/quiet</listen><policy context="default">
    <allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
    <deny send_interface="org.freedesktop.DBus.Monitoring"/>
    </policy></busconfig>]]):format(folder))
  local quiet = assert(process.start { "dbus-daemon", "--config-file=" .. config, "--nofork", "--nopidfile",
    "--print-address=1" })
  local address = assert(quiet:read_line())
  local _, err, code = dbus.monitor(address, ANY)
  t.same(code, "not_supported")
  t.ok(err:find("does not let programs watch it", 1, true), err)
  quiet:close()
  t.same(select(3, dbus.monitor(address, ANY)), "no_bus")

  local monitor <close> = assert(dbus.monitor(bus, ANY))
  daemon:close()
  t.same(select(3, monitor:next(20)), "no_bus")
  t.same(start(), "ready")
end)

t.case("a member that is not a method's name is not watched", function()
  t.same(select(3, dbus.monitor(bus, { interface = "x", member = "Any" })), "bad_call")
  t.same(select(3, dbus.monitor(bus, { interface = "test.Echo", member = "An'y" })), "bad_call")
  t.raises(function() dbus.monitor(bus, { member = "Any" }) end, "interface and member")
  t.raises(function() dbus.monitor(bus, { interface = "test.Echo", member = "Any", path = "/" }) end, "path")
end)

t.case("wrong arguments raise", function()
  t.raises(function() dbus.calls(bus, "x") end, "list of calls")
  t.raises(function() dbus.calls(bus, {}, { timeout = -1 }) end, "timeout")
  t.raises(function() dbus.calls(bus, {}, { wait = 1 }) end, "wait")
  t.same(dbus.calls(bus, {}), {})
end)

t.done()
