--- sys.app: what runs, what could, starting and ending.
local app    = require "sys.app"
local t      = require "check"
local window = require "sys.window"
local world  = require "world"

local function by_pid(list, pid)
  for _, a in ipairs(list) do
    if a.pid == pid then return a end
  end
end

t.case("opening one returns when its window is there", function()
  local opened <close> = world.open()
  t.same({ opened.already, opened.ended, opened.note }, { false, false, nil })
  t.ok(opened.app.pid > 0 and opened.app.started ~= 0)
  t.same(opened.window.pid, opened.app.pid)
  t.same(opened.window.started, opened.app.started)
  local shown = assert(window.get(opened.window))
  t.same(shown.kind, "normal")
  t.same(shown.on_screen, true)
end)

t.case("text that is not a URL is not handed to the browser", function()
  for _, wrong in ipairs { "", "example.com", "--version", "https:", "https://a b", "/etc/passwd" } do
    t.same(select(3, app.open_url(wrong)), "not_a_url", wrong)
  end
  t.raises(function() app.open_url() end, "expected a string")
end)

t.case("running applications are listed with their windows, the active one first", function()
  local opened <close> = world.open()
  assert(app.activate(opened.app))
  local list = assert(app.list())
  t.same({ list[1].pid, list[1].active }, { opened.app.pid, true })
  local mine = by_pid(list, opened.app.pid)
  t.same({ mine.name, mine.windows, mine.hidden, mine.started }, { world.called, 1, false, opened.app.started })
  for i = 2, #list do t.same(list[i].active, false) end
end)

t.case("an application is found by its name, its ID and the class of its windows", function()
  local opened <close> = world.open()
  local class = assert(window.get(opened.window)).app
  for _, name in ipairs { world.called, world.called:upper(), world.id, class } do
    t.same(assert(app.find(name)).pid, opened.app.pid, name)
    local pids = {}
    for i, w in ipairs(assert(window.list { app = name })) do pids[i] = w.pid end
    t.same(pids, { opened.app.pid }, name)
  end
  t.same({ assert(window.list { app = "no such application" }) }, { {} })
  local none, err, code = app.find "no such application"
  t.same({ none, code }, { nil, "app_not_found" })
  t.ok(err:find('no running application is called "no such application". Running: ', 1, true), err)
  t.raises(function() app.find "" end, "expected the name of an application")
end)

t.case("a second opening is answered by the one that runs", function()
  local first = assert(app.open { name = world.id, wait = 30 })
  t.same(first.app.windows, 1, "an application with a window has one")
  local second = assert(app.open { name = world.id, wait = 30 })
  t.same({ first.already, second.already }, { false, true })
  t.same({ second.app.pid, second.app.started }, { first.app.pid, first.app.started })
  t.same(assert(app.quit(first.app, { force = true })).done, true)
end)

t.case("the start time tells a process from a later one of the same number", function()
  local opened <close> = world.open()
  local which = { pid = opened.app.pid, started = opened.app.started }
  t.same(assert(app.get(which)).started, which.started)
  t.same(assert(app.get { pid = which.pid, started = 0 }).started, which.started)
  for _, wrong in ipairs { which.started + 1, -1, math.mininteger } do
    for _, call in ipairs { app.get, app.activate, app.quit } do
      local got, err, code = call { pid = which.pid, started = wrong }
      t.same({ got, code }, { nil, "app_not_found" })
      t.has(err, tostring(which.pid))
    end
  end
  t.same(assert(app.get(which)).pid, which.pid)
end)

t.case("activating one gives a window of it the focus", function()
  local one <close> = world.open()
  local two <close> = world.open()
  local outcome = assert(app.activate(one.app))
  t.same({ outcome.done, outcome.note }, { true, nil })
  t.same(outcome.window.id, one.window.id)
  t.same(assert(window.get(one.window)).focused, true)
  t.same(assert(window.get(two.window)).focused, false)
end)

t.case("one that is hidden has no window on the screen until it is shown", function()
  local opened <close> = world.open()
  t.same(assert(app.hide(opened.app)).done, true)
  t.same({ assert(app.get(opened.app)).hidden, assert(window.get(opened.window)).on_screen }, { true, false })
  t.same(assert(app.show(opened.app)).done, true)
  t.same({ assert(app.get(opened.app)).hidden, assert(window.get(opened.window)).on_screen }, { false, true })
end)

t.case("quitting waits for the end", function()
  local opened = world.open()
  local outcome = assert(app.quit(opened.app))
  t.same({ outcome.done, outcome.forced }, { true, false })
  t.same({ select(3, app.get(opened.app)) }, { "app_not_found" })
  t.same({ select(3, window.get(opened.window)) }, { "window_not_found" })
  t.same(by_pid(assert(app.list()), opened.app.pid), nil)
end)

t.case("one that shows no window is reported so, and can be asked about", function()
  local opened = assert(app.open(world.windowless()))
  t.same({ opened.window, opened.ended }, { nil, false })
  t.ok(#opened.note > 10, opened.note)
  t.same(assert(app.get(opened.app)).windows, 0)
  local outcome = assert(app.activate(opened.app))
  t.same(outcome.done, false)
  t.has(outcome.note, "no window")
  t.same(assert(app.quit(opened.app, { force = true })).done, true)
end)

-- The desktop in memory has no programs, and a Mac opens bundles, which do not end at once.
if not world.is_fake and not world.is_mac then
  t.case("one that ends at once is reported so", function()
    local opened = assert(app.open { name = "/bin/true", wait = 20 })
    t.same({ opened.window, opened.ended }, { nil, true })
    t.ok(#opened.note > 10, opened.note)
  end)
end

t.case("a name that nothing has is an error with the name", function()
  local opened, err, code = app.open { name = "No Such Application 7" }
  t.same({ opened, code }, { nil, "app_not_found" })
  t.has(err, "No Such Application 7")
end)

t.case("applications that could be opened have names and ids", function()
  local list = assert(app.installed())
  t.ok(#list > 0)
  local found
  for _, a in ipairs(list) do
    t.same({ a.pid, a.windows, a.active }, { 0, 0, false })
    t.ok(#a.name > 0 and #a.id > 0)
    found = found or a.name == world.called
  end
  t.ok(found)
end)

t.case("desktop entries are read as they are, without texts in other languages", function()
  local entries, found = assert(app.entries()), nil
  if world.is_fake or world.is_mac then return t.same(entries, {}) end
  for _, entry in ipairs(entries) do
    t.ok(entry.path:find "%.desktop$" and entry.text:find("[Desktop Entry]", 1, true), entry.id)
    t.ok(not entry.text:find "\nName%[" and not entry.text:find "\nComment%[", entry.id)
    found = found or entry.id == world.id and entry.text:find("\nName=" .. world.called, 1, true)
  end
  t.ok(found, "the entry of " .. world.id)
  t.raises(function() app.entries { all = true } end, "all")
end)

t.case("wrong arguments raise and name the field", function()
  t.raises(function() app.open {} end, "'name'")
  t.raises(function() app.open { name = "" } end, "'name'")
  t.raises(function() app.open { name = "a\0b" } end, "NUL")
  t.raises(function() app.open { name = "a", files = "b" } end, "'files'")
  t.raises(function() app.open { name = "a", files = { {} } } end, "files%[1%]")
  t.raises(function() app.open { name = "a", wait = 0 } end, "'wait'")
  t.raises(function() app.open { name = "a", fresh = true } end, "no such option")
  t.raises(function() app.get { pid = 1 } end, "'started'")
  t.raises(function() app.get { pid = 1.5, started = 0 } end, "'pid'")
  t.raises(function() app.get { pid = -1, started = 0 } end, "'pid'")
  t.raises(function() app.get { pid = 1 << 40, started = 0 } end, "'pid'")
  t.raises(function() app.quit({ pid = 1, started = 0 }, { force = 1 }) end, "'force'")
  t.raises(function() app.list { timeout = 1e9 } end, "'timeout'")
end)

t.done()
