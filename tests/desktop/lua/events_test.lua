--- sys.events and the event streams of other modules: changes on a desktop, as scripts are told of them.
local app       = require "sys.app"
local clipboard = require "sys.clipboard"
local display   = require "sys.display"
local events    = require "sys.events"
local hotkey    = require "sys.hotkey"
local idle      = require "sys.idle"
local input     = require "sys.input"
local process   = require "sys.process"
local t         = require "check"
local task      = require "sys.task"
local time      = require "sys.time"
local window    = require "sys.window"
local world     = require "world"

local LONG = 60   -- seconds; only against hanging

--- The events of a stream until this one, and not it; the others by their names.
local function await(stream, about, what, fits)
  local ends, seen = time.monotonic() + LONG, {}
  while true do
    local event, err = stream:next(math.max(ends - time.monotonic(), 0))
    if not event then error(("no %s %s: %s; %s"):format(about, what, err, table.concat(seen, ", ")), 2) end
    if event.about == about and event.what == what and (not fits or fits(event)) then return event, seen end
    seen[#seen + 1] = event.about .. " " .. event.what
  end
end

local function of(opened) return function(event) return event.window.id == opened.window.id end end

t.case("a window and its application, in their order", function()
  local stream <close> = assert(events.watch { "windows", "apps" })
  local opened = world.open()
  local began = await(stream, "apps", "opened", function(event) return event.app.pid == opened.app.pid end)
  t.same(began.app.name, world.called)
  local came = await(stream, "windows", "opened", of(opened))
  t.same(came.window.pid, opened.app.pid)
  await(stream, "windows", "focused", function(event) return event.window and event.window.id == opened.window.id end)
  assert(app.quit(opened.app, { force = true }))
  local gone = await(stream, "windows", "closed", of(opened))
  t.same(gone.window.app, came.window.app)
  await(stream, "apps", "closed", function(event) return event.app.pid == opened.app.pid end)
  t.same(stream:dropped(), 0)
end)

t.case("an application that ended while nobody listened is not reported later", function()
  local first, other = assert(events.watch { "apps" }), assert(events.watch { "clipboard" })
  local opened = world.open()
  await(first, "apps", "opened", function(event) return event.app.pid == opened.app.pid end)
  first:close()
  for i = 1, 2 do   -- the watcher has heard of that at the latest when it reports the second of two changes after it
    assert(clipboard.write { ["text/plain"] = "x" .. i })
    await(other, "clipboard", "changed")
  end
  t.same(assert(app.quit(opened.app, { force = true })).done, true)
  local second <close> = assert(events.watch { "apps" })
  local again <close> = world.open()
  local _, seen = await(second, "apps", "opened", function(event) return event.app.pid == again.app.pid end)
  assert(clipboard.write { ["text/plain"] = "y" })
  await(other, "clipboard", "changed")
  other:close()
  assert(app.quit(again.app, { force = true }))
  await(second, "apps", "closed", function(event)
    seen[#seen + 1] = event.app.pid == opened.app.pid and "the first one closed" or nil
    return event.app.pid == again.app.pid
  end)
  t.hasnt(table.concat(seen, ", "), "closed")
end)

t.case("a window that moves, and its states", function()
  local opened <close> = world.open()
  assert(window.place(opened.window, { x = 120, y = 90, width = 500, height = 400 }))
  local stream <close> = assert(events.watch { "windows" })
  assert(window.move(opened.window, 240, 160))
  local moved = await(stream, "windows", "moved", function(event) return of(opened)(event) and event.window.frame.x == 240 end)
  t.same({ moved.before.width, moved.window.frame.y }, { moved.window.frame.width, 160 })
  assert(window.minimize(opened.window))
  local changed = await(stream, "windows", "changed", of(opened))
  t.ok(changed.window.minimized)
end)

t.case("an event says when it was told", function()
  local stream <close> = assert(events.watch { "clipboard" })
  local before = time.monotonic()
  assert(clipboard.write { ["text/plain"] = "x" })
  local event = assert(stream:next(LONG))
  t.ok(event.at >= before and event.at <= time.monotonic())
end)

t.case("each stream gets what it asked for", function()
  local one <close> = assert(events.watch { "clipboard" })
  local two <close> = assert(events.watch { "windows", "clipboard" })
  assert(clipboard.write { ["text/plain"] = "y" })
  await(one, "clipboard", "changed")
  await(two, "clipboard", "changed")
  t.same(select(3, one:next(0)), "timeout")
end)

t.case("a stream that is full loses the oldest events, and counts them", function()
  local stream <close> = assert(events.watch({ "clipboard" }, 2))
  local other <close> = assert(events.watch { "clipboard" })
  for i = 1, 5 do
    assert(clipboard.write { ["text/plain"] = tostring(i) })
    await(other, "clipboard", "changed")
  end
  t.same(stream:dropped(), 3)
  await(stream, "clipboard", "changed")
  await(stream, "clipboard", "changed")
  t.same(select(3, stream:next(0)), "timeout")
end)

t.case("closing a stream ends the wait for it", function()
  local stream = assert(events.watch { "displays" })
  task.apart("closes", function() stream:close() end)
  t.same(select(3, stream:next(LONG)), "closed")
  t.same({ stream:next(0) }, { nil, "it was closed", "closed" })
end)

t.case("two tasks do not wait for one stream", function()
  local stream <close> = assert(events.watch { "displays" })
  local codes = task.map({ 1, 2 }, function() return (select(3, stream:next(0.2))) end)
  table.sort(codes)
  t.same({ codes[1], codes[2] }, { "busy", "timeout" })
end)

t.case("window events of one application", function()
  local all <close> = assert(window.events { what = "opened" })
  local opened <close> = world.open()
  local first = assert(all:next(LONG))
  local own <close> = assert(window.events { app = first.window.app:upper(), what = { "opened", "closed" } })
  local other <close> = assert(window.events { title = "no window has this title" })
  local second = world.open()
  t.same(assert(own:next(LONG)).window.id, second.window.id)
  assert(app.quit(second.app, { force = true }))
  local closed = assert(own:next(LONG))
  t.same({ closed.what, closed.window.id }, { "closed", second.window.id })
  t.same(select(3, other:next(0)), "timeout")
  t.ok(opened)
end)

t.case("events of an application come by its name, its ID and the class of its windows", function()
  local class
  do
    local opened <close> = world.open()
    class = assert(window.get(opened.window)).app
  end
  for _, name in ipairs { world.called, world.id, class } do
    local windows <close> = assert(window.events { app = name, what = { "opened", "closed" } })
    local apps <close> = assert(app.events { app = name, what = { "opened", "closed" } })
    do
      local opened <close> = world.open()
      t.same(assert(windows:next(60)).window.pid, opened.app.pid, name)
      t.same(assert(apps:next(60)).app.pid, opened.app.pid, name)
    end
    t.same({ assert(windows:next(60)).what, assert(apps:next(60)).what }, { "closed", "closed" }, name)
  end
end)

t.case("wrong options of window.events are refused", function()
  t.raises(function() window.events { what = "opens" } end, '"opens" is none of its events: opened, closed')
  t.raises(function() window.events { titel = "x" } end, "unknown option 'titel'; did you mean title%?")
  t.raises(function() window.events { app = 1 } end, "'app' must be a string, not a number")
  t.raises(function() window.events({}, 1) end, "expected a function, not a number")
end)

t.case("a loop over events ends when they are closed", function()
  local source = assert(clipboard.events())
  local count = 0
  task.apart("copies", function()
    for i = 1, 3 do assert(clipboard.write { ["text/plain"] = "z" .. i }) end
  end)
  for event in source do
    count = count + 1
    t.same(event.what, "changed")
    if count == 3 then source:close() end
  end
  t.same(count, 3)
end)

t.case("a function is called for each event, and one that fails is called again", function()
  local count = 0
  local handle = assert(clipboard.events(function()
    count = count + 1
    if count == 1 then error "the first one" end
    task.signal "second"
  end))
  assert(clipboard.write { ["text/plain"] = "one" })
  task.apart("copies", function() assert(clipboard.write { ["text/plain"] = "two" }) end)
  t.same(select(3, task.with_timeout(LONG, function() while count < 2 do task.await "second" end end)), nil)
  t.same(handle.failures, 1)
  t.ok(handle:runs())
  handle:stop()
  t.same({ handle:runs(), tostring(handle) }, { false, "sys.clipboard.events (ended)" })
end)

t.case("displays that are connected already are not reported as new", function()
  local source <close> = assert(display.events())
  t.same(select(3, source:next(0.05)), "timeout")
end)

t.case("keys call their functions, whatever window has the keyboard", function()
  local pressed, released = 0, 0
  local handle = assert(hotkey.bind("ctrl+alt+k", function() pressed = pressed + 1 end, function()
    released = released + 1
    task.signal "released"
  end))
  t.same(handle.keys, "ctrl+alt+k")
  for i = 1, 2 do
    task.apart("presses", function() assert(input.keys "ctrl+alt+k") end)
    t.same(select(3, task.with_timeout(LONG, function() while released < i do task.await "released" end end)), nil)
  end
  t.same({ pressed, released }, { 2, 2 })
  local again, err, code = hotkey.bind("alt+ctrl+K", function() end)
  t.same({ again, code }, { nil, "hotkey_taken" })
  t.has(err, "is bound by sys.hotkey ctrl+alt+k already")
  handle:stop()
  assert(hotkey.bind("ctrl+alt+k", function() end)):stop()
end)

t.case("a held key repeats until it is released, and a slow function is not called for repeats that it slept through", function()
  if world.name ~= "x11" then t.skip "only X11 repeats keys" end
  local calls, slow = {}, false
  local function note(word)
    return function()
      calls[#calls + 1] = word
      if slow and word == "r" then time.sleep(0.5) end
      task.signal "called"
    end
  end
  local function await_calls(fits)
    t.same(select(3, task.with_timeout(LONG, function() while not fits(table.concat(calls)) do task.await "called" end end)), nil)
  end
  local handle = assert(hotkey.bind("playpause", note "p", note "u", note "r"))
  task.apart("holds", function() assert(input.key_down "XF86AudioPlay") end)
  await_calls(function(all) return all:find "^prrr+$" end)
  slow = true
  await_calls(function(all) return #all > 6 end)
  local before
  task.apart("lets go", function()
    assert(input.key_up "play")
    before = #calls
    task.signal "called"
  end)
  await_calls(function(all) return before and all:find "u$" end)
  t.ok(table.concat(calls):find "^pr+u$", table.concat(calls))
  t.ok(#calls <= before + 2, ("%d calls, %d of them when the key was let go"):format(#calls, before))
  handle:stop()
end)

t.case("keys that are pressed while the keyboard changes are heard", function()
  if world.name ~= "x11" then t.skip "only X11 tells of it" end
  local pressed, presses, over = 0, 60, false
  local handle = assert(hotkey.bind("ctrl+alt+k", function()
    pressed = pressed + 1
    task.signal "pressed"
  end))
  task.apart("changes a key that nobody uses", function()   -- as the server also does when the user goes to another keyboard
    for round = 1, math.huge do
      if over then break end
      assert(process.run { "xmodmap", "-e", "keycode 250 = " .. (round % 2 == 0 and "F20" or "F21"), timeout = LONG })
    end
    task.signal "changed"
  end)
  for i = 1, presses do
    task.apart("presses", function() assert(input.keys "ctrl+alt+k") end)
    t.same(select(3, task.with_timeout(LONG, function() while pressed < i do task.await "pressed" end end)), nil, "press " .. i)
  end
  over = true
  task.await "changed"
  handle:stop()
end)

t.case("media keys are bound by each of their names", function()
  if world.name ~= "x11" and world.name ~= "fake" then t.skip "macOS takes media keys itself" end
  local bound = 0
  for _, keys in ipairs { "volumeup", "volumedown", "mute", "nexttrack", "previoustrack", "stop", "brightnessup",
    "brightnessdown", "ctrl+XF86AudioNext" } do
    local pressed = false
    local handle, err, code = hotkey.bind(keys, function() pressed = true task.signal "pressed" end)
    if handle then
      bound = bound + 1
      task.apart("presses", function() assert(input.keys(keys)) end)
      t.same(select(3, task.with_timeout(LONG, function() while not pressed do task.await "pressed" end end)), nil, keys)
      handle:stop()
    else
      t.same(code, "hotkey_taken", err)      -- fluxbox binds some
    end
  end
  t.ok(bound >= 4, ("only %d can be bound"):format(bound))
end)

t.case("keys that cannot be bound are refused", function()
  t.same(select(3, hotkey.bind("ctrl+alt", function() end)), "unknown_key")
  t.same(select(3, hotkey.bind("ctrl+nokey", function() end)), "unknown_key")
  t.raises(function() hotkey.bind "ctrl+k" end, "expected a function")
end)

t.case("wrong arguments raise", function()
  t.raises(function() events.watch {} end, "nothing to watch")
  t.raises(function() events.watch { "hotkey" } end, "expected windows, apps, displays, clipboard or active")
  t.raises(function() events.watch({ "windows" }, 0) end, "1 to 100000 expected")
end)

t.case("100 streams that come and go", function()
  for _ = 1, 100 do
    local stream <close> = assert(events.watch { "windows" })
    t.same(select(3, stream:next(0)), "timeout")
  end
end)

task.release()
t.case("a rest is told when it is long enough, and its end at once", function()
  assert(input.move(200, 200))
  t.ok(assert(idle.seconds()) < 5)
  local rests <close> = assert(idle.events { after = 1.2 })
  t.same(select(3, rests:next(0.1)), "timeout")
  local began = assert(rests:next(LONG))
  t.same(began.what, "idle")
  t.ok(began.seconds >= 1.2 and began.seconds <= idle.seconds() + 0.05, began.seconds)
  t.same(select(3, rests:next(0.05)), "timeout")
  task.apart("moves", function() time.sleep(0.3) assert(input.move(220, 220)) end)
  local ended = assert(rests:next(LONG))
  t.same(ended.what, "active")
  t.ok(ended.seconds >= began.seconds + 0.2 and idle.seconds() < ended.seconds, ended.seconds)
  local told
  local handle = assert(idle.events({ after = 1 }, function(event) told = told or event.what end))
  local ends = time.monotonic() + LONG
  while not told and time.monotonic() < ends do time.sleep(0.05) end
  t.same({ told, handle:runs() }, { "idle", true })
  handle:stop()
end)

t.case("wrong options of idle.events are refused", function()
  t.raises(function() idle.events() end, "pass after: 1 to 86400 seconds")
  t.raises(function() idle.events { after = 0.5 } end, "pass after")
  t.raises(function() idle.events { afer = 5 } end, "did you mean after%?")
end)

t.done()
