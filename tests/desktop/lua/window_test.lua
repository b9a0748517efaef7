--- sys.window: finding, moving, states, focus, closing.
local t      = require "check"
local window = require "sys.window"
local world  = require "world"

local function size(rect) return { rect.width, rect.height } end
local function corner(rect) return { rect.x, rect.y } end

--- In the middle of things, and not maximized.
local function fresh()
  local opened = world.open()
  assert(window.place(opened.window, { x = 120, y = 90, width = 500, height = 400 }))
  return opened
end

t.case("list and get give the same values of a window", function()
  local opened <close> = world.open()
  local listed
  for _, w in ipairs(assert(window.list())) do
    if w.id == opened.window.id then listed = w end
  end
  t.ok(listed)
  local got = assert(window.get(listed))
  for _, key in ipairs { "pid", "started", "id", "title", "app", "instance", "kind", "workspace", "focused", "on_screen" } do
    t.same(got[key], listed[key], key)
  end
  t.same(got.frame, listed.frame)
  t.same(got.content, listed.content)
end)

t.case("the focused window is the one that was focused last", function()
  local one <close> = fresh()
  local two <close> = fresh()
  for _, opened in ipairs { one, two, one } do
    t.same(assert(window.focus(opened.window)).done, true)
    t.same(assert(window.focused()).id, opened.window.id)
  end
  t.raises(function() window.focused { timeout = 0 } end, "timeout")
end)

t.case("a list of one process has its windows only, in order", function()
  local one <close> = world.open()
  local two <close> = world.open()
  local windows = assert(window.list { pid = one.app.pid })
  t.same(#windows, 1)
  t.same(windows[1].id, one.window.id)
  t.same(#assert(window.list { pid = 1 }), 0)
  local all = assert(window.list())
  t.ok(#all >= 2)
  for i, w in ipairs(all) do t.same(w.order, i - 1) end
  t.ok(two.app.pid ~= one.app.pid)
end)

t.case("windows say where their program is on the D-Bus, if their toolkit does", function()
  local opened <close> = world.open()
  local exports, mine = assert(window.exports()), nil
  for _, each in ipairs(exports) do
    if each.id == opened.window.id then mine = each end
  end
  if world.is_fake or world.is_mac then return t.same(exports, {}) end
  t.same({ mine.pid, mine.application, mine.app_path }, { opened.app.pid, world.id, "/org/xfce/mousepad" })
  t.ok(mine.bus:find "^:%d+%.%d+$" and mine.window_path:find "^/org/xfce/mousepad/window/%d+$", t.show(mine))
  t.raises(function() window.exports { app = "x" } end, "app")
end)

t.case("a change of any window ends the wait for one", function()
  local opened <close> = fresh()
  local mark = assert(window.changed())
  t.same(assert(window.changed(mark, { wait = 0.05 })), mark, "nothing changed")
  assert(window.move(opened.window, 210, 160))
  local moved = assert(window.changed(mark))
  t.ok(moved ~= mark)
  local other <close> = world.open()
  t.ok(other.window)
  t.ok(assert(window.changed(moved)) ~= moved)
  t.raises(function() window.changed "no mark" end, "mark")
end)

--- The differences about a window, as words.
local function told_of(id, before, after)
  local list = {}
  for _, each in ipairs(window.differences(before, after)) do
    if each.window and each.window.id == id then list[#list + 1] = each.what end
  end
  return table.concat(list, " ")
end

t.case("two marks tell what became of a window between them", function()
  local mark = assert(window.changed())
  local opened <close> = fresh()
  local id = opened.window.id
  local there = assert(window.changed(mark))
  t.match(told_of(id, mark, there), "^opened")
  t.match(told_of(id, nil, there), "^opened")
  t.same(told_of(id, there, there), "")
  t.match(told_of(id, there, mark), "^closed")
  local before = assert(window.get(opened.window)).frame
  assert(window.move(opened.window, 215, 165))
  local moved = assert(window.changed(there))
  for _, each in ipairs(window.differences(there, moved)) do
    if each.what == "moved" and each.window.id == id then
      t.same(each.before, before)
      t.same(each.window.frame.x, 215)
    end
  end
  t.match(told_of(id, there, moved), "moved")
  t.raises(function() window.differences(there) end, "mark")
  t.raises(function() window.differences("1", there) end, "mark")
end)

t.case("moving and resizing are exact and tell before and after", function()
  local opened <close> = fresh()
  local w = opened.window
  local moved = assert(window.move(w, 200, 150))
  t.same({ moved.done, moved.gone, moved.note }, { true, false, nil })
  t.same(corner(moved.before), { 120, 90 })
  t.same(corner(moved.after), { 200, 150 })
  local resized = assert(window.resize(w, 640, 420))
  t.same(resized.done, true)
  t.same(size(resized.after), { 640, 420 })
  t.same(corner(resized.after), { 200, 150 })
  local placed = assert(window.place(w, { x = 100, y = 80, width = 600, height = 410 }))
  t.same(placed.after, { x = 100, y = 80, width = 600, height = 410 })
  t.same(assert(window.get(w)).frame, placed.after)
end)

t.case("minimizing and restoring", function()
  local opened <close> = fresh()
  local w = opened.window
  local away = assert(window.minimize(w))
  t.same({ away.done, away.minimized, away.focused }, { true, true, false })
  local got = assert(window.get(w))
  t.same({ got.minimized, got.on_screen }, { true, false })
  local back = assert(window.restore(w))
  t.same({ back.done, back.minimized }, { true, false })
  t.same(assert(window.get(w)).on_screen, true)
end)

t.case("a maximized or full-screen window is placed as asked", function()
  if world.name == "mac" then t.skip "a full-screen window is restored first" end
  local opened <close> = fresh()
  local w = opened.window
  local normal = assert(window.get(w)).frame
  for _, state in ipairs { "maximize", "fullscreen" } do
    local frame = { x = 90, y = 80, width = 600, height = 410 }
    for verb, args in pairs { move = { 200, 150 }, resize = { 640, 420 }, place = { frame } } do
      assert(window.place(w, normal))
      t.same(assert(window[state](w)).done, true, state)
      local outcome = assert(window[verb](w, table.unpack(args)))
      t.same({ outcome.done, outcome.maximized, outcome.fullscreen }, { true, false, false }, state .. " " .. verb)
      if verb ~= "place" then t.same(verb == "move" and size(outcome.after) or corner(outcome.after),
        verb == "move" and size(normal) or corner(normal), state .. " " .. verb) end
    end
  end
end)

t.case("maximizing, fullscreen, and back to the size before", function()
  local opened <close> = fresh()
  local w = opened.window
  for _, verb in ipairs { "maximize", "fullscreen" } do
    local big = assert(window[verb](w))
    t.same({ big.done, big.note }, { true, nil }, verb)
    t.same(big[verb == "maximize" and "maximized" or "fullscreen"], true)
    t.ok(big.after.width > 600 and big.after.height > 500)
    local back = assert(window.restore(w))
    t.same({ back.done, back.maximized, back.fullscreen }, { true, false, false }, verb)
    t.same(size(back.after), { 500, 400 })
  end
end)

t.case("focus goes to the window, out of minimized too", function()
  local one <close> = world.open()
  local two <close> = world.open()
  for _, opened in ipairs { one, two, one } do
    local outcome = assert(window.focus(opened.window))
    t.same({ outcome.done, outcome.focused }, { true, true })
    t.same(assert(window.list())[1].id, opened.window.id)
  end
  assert(window.minimize(one.window))
  local outcome = assert(window.focus(one.window))
  t.same({ outcome.done, outcome.focused, outcome.minimized }, { true, true, false })
  t.same(assert(window.get(two.window)).focused, false)
end)

t.case("a closed window is gone, and stays gone for every verb", function()
  local opened <close> = world.open()
  local outcome = assert(window.close(opened.window))
  t.same({ outcome.done, outcome.gone, outcome.after }, { true, true, nil })
  for _, verb in ipairs { "get", "focus", "minimize", "restore", "maximize", "fullscreen", "close" } do
    local got, err, code = window[verb](opened.window)
    t.same({ got, code }, { nil, "window_not_found" }, verb)
    t.ok(#err > 10)
  end
  t.same({ select(3, window.move(opened.window, 1, 2)) }, { "window_not_found" })
end)

t.case("a window's number is good for its own process only", function()
  local one <close> = world.open()
  local two <close> = world.open()
  local w = one.window
  for _, wrong in ipairs {
    { pid = w.pid, started = w.started + 1, id = w.id },
    { pid = two.app.pid, started = two.app.started, id = w.id },
    { pid = w.pid, started = w.started, id = 3 },
    { pid = w.pid, started = w.started, id = -1 },
    { pid = w.pid, started = w.started, id = math.maxinteger },
  } do
    t.same({ select(3, window.get(wrong)) }, { "window_not_found" })
    t.same({ select(3, window.close(wrong)) }, { "window_not_found" })
  end
  t.same(assert(window.get { pid = w.pid, started = 0, id = w.id }).id, w.id)
  t.same(assert(window.get(w)).id, w.id)
end)

t.case("wrong arguments raise and name the field", function()
  local w = { pid = 1, started = 2, id = 3 }
  t.raises(function() window.get() end, "table expected")
  t.raises(function() window.get { pid = 1, started = 2 } end, "'id'")
  t.raises(function() window.get { pid = 1, started = "2", id = 3 } end, "'started'")
  t.raises(function() window.move(w, 1) end, "number expected")
  t.raises(function() window.move(w, 0 / 0, 1) end, "points")
  t.raises(function() window.move(w, 1e7, 1) end, "points")
  t.raises(function() window.resize(w, 0, 5) end, "at least 1")
  t.raises(function() window.resize(w, 5, -5) end, "at least 1")
  t.raises(function() window.place(w, { x = 1, y = 2, width = 3 }) end, "'height'")
  t.raises(function() window.focus(w, { wait = -1 }) end, "'wait'")
  t.raises(function() window.focus(w, { patience = 1 }) end, "no such option")
  t.raises(function() window.list { pid = "1" } end, "'pid'")
  t.raises(function() window.list { all_kinds = 1 } end, "'all_kinds'")
end)

t.done()
