#!/usr/bin/env tests/lua/run
--- sys.task.spawn: tasks alongside the one that makes them. What the log has of them is in tests/cli/tasks_test.py.
local t    = require "check"
local task = require "sys.task"
local time = require "sys.time"

local function closing(fn)
  return setmetatable({}, { __close = fn })
end

t.case("join gives every result of the function", function()
  local one = task.spawn(function(a, b) return a + b, nil, "x" end, 1, 2)
  t.same(table.pack(one:join()), { 3, nil, "x", n = 3 })
  t.same(table.pack(one:join()), { 3, nil, "x", n = 3 }, "once more")
  t.same(table.pack(task.spawn(function() end):join()), { n = 0 })
end)

t.case("it runs while the one that made it goes on, and after that waits", function()
  local log = {}
  local one = task.spawn(function()
    log[#log + 1] = "begun"
    time.sleep(0.001)
    log[#log + 1] = "ended"
  end)
  log[#log + 1] = "made"
  t.same(one:status(), "running")
  one:join()
  t.same(one:status(), "done")
  t.same(log, { "made", "begun", "ended" })
end)

t.case("several may join one", function()
  local one = task.spawn(function()
    time.sleep(0.005)
    return "same"
  end)
  t.same(task.map({ 1, 2, 3 }, function() return one:join() end), { "same", "same", "same", n = 3 })
end)

t.case("an error is what join gives, with its place", function()
  local one = task.spawn(function() error "broke" end)
  local value, err, code = one:join()
  t.same({ value, code, one:status() }, { nil, "runtime", "failed" })
  t.match(err, "sys_task_spawn_test.lua:%d+: broke$")
end)

t.case("an error value that is not text is named", function()
  local _, err = task.spawn(function() error {} end):join()
  t.same(err, "error value is a table: {}")
end)

t.case("failures that are returned are results like others", function()
  t.same(table.pack(task.spawn(function() return nil, "no such file", "not_found" end):join()),
    { nil, "no such file", "not_found", n = 3 })
end)

t.case("join waits for no longer than it is told, and the task goes on", function()
  local channel = task.channel()
  local one = task.spawn(function() return channel:receive() end)
  local value, err, code = one:join(0.001)
  t.same({ value, code, one:status() }, { nil, "timeout", "running" })
  t.has(err, "did not end within 0.001 s")
  channel:send "late"
  t.same(one:join(20), "late")
end)

t.case("cancel ends it at once, and what it has open is closed", function()
  local closed = false
  local one = task.spawn(function()
    local _ <close> = closing(function() closed = true end)
    time.sleep(600)
  end)
  time.sleep(0.001)
  one:cancel()
  t.same({ one:status(), closed }, { "cancelled", true })
  local value, err, code = one:join()
  t.same({ value, code }, { nil, "cancelled" })
  t.has(err, "was cancelled")
  one:cancel()
end)

t.case("one that has not begun is never begun after a cancel", function()
  local begun = false
  local one = task.spawn(function() begun = true end)
  one:cancel()
  time.sleep(0.001)
  t.same({ one:status(), begun }, { "cancelled", false })
end)

t.case("closing the handle cancels the task", function()
  local one
  do
    local held <close> = task.spawn(function() time.sleep(600) end)
    one = held
  end
  t.same(one:status(), "cancelled")
end)

t.case("a task that waits in join is told of a cancel", function()
  local one = task.spawn(function() time.sleep(600) end)
  local code = task.spawn(function() return select(3, one:join()) end)
  time.sleep(0.001)
  one:cancel()
  t.same(code:join(), "cancelled")
end)

--- Waits until test() is true.
local function await(what, test)
  for _ = 1, 4000 do
    if test() then return end
    time.sleep(0.005)
  end
  t.ok(false, what)
end

t.case("children end when the task that made them does: by returning, failing, or being stopped", function()
  for _, ending in ipairs { function() end, function() error "no" end, function() time.sleep(600) end } do
    local begun, ended = 0, 0
    local function child(fn)
      return function()
        local _ <close> = closing(function() ended = ended + 1 end)
        begun = begun + 1
        if fn then task.spawn(fn) end
        time.sleep(600)
      end
    end
    local maker = task.spawn(function()
      for _ = 1, 3 do task.spawn(child(child())) end
      await("all begin", function() return begun == 6 end)
      ending()
    end)
    await("all begin", function() return begun == 6 end)
    if not maker:join(0.1) then maker:cancel() end
    maker:join()
    t.same(ended, 6)
  end
end)

t.case("children are gone before what their maker has open is closed", function()
  local log, begun = {}, false
  local maker = task.spawn(function()
    local _ <close> = closing(function() log[#log + 1] = "maker" end)
    task.spawn(function()
      local inner <close> = closing(function() log[#log + 1] = "child" end) -- luacheck: ignore inner
      begun = true
      time.sleep(600)
    end)
    time.sleep(600)
  end)
  await("the child begins", function() return begun end)
  maker:cancel()
  t.same(log, { "child", "maker" })
end)

t.case("a task may end the one that made it, which waits for something else", function()
  local log = {}
  local outer
  outer = task.spawn(function()
    local _ <close> = closing(function() log[#log + 1] = "outer closed" end)
    task.spawn(function()
      local _ <close> = closing(function() log[#log + 1] = "inner closed" end)
      outer:cancel()
      log[#log + 1] = "goes on up to its next wait"
      time.sleep(600)
    end)
    time.sleep(600)
  end)
  local _, _, code = outer:join(20)
  t.same(code, "cancelled")
  t.same(log, { "goes on up to its next wait", "inner closed", "outer closed" })
end)

t.case("a task that is waited for may end the one that waits", function()
  local log = {}
  local outer
  outer = task.spawn(function()
    task.map({ 1 }, function()
      local _ <close> = closing(function() log[#log + 1] = "closed" end)
      outer:cancel()
      time.sleep(600)
    end)
  end)
  t.same(select(3, outer:join(20)), "cancelled")
  t.same(log, { "closed" })
end)

t.case("a task may cancel itself", function()
  local one
  one = task.spawn(function()
    one:cancel()
    time.sleep(600)
  end)
  t.same(select(3, one:join(20)), "cancelled")
end)

t.case("no more than 256 at once in one call, wherever they are made", function()
  local made, err, code = {}, nil, nil
  local function more(n)
    for _ = 1, n do
      local one
      one, err, code = task.spawn(function() time.sleep(600) end)
      made[#made + 1] = one
    end
  end
  more(250)
  t.same(#made, 250)
  task.spawn(more, 10):join()
  t.same({ #made, code }, { 255, "too_many_tasks" }, "with the one that makes them")
  t.has(err, "256 tasks")
  for _, one in ipairs(made) do one:cancel() end
  made = {}
  more(1)
  t.same(#made, 1, "after their end there is room again")
  made[1]:cancel()
end)

t.case("a task cannot join itself, nor one that it ends with", function()
  local one, outer
  one = task.spawn(function() one:join() end)
  t.has(select(2, one:join()), "a task cannot join itself")
  outer = task.spawn(function() return select(2, task.spawn(function() outer:join() end):join()) end)
  t.has(outer:join(), "a task cannot join one that it ends with")
end)

t.case("the deadline of the maker is theirs", function()
  task.with_timeout(20, function()
    t.ok(task.spawn(function() return task.remaining() end):join() <= 20)
  end)
end)

t.case("a handle that is kept after the maker's end says so", function()
  local kept
  task.with_timeout(5, function() kept = task.spawn(function() time.sleep(600) end) end)
  t.same({ kept:status(), select(3, kept:join()) }, { "cancelled", "cancelled" })
end)

t.case("wrong arguments raise", function()
  t.raises(function() task.spawn() end, "function expected")
  t.raises(function() task.spawn "x" end, "function expected")
  t.raises(function() task.spawn(function() end):join(0) end, "expected more than 0")
  t.raises(function() task.spawn(function() end).join() end, "sys.task.Task expected")
end)

-- --- locks -----------------------------------------------------------------------------

t.case("one of a task alongside is waited for", function()
  local held = task.lock "shared"
  local one = task.spawn(function()
    local _ <close> = task.lock "shared"
    return "mine now"
  end)
  time.sleep(0.001)
  t.same(one:status(), "running")
  do local _ <close> = held end
  t.same(one:join(20), "mine now")
end)

t.case("a lock that nobody closes is given back when its task ends", function()
  task.spawn(function() task.lock "left open" end):join()
  t.same(task.with_timeout(20, function()
    local _ <close> = task.lock "left open"
    return "mine"
  end), "mine")
end)

t.case("a lock is held until what its holder has open is closed", function()
  local log = {}
  local one = task.spawn(function()
    local _ <close> = task.lock "work"
    local inner <close> = closing(function() log[#log + 1] = "closed" end) -- luacheck: ignore inner
    time.sleep(600)
  end)
  time.sleep(0.001)
  local two = task.spawn(function()
    local _ <close> = task.lock "work"
    log[#log + 1] = "next"
  end)
  time.sleep(0.001)
  one:cancel()
  two:join()
  t.same(log, { "closed", "next" })
end)

t.done()
