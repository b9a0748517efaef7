#!/usr/bin/env tests/lua/run
--- sys.console: this engine, and what runs in it. Cases that need another process are in tests/cli/console_test.py.
local console = require "sys.console"
local engine  = require "sys.engine"
local t       = require "check"
local task    = require "sys.task"
local time    = require "sys.time"

local function named(list, name)
  for _, each in ipairs(list) do
    if each.name == name then return each end
  end
end

local function eventually(fn)
  local stop = time.monotonic() + 20
  while not fn() do
    if time.monotonic() > stop then error("it did not come to pass", 2) end
    time.sleep(0.001)
  end
end

t.case("this engine has a process number and a desktop", function()
  local here = console.engine()
  t.same(math.type(here.pid), "integer")
  t.ok(here.desktop ~= "")
end)

t.case("a task that works for no call is listed, with what it waits for", function()
  local apart = task.apart("a nap", function() time.sleep(60) end)
  eventually(function() return (named(select(2, console.calls()), "a nap") or {}).waits == "a timer of 60 s" end)
  local row = named(select(2, console.calls()), "a nap")
  t.ok(row.age >= 0 and row.age < 60)
  apart:stop()
  t.same(named(select(2, console.calls()), "a nap"), nil)
end)

t.case("the caller of calls() is not listed", function()
  local calls, tasks = console.calls()
  t.same(#calls, 0)
  for _, each in ipairs(tasks) do t.ok(each.waits ~= "its turn", each.name) end
end)

t.case("a wait for a lock or a signal has its name", function()
  local held <close> = task.lock "office"
  local apart = { task.apart("locked", function() local mine <close> = task.lock "office" return mine end),
    task.apart("signalled", function() task.await "bell" end) }
  eventually(function()
    local _, tasks = console.calls()
    local locked, signalled = named(tasks, "locked"), named(tasks, "signalled")
    return locked and signalled and locked.waits == "the lock office" and signalled.waits == "the signal bell"
  end)
  for _, each in ipairs(apart) do each:stop() end
end)

t.case("nobody is told where no client of a console called", function()
  local ok, err, code = console.tell("x", { a = 1 })
  t.same(ok, nil)
  t.has(err, "no client of a console")
  t.same(code, "no_client")
  t.raises(function() console.tell("X y", {}) end, "a-z and _ expected")
  t.raises(function() console.tell("x", { 1 }) end, "names and values expected")
end)

t.case("a reload that finds nothing says so", function()
  local result = console.reload()
  t.same({ #result.added, #result.changed, #result.removed }, { 0, 0, 0 })
  t.same(result.generation, engine.status().generation)
end)

t.done()
