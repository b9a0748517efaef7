--- sys.desktop: while a question is open what acts waits, and what looks goes on. Between processes: holding_test.py.
local t         = require "check"
local clipboard = require "sys.clipboard"
local desktop   = require "sys.desktop"
local display   = require "sys.display"
local input     = require "sys.input"
local task      = require "sys.task"
local time      = require "sys.time"
local window    = require "sys.window"
local world     = require "world"

t.case("a hold gives what its function returns", function()
  t.same({ desktop.hold(function() return 1, nil, "three" end) }, { 1, nil, "three" })
  t.same(select("#", desktop.hold(function() end)), 0)
end)

t.case("held() says who holds, and only while the hold lasts", function()
  t.same(desktop.held(), nil)
  local pid = desktop.hold(function() return desktop.held() end)
  t.ok(math.type(pid) == "integer" and pid > 1, tostring(pid))
  t.same(desktop.held(), nil)
end)

--- Runs both at once; the results of the second, which starts when the first holds. A signal is seen by those that wait.
local function during(hold, act)
  local results = task.map({ "act", "hold" }, function(what)
    if what == "hold" then return desktop.hold(function()
      task.signal "holds"
      hold()
    end) end
    task.await "holds"
    return { act() }
  end)
  return results[1]
end

t.case("a click waits for the end of the hold and then happens", function()
  assert(input.move(10, 10))
  local order = {}
  local clicked = during(function()
    time.sleep(0.2)
    t.same({ display.cursor() }, { 10, 10 })
    order[#order + 1] = "answered"
  end, function()
    local out, err = input.move(50, 60)
    order[#order + 1] = "moved"
    return out and out.pointer, err
  end)
  t.same(clicked, { { x = 50, y = 60 } })
  t.same(order, { "answered", "moved" })
end)

t.case("an action that waits too long fails, and does nothing", function()
  assert(input.move(10, 10))
  local over = false
  local failed = during(function() while not over do time.sleep(0.005) end end, function()
    local got = { input.move(50, 60, { timeout = 0.1 }) }
    over = true
    return table.unpack(got, 1, 3)
  end)
  t.same(failed[3], "held")
  t.match(failed[2], "a question to the user is open on this display, so nothing was done")
  t.same({ display.cursor() }, { 10, 10 })
end)

t.case("windows and the clipboard wait as well, and looking goes on", function()
  local opened <close> = world.open()
  local done
  local codes = during(function() while not done do time.sleep(0.005) end end, function()
    local got = {
      select(3, window.focus(opened.window, { timeout = 0.5 })) or "done",
      select(3, clipboard.write({ ["text/plain"] = "x" }, { timeout = 0.5 })) or "done",
      select(3, clipboard.clear { timeout = 0.5 }) or "done",
      select(3, input.keys("a", { timeout = 0.5 })) or "done",
      window.get(opened.window) and "seen",
      display.list() and "seen",
      clipboard.read() and "seen",
    }
    done = true
    return table.unpack(got, 1, 7)
  end)
  t.same(codes, { "held", "held", "held", "held", "seen", "seen", "seen" })
  t.ok(window.focus(opened.window))
end)

t.case("more than one action waits", function()
  local order = {}
  local function act(i)
    task.await "holds"
    assert(input.move(100 + i, 100))
    order[#order + 1] = i
  end
  task.map({ 1, 2, 3, 0 }, function(i)
    if i > 0 then return act(i) end
    desktop.hold(function()
      task.signal "holds"
      time.sleep(0.2)
    end)
  end)
  table.sort(order)
  t.same(order, { 1, 2, 3 })
  t.ok(input.move(5, 5))
end)

t.case("an error, a time limit and a task's end release it", function()
  local err = t.raises(function() desktop.hold(function() error("broke", 0) end) end)
  t.same(err, "broke")
  t.same(desktop.held(), nil)
  local _, _, code = task.with_timeout(0.05, function() desktop.hold(function() time.sleep(60) end) end)
  t.same(code, "timeout")
  t.same(desktop.held(), nil)
  pcall(task.map, { 2, 1 }, function(i)
    if i == 1 then desktop.hold(function() task.signal "holds" time.sleep(60) end) end
    task.await "holds"
    error "the other one is cancelled"
  end)
  t.same(desktop.held(), nil)
  t.ok(input.move(6, 6))
end)

t.case("two holds at once: the first that ends lets nothing through", function()
  local ended = {}
  task.map({ "act", "long", "short" }, function(what)
    if what == "act" then
      task.await "both"
      assert(input.move(7, 7))
    elseif what == "short" then
      desktop.hold(function() task.signal "one" task.await "both" end)
    else
      task.await "one"
      desktop.hold(function()
        task.signal "both"
        while not ended[1] do time.sleep(0.005) end
        time.sleep(0.1)
        t.ok(desktop.held())
      end)
    end
    ended[#ended + 1] = what
  end)
  t.same(ended, { "short", "long", "act" })
end)

t.case("a hold waits for actions that are under way, and gives up in time", function()
  task.map({ "drag", "hold" }, function(what)
    if what == "drag" then
      return t.ok(input.drag({ { x = 100, y = 100 }, { x = 500, y = 100 } }, { duration = 1, timeout = 20 }))
    end
    local err, code
    repeat
      time.sleep(0.001)
      err, code = select(2, desktop.hold(function() end, { timeout = 0 }))
    until err
    t.same(code, "timeout")
    t.match(err, "an action on this display was still under way")
    t.same(desktop.held(), nil)
    t.same({ desktop.hold(function() return display.cursor() end) }, { 500, 100 })
  end)
end)

t.case("wrong arguments raise", function()
  t.raises(function() desktop.hold() end)
  t.raises(function() desktop.hold(print, { timeout = -1 }) end)
  t.raises(function() desktop.hold(print, { timout = 1 }) end)
end)

t.case("stopped says why, and nothing where it is not", function()
  t.same(desktop.stopped(), nil)
  t.ok(input.stop())
  t.match(desktop.stopped(), "the user stopped input with a script %(process %d+%), 20")
  t.same(select(3, window.focus { id = 1, pid = 1, started = 1 }), "stopped")
  t.ok(input.allow())
  t.same(desktop.stopped(), nil)
end)

t.done()
