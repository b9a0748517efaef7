--- sys.element.events() with a real application, which tells by AT-SPI what its elements do. What the fake's tell is in
--- element_test.lua.
local app     = require "sys.app"
local element = require "sys.element"
local input   = require "sys.input"
local t       = require "check"
local time    = require "sys.time"
local world   = require "world"

local LONG = 60   -- seconds; only against hanging

if world.is_fake or world.is_mac then
  t.case("elements of a real application on X11", function() t.skip "only on X11" end)
  t.done()
  return
end

--- The next event of which this holds.
local function await(events, fits)
  local ends = time.monotonic() + LONG
  while true do
    local event = assert(events:next(math.max(ends - time.monotonic(), 0)))
    if fits(event) then return event end
  end
end

t.case("typed text and the keyboard focus are told of elements that were never listed", function()
  local opened <close> = world.open()
  local pid, ends = opened.app.pid, time.monotonic() + LONG
  repeat   -- it shows its window before it tells of itself
    local tree, err = element.tree { pid = pid, window = opened.window.id, depth = 0 }
    if not tree then
      if time.monotonic() > ends then error(err) end
      time.sleep(0.1)
    end
  until tree
  local typed <close> = assert(element.events { pid = pid, what = "value", role = "text" })
  local focus <close> = assert(element.events { pid = pid, what = "focus" })
  local ended <close> = assert(element.events { pid = pid, what = "gone" })
  assert(input.type "ab")
  local event = await(typed, function(event) return event.element.value == "ab" end)
  t.same({ event.what, event.pid, event.detail }, { "value", pid, "insert" })
  assert(input.keys "ctrl+f")
  await(focus, function(told) return told.detail == "focused on" and told.element and told.element.role == "entry" end)
  assert(app.quit(opened.app, { force = true }))
  t.same(assert(ended:next(LONG)).what, "gone")
end)

t.done()
