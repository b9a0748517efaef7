#!/usr/bin/env tests/lua/run
--- sys.task: several things at once. What every kind of wait does when it is cancelled is in tests/c/script/task*_test.c.
local t    = require "check"
local task = require "sys.task"
local time = require "sys.time"

local function closing(fn)
  return setmetatable({}, { __close = fn })
end

t.case("map keeps the order of its items, not of their ends", function()
  local results = task.map({ "a", "b", "c" }, function(item, i)
    time.sleep((4 - i) / 100)
    return item:rep(i)
  end)
  t.same(results, { "a", "bb", "ccc", n = 3 })
end)

t.case("map counts results that are nil", function()
  local results = task.map({ 1, 2, 3 }, function(i) return i == 2 and 2 or nil end)
  t.same({ results.n, results[1], results[2], results[3] }, { 3, nil, 2, nil })
  t.same(task.map({}, error), { n = 0 })
end)

t.case("map runs no more at a time than it is told", function()
  local items, now, most = {}, 0, 0
  for i = 1, 50 do items[i] = i end
  local function work()
    now = now + 1
    most = math.max(most, now)
    time.sleep(0.001)
    now = now - 1
  end
  for _, limit in ipairs { 1, 3, 64 } do
    most = 0
    task.map(items, work, limit)
    t.same(most, math.min(limit, 50), "limit " .. limit)
  end
  most = 0
  task.map(items, work)
  t.same(most, 8, "the default")
end)

t.case("the first error ends a map and is raised with the item's number", function()
  local closed = {}
  local err = t.raises(function()
    task.map({ 1, 2, 3 }, function(i)
      local _ <close> = closing(function() closed[#closed + 1] = i end)
      time.sleep(i == 2 and 0.01 or 60)
      error("broke at " .. i, 0)
    end)
  end)
  t.same(err, "item 2: broke at 2")
  table.sort(closed)
  t.same(closed, { 1, 2, 3 })
end)

t.case("an error that is a table is raised as it is", function()
  local thing = { code = 7 }
  local ok, err = pcall(task.map, { 1 }, function() error(thing) end)
  t.ok(not ok and rawequal(err, thing))
end)

t.case("items that were not begun are not begun after an error", function()
  local begun = 0
  pcall(task.map, { 1, 2, 3, 4, 5, 6 }, function()
    begun = begun + 1
    error "no"
  end, 2)
  t.ok(begun <= 2, begun .. " were begun")
end)

t.case("maps nest", function()
  local results = task.map({ 1, 2 }, function(i)
    return table.concat(task.map({ 1, 2, 3 }, function(j)
      time.sleep(0.001)
      return i * j
    end), " ")
  end)
  t.same(results, { "1 2 3", "2 4 6", n = 2 })
end)

t.case("with_timeout gives every result of its function", function()
  t.same(table.pack(task.with_timeout(5, function() return 1, nil, "x" end)), { 1, nil, "x", n = 3 })
  t.same(table.pack(task.with_timeout(5, function() end)), { n = 0 })
end)

t.case("with_timeout ends a function that waits, and one that computes", function()
  for _, fn in ipairs { function() time.sleep(60) end, function() while true do end end } do
    local closed = false
    local result, err, code = task.with_timeout(0.05, function()
      local _ <close> = closing(function() closed = true end)
      fn()
    end)
    t.same({ result, code, closed }, { nil, "timeout", true })
    t.has(err, "was stopped after 0.05 s, its time limit")
  end
end)

t.case("with_timeout raises what its function raises", function()
  t.raises(function() task.with_timeout(5, function() error("inner", 0) end) end, "^inner$")
end)

t.case("the time that remains is the shorter one", function()
  t.same(task.remaining(), math.huge)
  task.with_timeout(20, function()
    t.ok(task.remaining() > 1 and task.remaining() <= 20)
    task.with_timeout(60, function() t.ok(task.remaining() <= 20) end)
    task.map({ 1 }, function() t.ok(task.remaining() <= 20) end)
  end)
  t.same(task.remaining(), math.huge)
end)

t.case("a lock is held by one at a time, first come first served", function()
  local log = {}
  task.map({ 1, 2, 3 }, function(i)
    local _ <close> = task.lock "a lock"
    log[#log + 1] = "in " .. i
    time.sleep(0.002)
    log[#log + 1] = "out " .. i
  end)
  t.same(table.concat(log, ", "), "in 1, out 1, in 2, out 2, in 3, out 3")
end)

t.case("a lock is given back by a task that fails or is stopped", function()
  pcall(task.map, { 1 }, function()
    local _ <close> = task.lock "a lock"
    error "no"
  end)
  task.with_timeout(0.02, function()
    local _ <close> = task.lock "a lock"
    time.sleep(60)
  end)
  t.same(task.with_timeout(5, function()
    local _ <close> = task.lock "a lock"
    return "mine"
  end), "mine")
end)

t.case("locking one's own lock is an error at once, with both places", function()
  local held <close> = task.lock "mine" -- luacheck: ignore held
  local err = t.raises(function() task.lock "mine" end)
  t.match(err, "sys_task_test.lua:%d+: this task holds the lock 'mine' already, since .*sys_task_test.lua:%d+,")
  local first, second = err:match ":(%d+): this", err:match ":(%d+), and would"
  second, first = tonumber(second), tonumber(first)
  t.same(first - second, 1)
end)

t.case("locking the lock of a task that waits for this one is an error at once", function()
  local held <close> = task.lock "outer" -- luacheck: ignore held
  for _, inside in ipairs { function(fn) task.map({ 1 }, fn) end, function(fn) task.with_timeout(600, fn) end } do
    local err = t.raises(function() inside(function() task.lock "outer" end) end)
    t.has(err, "a task that waits for this one holds the lock 'outer', since ")
  end
end)

t.case("wrong arguments raise", function()
  t.raises(function() task.map("x", print) end, "table expected")
  t.raises(function() task.map({}, "x") end, "function expected")
  t.raises(function() task.map({}, print, 65) end, "expected 1 to 64")
  t.raises(function() task.with_timeout(0, print) end, "expected more than 0")
  t.raises(function() task.with_timeout("x", print) end, "number expected")
  t.raises(function() task.with_timeout(1) end, "function expected")
  t.raises(function() task.lock() end, "string expected")
end)

--- Waits until test() is true.
local function await(what, test)
  for _ = 1, 2000 do
    if test() then return end
    time.sleep(0.005)
  end
  t.ok(false, what)
end

t.case("a __close handler may wait when its task is stopped", function()
  local seen = {}
  local _, _, code = task.with_timeout(0.01, function()
    local outer <close> = closing(function() -- luacheck: ignore outer
      time.sleep(0.01)
      seen[#seen + 1] = "outer"
    end)
    local inner <close> = closing(function() seen[#seen + 1] = "inner" end) -- luacheck: ignore inner
    time.sleep(600)
  end)
  t.same({ code, seen[1] }, { "timeout", "inner" })
  await("the handler that waits ends", function() return seen[2] == "outer" end)
end)

t.case("a __close handler of a stopped task is ended after two seconds", function()
  local ended, begun = false, time.monotonic()
  task.with_timeout(0.01, function()
    local waits <close> = closing(function() -- luacheck: ignore waits
      local last <close> = closing(function() ended = time.monotonic() - begun end) -- luacheck: ignore last
      time.sleep(600)
    end)
    time.sleep(600)
  end)
  t.same(ended, false)
  await("the handler is ended", function() return ended end)
  t.ok(ended >= 1.9, ended)
end)

t.case("apart goes on when the call that began it waits for nothing", function()
  local said = {}
  local one = task.apart("one", function()
    time.sleep(0.01)
    said[#said + 1] = "one"
    task.signal "said"
  end)
  t.same(one:runs(), true)
  while #said == 0 do task.await "said" end
  time.sleep(0.001)
  t.same(one:runs(), false)
  one:stop()
end)

t.case("apart is stopped, and closes what it has open", function()
  local closed = false
  local one = task.apart("one", function()
    local _ <close> = closing(function() closed = true end)
    time.sleep(60)
  end)
  time.sleep(0.001)
  one:stop()
  t.same({ one:runs(), closed }, { false, true })
end)

t.case("a handler that closes may end the task that it is ended by", function()
  local outer, inner
  outer = task.apart("outer", function()
    inner = task.apart("inner", function()
      local _ <close> = closing(function() outer:stop() end)
      time.sleep(600)
    end)
    time.sleep(0.001)
    inner:stop()
    time.sleep(600)
  end)
  for _ = 1, 2000 do
    if not outer:runs() then break end
    time.sleep(0.005)
  end
  t.same({ outer:runs(), inner:runs() }, { false, false })
end)

t.case("a handler that closes in a task of its own may end the stopped task once more", function()
  local one
  one = task.apart("one", function()
    task.with_timeout(600, function()
      local _ <close> = closing(function() one:stop() end)
      time.sleep(600)
    end)
  end)
  time.sleep(0.001)
  one:stop()
  t.same(one:runs(), false)
end)

t.case("a signal wakes all that await it, and no others", function()
  local woken = {}
  local function waiter(name)
    return task.apart(name, function()
      task.await(name)
      woken[#woken + 1] = name
    end)
  end
  local other = waiter "b"
  for _ = 1, 3 do waiter "a" end
  time.sleep(0.001)
  task.signal "nobody"
  task.signal "a"
  time.sleep(0.001)
  t.same(woken, { "a", "a", "a" })
  other:stop()
  t.same(other:runs(), false)
  task.signal "b"
  t.same(#woken, 3)
end)

t.case("a wait for a signal is given up at its time limit", function()
  t.same(task.with_timeout(0.01, function() task.await "never" end), nil)
  task.signal "never"
end)

t.done()
