--- sys.screen: pictures of displays, regions and windows.
local display = require "sys.display"
local fs      = require "sys.fs"
local input   = require "sys.input"
local screen  = require "sys.screen"
local window  = require "sys.window"
local t       = require "check"
local world   = require "world"

local folder = assert(fs.resolve ".")

--- nil, a text, and this code.
local function fails(wanted, got, text, code)
  t.same({ got, code }, { nil, wanted }, text)
  t.ok(#text > 20, text)
end

--- Width and height as the PNG itself says.
local function png_size(bytes)
  t.same(bytes:sub(1, 8), "\137PNG\r\n\26\n")
  t.same(bytes:sub(-8, -5), "IEND")
  return (">I4I4"):unpack(bytes, 17)
end

local function main_display()
  return assert(display.list())[1]
end

--- A window that is shown; opens one if none is.
local function a_window()
  for _, w in ipairs(assert(window.list())) do
    if w.on_screen and not w.minimized then return w end
  end
  return world.windows(1)[1]
end

t.case("the main display is captured whole by default", function()
  local picture, main = assert(screen.capture()), main_display()
  local width, height = png_size(picture.bytes)
  t.same({ picture.width, picture.height }, { width, height })
  t.same(width, math.ceil(main.bounds.width * picture.scale))
  t.same(height, math.ceil(main.bounds.height * picture.scale))
  t.same({ picture.origin.x, picture.origin.y }, { 0, 0 })
  t.same(picture.mime_type, "image/png")
  t.same(picture.size, #picture.bytes)
  t.same(picture.path, nil)
end)

t.case("each display by its id", function()
  for _, d in ipairs(assert(display.list())) do
    local picture = assert(screen.capture { display = d.id })
    t.same({ picture.origin.x, picture.origin.y }, { d.bounds.x, d.bounds.y })
    t.same(picture.width, math.ceil(d.bounds.width * picture.scale))
  end
  fails("display_not_found", screen.capture { display = 987654321 })
end)

t.case("all displays in one picture", function()
  local left, top, right, bottom = 0, 0, 0, 0
  for _, d in ipairs(assert(display.list())) do
    left, top = math.min(left, d.bounds.x), math.min(top, d.bounds.y)
    right, bottom = math.max(right, d.bounds.x + d.bounds.width), math.max(bottom, d.bounds.y + d.bounds.height)
  end
  local picture = assert(screen.capture { all = true })
  t.same({ picture.origin.x, picture.origin.y }, { left, top })
  t.same(picture.width, math.ceil((right - left) * picture.scale))
  t.same(picture.height, math.ceil((bottom - top) * picture.scale))
end)

t.case("a region, cut to what is shown", function()
  local picture = assert(screen.capture { region = { x = 10, y = 20, width = 120, height = 80 } })
  t.same({ picture.origin.x, picture.origin.y }, { 10, 20 })
  t.same({ picture.width, picture.height }, { 120 * picture.scale // 1, 80 * picture.scale // 1 })
  picture = assert(screen.capture { region = { x = -50, y = -50, width = 100, height = 100 } })
  t.same({ picture.origin.x, picture.origin.y }, { 0, 0 })
  fails("outside", screen.capture { region = { x = 90000, y = 0, width = 10, height = 10 } })
end)

t.case("scaled to fit, with the scale told", function()
  local whole = assert(screen.capture())
  local small = assert(screen.capture { longest = 100 })
  t.same(small.width, 100)
  t.ok(math.abs(small.scale - whole.scale * 100 / whole.width) < 1e-9)
  t.same(png_size(small.bytes), 100)
  t.same(assert(screen.capture { longest = 32767 }).width, whole.width, "never larger")
  t.same(assert(screen.capture { longest = 0 }).width, whole.width, "0 is full size")
end)

t.case("JPEG, smaller with less quality", function()
  local fine = assert(screen.capture { format = "jpeg", quality = 95 })
  local coarse = assert(screen.capture { format = "jpeg", quality = 5 })
  t.same(fine.mime_type, "image/jpeg")
  t.same(fine.bytes:sub(1, 2), "\xFF\xD8")
  t.ok(coarse.size < fine.size)
end)

t.case("to a file, whole, in a folder that is made", function()
  local path = folder .. "/deep/er/shot.png"
  local picture = assert(screen.capture { path = path })
  t.same(picture.path, path)
  t.same(picture.bytes, nil)
  local bytes = assert(fs.read(path))
  t.same(#bytes, picture.size)
  t.same(png_size(bytes), picture.width)
  picture = assert(screen.capture { path = path, bytes = true, longest = 50 })
  t.same(assert(fs.read(path)), picture.bytes, "it takes the old one's place")
  t.same(#assert(fs.list(folder .. "/deep/er")), 1, "nothing else is left")
end)

t.case("a file that is not an image was replaced", function()
  local path = folder .. "/notes.png"
  assert(fs.write(path, "my notes"))
  fails("file_io_error", screen.capture { path = path })
  t.same(assert(fs.read(path)), "my notes")
  assert(fs.write(path, ""))
  assert(screen.capture { path = path })
end)


t.case("a path that cannot be is refused before anything is written", function()
  for _, path in ipairs { folder .. "/shot", folder .. "/shot.jpg", folder .. "/shot.png/", folder .. "/.png/x" } do
    fails("bad_path", screen.capture { path = path })
  end
  assert(fs.write(folder .. "/file", "x"))
  fails("file_io_error", screen.capture { path = folder .. "/file/shot.png" })
  assert(fs.make_folder(folder .. "/taken.png"))
  fails("file_io_error", screen.capture { path = folder .. "/taken.png" })
  fails("file_io_error", screen.capture { path = "/proc/shot.png" })
end)

t.case("a window with its open menu, on the desktop in memory", function()
  if world.name ~= "fake" then t.skip "elsewhere the tools' own tests open one" end
  local w = a_window()
  local function size(popups)
    local picture = assert(screen.capture { window = w, popups = popups })
    return { math.tointeger(picture.width / picture.scale), math.tointeger(picture.height / picture.scale) }
  end
  local function menus()
    local found = {}
    for _, item in ipairs(assert(window.list { all_kinds = true })) do
      if item.kind == "popup" then found[#found + 1] = item end
    end
    return found
  end
  local own = { w.frame.width, w.frame.height }
  assert(input.click(w.frame.x + own[1] - 10, w.frame.y + own[2] - 20, { button = "right" }))
  t.same({ size(false), size(true) }, { own, { own[1] + 150, own[2] + 100 } })
  t.same(#menus(), 1)
  for _, item in ipairs(assert(window.list())) do t.ok(item.kind ~= "popup") end
  assert(input.keys "escape")
  t.same({ size(true), #menus() }, { own, 0 })
end)

t.case("a window's frame, its content, and a part of it", function()
  local w = a_window()
  local picture = assert(screen.capture { window = w })
  t.same({ picture.origin.x, picture.origin.y }, { w.frame.x, w.frame.y })
  local scale = picture.scale
  t.same({ picture.width, picture.height }, { math.ceil(w.frame.width * scale), math.ceil(w.frame.height * scale) })
  local part = assert(screen.capture {
    window = w, region = { x = w.frame.x + 5, y = w.frame.y + 7, width = 40, height = 30 },
  })
  t.same({ part.origin.x, part.origin.y }, { w.frame.x + 5, w.frame.y + 7 })
  t.same({ part.width, part.height }, { 40 * scale // 1, 30 * scale // 1 })
  local edge = assert(screen.capture {
    window = w, region = { x = w.frame.x - 100, y = w.frame.y - 100, width = 110, height = 120 },
  })
  t.same({ edge.origin.x, edge.origin.y }, { w.frame.x, w.frame.y })
  t.same({ edge.width, edge.height }, { 10 * scale // 1, 20 * scale // 1 })
  local beside = { x = w.frame.x - 100, y = w.frame.y, width = 50, height = 10 }
  fails("outside", screen.capture { window = w, region = beside })
  local content = assert(screen.capture { window = w, content_only = true })
  t.same({ content.origin.x, content.origin.y }, { w.content.x, w.content.y })
  t.same({ content.width, content.height }, { math.ceil(w.content.width * scale), math.ceil(w.content.height * scale) })
end)

t.case("a minimized window says so, a window that is gone, too", function()
  local w = a_window()
  t.ok(assert(window.minimize(w)).done)
  local none, text, code = screen.capture { window = w }
  t.same({ none, code }, { nil, "window_minimized" })
  t.ok(text:find("Restore", 1, true), text)
  t.ok(assert(window.restore(w)).done)
  assert(screen.capture { window = w })
  fails("window_not_found", screen.capture { window = { pid = w.pid, started = w.started, id = 0x7ffffff } })
  fails("window_not_found", screen.capture { window = { pid = w.pid, started = w.started + 1, id = w.id } })
end)

t.case("the pointer is drawn on request", function()
  local x, y = display.cursor()
  local region = { x = x - 20, y = y - 20, width = 40, height = 40 }
  local bare = assert(screen.capture { region = region })
  local drawn = assert(screen.capture { region = region, cursor = true })
  t.same({ bare.width, bare.height }, { drawn.width, drawn.height })
  t.ok(bare.bytes ~= drawn.bytes)
end)

t.case("several at once", function()
  local task = require "sys.task"
  local sizes = task.map({ 100, 200, 300, 400, 500, 600 }, function(longest)
    return assert(screen.capture { longest = longest }).width
  end)
  t.same(sizes, { 100, 200, 300, 400, 500, 600, n = 6 })
end)

t.case("drawing is told where it happens, or that it cannot be told", function()
  local task, corner = require "sys.task", main_display().bounds
  local w = a_window()
  assert(window.move(w, 20, 20))
  --- The results of screen.drawn(what) while the window moves.
  local function while_moving(what)
    local told
    task.map({ function() told = table.pack(screen.drawn(what)) end,
               function() for i = 1, 10 do window.move(w, 20 + i, 20) end end }, function(run) run() end)
    return told
  end
  local first = while_moving { wait = 20 }
  if world.name ~= "x11" then return t.same({ first[1], first[3] }, { nil, "not_supported" }) end
  t.same(first[1], true)
  t.same(while_moving({ window = w, wait = 20 })[1], true)
  local region = { x = corner.x + corner.width - 30, y = corner.y + corner.height - 30, width = 20, height = 20 }
  t.same(while_moving({ region = region, wait = 0.5 })[1], false)
  t.same(screen.drawn { window = w, wait = 0 }, false)
end)

t.case("wrong use raises and names the field", function()
  t.raises(function() screen.drawn { all = true, display = 1 } end, "at most one of")
  t.raises(function() screen.drawn { cursor = true } end, "no such option")
  t.raises(function() screen.drawn { wait = 61 } end, "wait")
  t.raises(function() screen.capture { all = true, display = 1 } end, "at most one of")
  t.raises(function() screen.capture { display = "main" } end, "display")
  t.raises(function() screen.capture { window = 7 } end, "table expected")
  t.raises(function() screen.capture { region = { x = 1, y = 2, width = 3 } } end, "height")
  t.raises(function() screen.capture { format = "gif" } end, "format")
  t.raises(function() screen.capture { quality = 0, format = "jpeg" } end, "quality")
  t.raises(function() screen.capture { longest = -1 } end, "longest")
  t.raises(function() screen.capture { size = 5 } end, "no such option")
  t.raises(function() screen.capture { timeout = 0 } end, "timeout")
end)

world.finish()
t.done()
