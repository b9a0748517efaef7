--- sys.input: pointer, keys, text and its ways, what is refused, the stop.
local t         = require "check"
local clipboard = require "sys.clipboard"
local display   = require "sys.display"
local input     = require "sys.input"
local task      = require "sys.task"
local time      = require "sys.time"
local window    = require "sys.window"
local world     = require "world"

--- An editor with the focus.
local function editor()
  local opened = world.open()
  assert(window.focus(opened.window))
  return opened
end

--- All that the editor holds, by what a person does; until it is what is expected, or not so for too long.
local function held(expected)
  local started, text = time.monotonic(), ""
  while text ~= expected and time.monotonic() - started < 20 do
    assert(input.keys "cmd+a")
    assert(input.keys "cmd+c")
    local clip = clipboard.read()
    text = clip and clip.parts["text/plain"] or ""
  end
  return text
end

t.case("the pointer is where it was sent", function()
  local out = assert(input.move(77, 88))
  t.same(out.pointer, { x = 77, y = 88 })
  t.same({ display.cursor() }, { 77, 88 })
  out = assert(input.move(10, 12, { duration = 0.05 }))
  t.same(out.pointer, { x = 10, y = 12 })
  t.ok(out.sent > 0)
end)

t.case("a click goes where it is told, or where the pointer is", function()
  local opened <close> = editor()
  local frame = assert(window.get(opened.window)).content
  local x, y = frame.x + frame.width // 2, frame.y + frame.height // 2
  t.same(assert(input.click(x, y)).pointer, { x = x, y = y })
  t.same(assert(input.click(nil, nil, { count = 2 })).pointer, { x = x, y = y })
  t.same(assert(input.press()).pointer, { x = x, y = y })
  t.same(assert(input.release()).pointer, { x = x, y = y })
  t.same(assert(input.scroll(0, 3, { x = x, y = y, modifiers = { "shift" } })).pointer, { x = x, y = y })
end)

t.case("a drag ends at the end of its path, in its time", function()
  local started = time.monotonic()
  local out = assert(input.drag({ { x = 1100, y = 700 }, { x = 1150, y = 720 }, { x = 1200, y = 700 } }, { duration = 0.2 }))
  t.same(out.pointer, { x = 1200, y = 700 })
  t.ok(time.monotonic() - started >= 0.19)
end)

t.case("text under an open menu is lost and not called taken, on the desktop in memory", function()
  if world.name ~= "fake" then t.skip "elsewhere the tools' own tests open one" end
  local opened <close> = editor()
  local frame = assert(window.get(opened.window)).frame
  assert(input.click(frame.x + 50, frame.y + 50, { button = "right" }))
  local out = assert(input.type "lost")
  t.same({ out.settled, out.open:match "^a menu of ", out.still_open }, { false, "a menu of ", true })
  local pasted, _, code = input.paste "lost"
  t.same({ pasted, code }, { nil, "paste_not_taken" })
  assert(input.keys "escape")
  out = assert(input.type "here")
  t.same({ out.settled, out.open }, { true, nil })
  t.same(held "here", "here")
end)

t.case("text arrives as it is", function()
  local opened <close> = editor()
  local text = "The quick brown fox, 0123456789!\nsecond line\tafter a tab ~`@#$%^&*()"
  local out = assert(input.type(text))
  t.same(out.characters, utf8.len(text))
  t.same(out.settled, not world.is_mac or world.is_fake) -- nothing tells it on a Mac
  t.same(out.clipboard, nil)
  t.same(held(text), text)
  t.ok(opened)
end)

t.case("foreign letters and emoji arrive", function()
  local opened <close> = editor()
  local text = "héllo – 世界 ñ ß €5 Привет 😀🎉 end"
  t.same(assert(input.type(text)).characters, utf8.len(text))
  t.same(held(text), text)
  t.ok(opened)
end)

t.case("ten thousand characters arrive", function()
  local opened <close> = editor()
  local lines = {}
  for i = 1, 320 do lines[i] = ("line %d with Some words & signs"):format(i) end
  local text = table.concat(lines, "\n"):sub(1, 10000)
  t.same(assert(input.type(text)).characters, 10000)
  t.same(held(text), text)
  t.ok(opened)
end)

t.case("pasting leaves the clipboard as it was", function()
  local opened <close> = editor()
  assert(clipboard.write { ["text/plain"] = "was here", ["text/html"] = "<b>was</b> here" })
  local out = assert(input.paste "pasted: 世界 ←→\nand more")
  t.same(out.clipboard, "restored")
  t.same(out.characters, 22)
  t.match(out.route, "^paste")
  local clip = assert(clipboard.read())
  t.same(clip.parts["text/plain"], "was here")
  t.same(clip.parts["text/html"], "<b>was</b> here")
  t.same(held "pasted: 世界 ←→\nand more", "pasted: 世界 ←→\nand more")
  t.ok(opened)
end)

t.case("shortcuts reach the application", function()
  local opened <close> = editor()
  assert(input.type "to be replaced")
  assert(input.keys "cmd+a")
  assert(input.type "new")
  t.same(held "new", "new")
  t.ok(opened)
end)

t.case("input for a window goes to no other", function()
  if world.name ~= "x11" then t.skip "only X11 holds the server between the look and the key" end
  local opened <close> = editor()
  local id = opened.window.id
  local frame = assert(window.get(opened.window)).content
  local at = { x = frame.x + frame.width // 2, y = frame.y + frame.height // 2 }
  assert(input.type("mine", { window = id }))
  assert(input.click(at.x, at.y, { window = id }))
  for _, send in ipairs {
    function(options) return input.type("x", options) end,
    function(options) return input.paste("x", options) end,
    function(options) return input.keys("x", options) end,
    function(options) return input.key_down("x", options) end,
    function(options) return input.click(at.x, at.y, options) end,
    function(options) return input.press(at.x, at.y, options) end,
    function(options) return input.drag({ at, { x = at.x + 20, y = at.y } }, options) end,
    function(options) return input.scroll(0, 3, { x = at.x, y = at.y, window = options.window }) end,
  } do
    local sent, _, code = send { window = 1 }
    t.same({ sent = sent, code = code }, { code = "moved" })
  end
  t.same(held "mine", "mine")
end)

t.case("input that cannot be sent is refused, with the reason", function()
  local function code(...) return (select(3, ...)) end
  t.same(code(input.click(-5000, 10)), "bad_point")
  t.same(code(input.keys "ctrl+hyper"), "unknown_key")
  t.same(code(input.type "a\1"), "bad_text")
  t.same(code(input.type "\xff"), "bad_text")
  t.same(code(input.drag { { x = 1, y = 1 } }), "bad_point")
  t.raises(function() input.click(1) end, "pass x and y together")
  t.raises(function() input.click(1, 2, { buton = "left" }) end, "buton")
  t.raises(function() input.click(1, 2, { button = "third" }) end, "expected left")
  t.raises(function() input.click(1, 2, { modifiers = { "t" } }) end, "not a modifier")
  t.raises(function() input.click(1, 2, { count = 1000 }) end, "count")
  t.raises(function() input.send { kind = "shout" } end, "kind")
  t.raises(function() input.send { kind = "keys", chord = "a", x = 1 } end, "x")
end)

t.case("a cancelled drag lets go of the button", function()
  local opened <close> = editor()
  local frame = assert(window.get(opened.window)).frame
  local x, y = frame.x + 60, frame.y + frame.height - 60
  local _, err, code = input.drag({ { x = x, y = y }, { x = x + 200, y = y } }, { duration = 30, timeout = 0.2 })
  t.ok(err)
  t.same(code, "timeout")
  local at = { display.cursor() }
  assert(input.move(x, y))          -- with the button down this would select on
  assert(input.move(at[1], at[2]))
  assert(input.click(x, y))
  assert(input.type "still fine")
  t.same(held "still fine", "still fine")
end)

t.case("a stop ends input that runs and refuses input that comes, until it is allowed", function()
  local results = task.map({ "drag", "stop" }, function(what)
    if what == "drag" then
      return { input.drag({ { x = 100, y = 700 }, { x = 900, y = 700 } }, { duration = 30, timeout = 40 }) }
    end
    while not world.is_fake and display.cursor() < 110 do time.sleep(0.005) end
    input.stop()
    return { input.stopped() }
  end)
  t.same(results[2], { true })
  t.match(results[1][2], "stopped")
  t.same(results[1][3], "stopped")
  t.same(select(3, input.click(10, 10)), "stopped")
  t.same(input.release_all(), true)
  input.allow()
  t.same(input.stopped(), false)
  t.ok(input.click(10, 10))
end)

t.done()
