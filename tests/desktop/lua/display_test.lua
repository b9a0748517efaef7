--- sys.display: the displays, and where the pointer is.
local display = require "sys.display"
local t       = require "check"

t.case("the main display comes first and starts at the origin", function()
  local displays = assert(display.list())
  local main = displays[1]
  t.ok(#displays >= 1)
  t.same(main.main, true)
  t.same({ main.bounds.x, main.bounds.y }, { 0, 0 })
  t.ok(main.bounds.width >= 640 and main.bounds.height >= 480)
  t.ok(main.scale > 0)
  t.same(main.rotation, 0)
  t.ok(#main.name > 0)
  for i = 2, #displays do t.same(displays[i].main, false) end
end)

t.case("the work area lies within the display", function()
  for _, d in ipairs(assert(display.list())) do
    t.ok(d.work.x >= d.bounds.x and d.work.y >= d.bounds.y)
    t.ok(d.work.x + d.work.width <= d.bounds.x + d.bounds.width)
    t.ok(d.work.y + d.work.height <= d.bounds.y + d.bounds.height)
  end
end)

t.case("the pointer is on one of them", function()
  local x, y = display.cursor()
  t.ok(math.type(x) and math.type(y))
  local on = false
  for _, d in ipairs(assert(display.list())) do
    local b = d.bounds
    on = on or (x >= b.x and y >= b.y and x < b.x + b.width and y < b.y + b.height)
  end
  t.ok(on)
end)

t.case("a rectangle is on the display that has most of it", function()
  local displays = assert(display.list())
  for _, d in ipairs(displays) do
    local b = d.bounds
    t.same(assert(display.of(b)).id, d.id)
    t.same(assert(display.of { x = b.x + 40, y = b.y + 40, width = 300, height = 200 }).id, d.id)
  end
  t.same(assert(display.of { x = -30000, y = 0, width = 10, height = 10 }).id, displays[1].id)
  t.raises(function() display.of({ x = 0, y = 0, width = 1, height = 1 }, { timeout = 0 }) end, "timeout")
end)

t.case("wrong options raise and name the field", function()
  t.raises(function() display.list { timeout = 0 } end, "timeout")
  t.raises(function() display.list { timeout = "soon" } end, "timeout")
  t.raises(function() display.list { wait = 1 } end, "no such option")
  t.raises(function() display.cursor(7) end, "table expected")
end)

t.done()
