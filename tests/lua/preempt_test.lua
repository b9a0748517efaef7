#!/usr/bin/env tests/lua/run
--- Scripts that compute take turns with each other and with the loop. Times here only tell "soon" from "never".
local t       = require "check"
local process = require "sys.process"
local task    = require "sys.task"
local time    = require "sys.time"

--- Spins until `done()`; everything else has to go on meanwhile.
local function spin_until(done)
  local n = 0
  while not done() do n = n + 1 end
  return n
end

t.case("two that spin share the time", function()
  local turns, last = { 0, 0 }, 0
  task.map({ 1, 2 }, function(i)
    while turns[1] < 5 or turns[2] < 5 do
      if last ~= i then turns[i] = turns[i] + 1 end
      last = i
    end
  end)
  t.ok(turns[1] >= 5 and turns[2] >= 5)
end)

t.case("a timer fires while others spin", function()
  local woken = 0
  task.map({ 1, 2, 3 }, function(i)
    if i == 3 then
      for _ = 1, 5 do
        time.sleep(0.005)
        woken = woken + 1
      end
      return
    end
    spin_until(function() return woken == 5 end)
  end)
  t.same(woken, 5)
end)

t.case("a child is heard while others spin", function()
  local child <close> = process.start { "cat" }
  local heard
  task.map({ 1, 2 }, function(i)
    if i == 2 then
      child:write "hello\n"
      heard = child:read_line()
      return
    end
    spin_until(function() return heard end)
  end)
  t.same(heard, "hello")
end)

t.case("loops without a function call take turns, too", function()
  for _, body in ipairs {
    function(shared) while not shared.done do end end,
    function(shared) repeat until shared.done end,
    function(shared) ::top:: if not shared.done then goto top end end,
    function(shared) for _ = 1, math.maxinteger do if shared.done then break end end end,
    function(shared) local function f() if not shared.done then return f() end end f() end,
    function(shared) while not shared.done do pcall(error) end end,
    function(shared) while not shared.done do local s = ("x"):rep(1000000) shared.s = #s end end,
    function(shared) for _ in function() return not shared.done or nil end do end end,
  } do
    local shared = {}
    task.map({ 1, 2 }, function(i)
      if i == 1 then return body(shared) end
      time.sleep(0.01)
      shared.done = true
    end)
    t.same(shared.done, true)
  end
end)

t.case("results are right though the turns come anywhere", function()
  local function sum(from, to)
    local s = 0
    for i = from, to do
      s = s + select(2, pcall(function() return i end))
    end
    return s
  end
  local results = task.map({ 1, 2, 3, 4 }, function(i) return sum(i, i + 200000) end)
  for i = 1, 4 do t.same(results[i], (2 * i + 200000) * 200001 // 2) end
end)

t.case("a stopped spinner leaves the others alone", function()
  local result = task.map({ 1, 2, 3 }, function(i)
    if i == 2 then
      time.sleep(0.05)
      return "slept"
    end
    return select(3, task.with_timeout(0.02, function() while true do end end))
  end)
  t.same(result, { "timeout", "slept", "timeout", n = 3 })
end)

t.done()
