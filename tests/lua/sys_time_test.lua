#!/usr/bin/env tests/lua/run
--- sys.time: clocks, and waiting.
local t       = require "check"
local process = require "sys.process"
local task    = require "sys.task"
local time    = require "sys.time"

t.case("iso writes UTC with milliseconds", function()
  t.same(time.iso(0), "1970-01-01T00:00:00.000Z")
  t.same(time.iso(1767323096.789), "2026-01-02T03:04:56.789Z")
  t.same(time.iso(951782400), "2000-02-29T00:00:00.000Z")
  t.same(time.iso(253402300799), "9999-12-31T23:59:59.000Z")
  t.same(time.iso(-1), "1969-12-31T23:59:59.000Z")
  t.same(time.iso(-62135596800), "0001-01-01T00:00:00.000Z")
  t.same(time.iso(-0.25), "1969-12-31T23:59:59.750Z")
end)

t.case("iso rounds to the millisecond, over the border of a second too", function()
  t.same(time.iso(0.0004), "1970-01-01T00:00:00.000Z")
  t.same(time.iso(0.0006), "1970-01-01T00:00:00.001Z")
  t.same(time.iso(59.9996), "1970-01-01T00:01:00.000Z")
end)

t.case("iso of nothing is now", function()
  t.match(time.iso(), "^%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%d%.%d%d%dZ$")
  t.ok(time.iso() >= time.iso(time.now() - 5) and time.iso() <= time.iso(time.now() + 5))
end)

t.case("iso refuses years without four digits", function()
  t.raises(function() time.iso(253402300799.9999) end, "years 1 to 9999")
  t.raises(function() time.iso(253402300800) end, "years 1 to 9999")
  t.raises(function() time.iso(-62135596801) end, "years 1 to 9999")
  t.raises(function() time.iso(0 / 0) end, "years 1 to 9999")
  t.raises(function() time.iso(math.huge) end, "years 1 to 9999")
  t.raises(function() time.iso "now" end, "number expected")
end)

t.case("now has a fraction and is in this century", function()
  t.same(math.type(time.now()), "float")
  t.ok(time.now() > 1.7e9 and time.now() < 4.2e9)
end)

t.case("the monotonic clock grows by what was slept", function()
  local start = time.monotonic()
  time.sleep(0.05)
  t.ok(time.monotonic() - start >= 0.049, "it slept")
end)

t.case("a sleep that begins late in a millisecond is not shorter", function()
  local shortest = math.huge
  for _ = 1, 100 do
    while time.monotonic() * 1000 % 1 < 0.8 do end
    local before = time.monotonic()
    time.sleep(0.003)
    shortest = math.min(shortest, time.monotonic() - before)
  end
  t.ok(shortest >= 0.003, shortest)
end)

t.case("a nap of no time lets the others go first", function()
  local order = {}
  task.map({ 1, 2 }, function(i)
    order[#order + 1] = "begin " .. i
    time.sleep(0)
    order[#order + 1] = "end " .. i
  end)
  t.same(order, { "begin 1", "begin 2", "end 1", "end 2" })
end)

t.case("sleepers wake in the order of their times", function()
  local order = {}
  task.map({ 3, 1, 4, 2 }, function(n)
    time.sleep(n / 50)
    order[#order + 1] = n
  end)
  t.same(order, { 1, 2, 3, 4 })
end)

t.case("sleep wants a time it can keep", function()
  t.raises(function() time.sleep(-1) end, "expected 0 to 86400 seconds")
  t.raises(function() time.sleep(86401) end, "expected 0 to 86400 seconds")
  t.raises(function() time.sleep(0 / 0) end, "expected 0 to 86400 seconds")
  t.raises(function() time.sleep() end, "number expected")
end)

local function text_of(path)
  local done = process.run { "cat", path }
  return done and done.code == 0 and done.stdout or ""
end

t.case("load is what the system tells of the last minute, for each processor", function()
  local _, online = text_of("/proc/cpuinfo"):gsub("processor%s*:", "")
  if online == 0 then return t.skip "only Linux tells it in /proc" end
  local function told() return tonumber(text_of("/proc/loadavg"):match "^%S+") / online end
  local before, load, after = told(), time.load(), told()
  local function is_near(other) return math.abs(load - other) < 0.01 end   -- the text has two digits
  t.ok(is_near(before) or is_near(after), ("%g, where %g and %g were told"):format(load, before, after))
end)

t.done()
