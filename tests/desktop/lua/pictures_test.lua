--- desktop.pictures: from a pixel of a picture to a point of the desktop.
local pictures = require "desktop.pictures"
local screen   = require "sys.screen"
local window   = require "sys.window"
local t        = require "check"
local world    = require "world"

--- nil, a text, and this code.
local function fails(wanted, got, text, code)
  t.same({ got, code }, { nil, wanted }, text)
  t.ok(#text > 20, text)
end

--- Both on the main display, beside each other; then a picture of the first.
local function stage()
  local one, other = table.unpack(world.windows(2))
  assert(window.place(one, { x = 40, y = 60, width = 360, height = 260 }))
  assert(window.place(other, { x = 600, y = 60, width = 360, height = 260 }))
  assert(window.focus(one))
  one = assert(window.get(one))
  return one, other, pictures.keep(assert(screen.capture { window = one, longest = 180 }), one)
end

t.case("a pixel of a display's picture, scaled down and with an origin", function()
  local picture = assert(screen.capture { region = { x = 100, y = 50, width = 400, height = 200 }, longest = 200 })
  local point = assert(pictures.point(pictures.keep(picture), 50, 20))
  t.same({ point.x + 0.0, point.y + 0.0 }, { 200.0, 90.0 })
  t.same(point.window, nil)
end)

t.case("pixels outside of the picture are refused with its size", function()
  local id = pictures.keep(assert(screen.capture { region = { x = 0, y = 0, width = 30, height = 20 } }))
  assert(pictures.point(id, 0, 0))
  assert(pictures.point(id, 29.9, 19.9))
  for _, pixel in ipairs { { -1, 0 }, { 0, -0.5 }, { 30, 0 }, { 0, 20 }, { 1e9, 1e9 } } do
    fails("outside", pictures.point(id, pixel[1], pixel[2]))
  end
  local _, text = pictures.point(id, 30, 0)
  t.has(text, "30 x 20")
end)

t.case("the last 64 are known, others not", function()
  local picture = assert(screen.capture { region = { x = 0, y = 0, width = 10, height = 10 } })
  local first = pictures.keep(picture)
  local second
  for i = 1, pictures.KEPT do
    local id = pictures.keep(picture)
    second = second or id
    t.ok(id ~= first, i)
  end
  fails("image_not_found", pictures.point(first, 1, 1))
  assert(pictures.point(second, 1, 1))
  fails("image_not_found", pictures.point("image-0-1", 1, 1))
  fails("image_not_found", pictures.point("", 1, 1))
end)

t.case("a pixel of a window's picture", function()
  local one, _, id = stage()
  local picture = assert(pictures.get(id))
  local point = assert(pictures.point(id, 90, 40))
  t.same({ point.x, point.y }, { one.frame.x + 90 / picture.scale, one.frame.y + 40 / picture.scale })
  t.same(point.window.id, one.id)
  t.same(point.note, nil)
end)

t.case("the window was moved: the point goes with it, and says so", function()
  local one, _, id = stage()
  local before = assert(pictures.point(id, 90, 40))
  assert(window.move(one, one.frame.x + 70, one.frame.y + 110))
  local now = assert(window.get(one))
  local after = assert(pictures.point(id, 90, 40))
  t.ok(after.x - before.x == now.frame.x - one.frame.x)
  t.ok(after.y - before.y == now.frame.y - one.frame.y)
  t.has(after.note, "moved by")
end)

t.case("the window was resized: refused", function()
  local one, _, id = stage()
  assert(window.resize(one, 460, 330))
  fails("picture_outdated", pictures.point(id, 90, 40))
end)

t.case("the window is covered there: refused, and the other is named", function()
  local one, other, id = stage()
  assert(window.place(other, { x = one.frame.x + 150, y = one.frame.y, width = 360, height = 260 }))
  assert(window.focus(other))
  local scale = assert(pictures.get(id)).scale
  assert(pictures.point(id, 100 * scale, 100), "beside it all is well")
  fails("window_covered", pictures.point(id, 300 * scale, 100))
  local _, text = pictures.point(id, 300 * scale, 100)
  t.has(text, assert(window.get(other)).title)
  assert(window.focus(one))
  assert(pictures.point(id, 300 * scale, 100))
end)

t.case("the window was minimized: refused until it is back", function()
  local one, _, id = stage()
  assert(window.minimize(one))
  fails("window_minimized", pictures.point(id, 90, 40))
  assert(window.restore(one))
  assert(pictures.point(id, 90, 40))
end)

t.case("the window is gone: refused", function()
  local one = stage()
  local gone = { pid = one.pid, started = one.started, id = 0x7fffffe, frame = one.frame }
  local id = pictures.keep(assert(screen.capture { window = one }), gone)
  fails("window_not_found", pictures.point(id, 1, 1))
end)

world.finish()
t.done()
