#!/usr/bin/env tests/lua/run
--- sys.time, functions that are called at their time.
local t    = require "check"
local task = require "sys.task"
local time = require "sys.time"

local LONG = 60   -- seconds; only against hanging

--- Until a count is reached; fn is what is called at its time.
local function counter()
  local count = 0
  local function fn()
    count = count + 1
    task.signal "counted"
  end
  local function await(wanted)
    t.same(select(3, task.with_timeout(LONG, function() while count < wanted do task.await "counted" end end)), nil)
  end
  return fn, await, function() return count end
end

t.case("after so many seconds, once", function()
  local fn, await, count = counter()
  local began = time.monotonic()
  local handle = assert(time.after(0.05, fn))
  t.ok(handle:runs())
  await(1)
  t.ok(time.monotonic() - began >= 0.05)
  local later, later_await = counter()
  assert(time.after(0.05, later))
  later_await(1)
  t.same({ handle:runs(), count() }, { false, 1 })
end)

t.case("every so many seconds, until it is stopped", function()
  local fn, await, count = counter()
  local began = time.monotonic()
  local handle = assert(time.every(0.02, fn))
  await(3)
  t.ok(time.monotonic() - began >= 0.06)
  handle:stop()
  local seen = count()
  time.sleep(0.05)
  t.same(count(), seen)
end)

t.case("at a time of the clock", function()
  local fn, await = counter()
  local when = time.now() + 0.1
  assert(time.at(when, fn))
  await(1)
  t.ok(time.now() >= when)
  local past, past_await = counter()
  assert(time.at(time.now() - 60, past))
  past_await(1)
end)

t.case("delayed until nothing happens", function()
  local fn, await, count = counter()
  local handle = assert(time.delayed(0.2, fn))
  t.same({ handle:waits(), handle:runs() }, { false, true })
  local last
  for _ = 1, 8 do
    last = time.monotonic()
    handle:start()
    time.sleep(0.05)
    if count() > 0 then return end   -- this machine paused for longer than it waits
  end
  t.same(handle:waits(), true)
  await(1)
  t.ok(time.monotonic() - last >= 0.2)
  handle:start()
  await(2)
  handle:start()
  t.same(handle:waits(), true)
  handle:stop()
  t.same({ handle:waits(), handle:runs() }, { false, false })
  handle:start()
  t.same({ handle:waits(), count() }, { false, 2 })
end)

t.case("a start while it runs makes it run once more", function()
  local counted, await, count = counter()
  local handle
  handle = assert(time.delayed(0, function()
    counted()
    if count() > 1 then return end
    handle:start()
    handle:start()
    error "the first one"
  end))
  handle:start()
  await(2)
  t.same(select(3, task.with_timeout(LONG, function() while handle:waits() do time.sleep(0.001) end end)), nil)
  t.same({ handle.failures, count() }, { 1, 2 })
end)

t.case("wrong arguments raise", function()
  t.raises(function() time.delayed(-1, print) end, "sys.time.delayed: expected seconds, 0 or more")
  t.raises(function() time.delayed(1) end, "expected a function, not a nil")
  t.raises(function() time.every(0, print) end, "expected seconds, 0.01 or more")
  t.raises(function() time.at("25:00", print) end, '"25:00" is not a time of day')
end)

task.release()
t.done()
