--- sys.ocr: words out of the picture of a window or a region.
local app    = require "sys.app"
local ocr    = require "sys.ocr"
local task   = require "sys.task"
local time   = require "sys.time"
local window = require "sys.window"
local t      = require "check"
local world  = require "world"

--- A window that is shown; opens one if none is.
local function a_window()
  for _, w in ipairs(assert(window.list())) do
    if w.on_screen and not w.minimized then return w end
  end
  return world.windows(1)[1]
end

local _, why, code = ocr.read { window = a_window() }
if code == "not_built" then
  t.case("without tesseract, what to install is said", function() t.ok(why:find "libtesseract%-dev", why) end)
  world.finish()
  t.done()
  return
end

local function is_inside(word, frame)
  return word.x >= frame.x - 1 and word.y >= frame.y - 1 and word.x + word.width <= frame.x + frame.width + 1
    and word.y + word.height <= frame.y + frame.height + 1
end

t.case("words of a window lie in it, in points", function()
  local w = a_window()
  local read = assert(ocr.read { window = w })
  t.same(read.cut, false)
  t.ok(read.labels >= read.recognized)
  for _, word in ipairs(read.words) do
    t.ok(#word.text > 0 and word.confidence >= 0 and word.confidence <= 1 and word.label >= 1, t.show(word))
    t.ok(is_inside(word, w.frame), t.show(word))
  end
end)

t.case("text that was read before is not read again", function()
  local w = a_window()
  assert(ocr.read { window = w })
  local again = assert(ocr.read { window = w })
  t.ok(again.recognized <= again.labels // 2, t.show(again))
end)

t.case("a part of a window", function()
  local w = a_window()
  local part = { x = w.frame.x, y = w.frame.y, width = math.min(60, w.frame.width), height = math.min(20, w.frame.height) }
  for _, word in ipairs(assert(ocr.read { window = w, region = part }).words) do t.ok(is_inside(word, part), t.show(word)) end
  local nothing, text, what = ocr.read { window = w, region = { x = 90000, y = 90000, width = 10, height = 10 } }
  t.same({ nothing, what }, { nil, "outside" }, text)
end)

t.case("a part of the desktop", function()
  t.ok(ocr.read { region = { x = 0, y = 0, width = 40, height = 30 } })
end)

t.case("no time at all: nothing is read, and that is said", function()
  local w = a_window()
  local read = assert(ocr.read { window = w, budget = 0, language = "eng" })
  t.same(read.recognized, 0)
  t.ok(read.cut or read.labels == 0, t.show(read))
end)

t.case("a language that is not installed", function()
  local nothing, text, what = ocr.read { window = a_window(), language = "tlh" }
  t.ok(nothing == nil and what == "no_language" or nothing and nothing.labels == 0, text)
end)

--- A new application, ended when it is closed, and the text that its window shows: none but on X11.
local function a_text()
  if world.is_fake or world.is_mac then return world.open(), "" end
  local opened = assert(app.open { name = "xterm", new = true, wait = 30, arguments = { "-fa", "DejaVu Sans Mono", "-fs", "11",
    "-e", "sh", "-c", "printf 'Hello world\\n'; exec sleep 600" } })
  return setmetatable(opened, { __close = function() app.quit(opened.app, { force = true }) end }), "Hello world"
end

t.case("a call that is given up leaves the loop free, and the next one reads", function()
  local opened <close>, text = a_text()
  local function read() return ocr.read { window = opened.window, budget = 30 } end
  local done, err, what = task.with_timeout(0.001, read)
  t.ok(done or what == "timeout", err)
  local said
  for _ = 1, 100 do   -- the terminal may draw the text late
    local words = {}
    for i, word in ipairs(assert(read()).words) do words[i] = word.text end
    said = table.concat(words, " ")
    if said:find(text, 1, true) then break end
    time.sleep(0.05)
  end
  t.has(said, text)
end)

t.case("wrong use raises and names the field", function()
  t.raises(function() ocr.read {} end, "pass window, region or both")
  t.raises(function() ocr.read { window = a_window(), language = "../x" } end, "language")
  t.raises(function() ocr.read { window = a_window(), budget = 61 } end, "budget")
  t.raises(function() ocr.read { window = a_window(), display = 1 } end, "no such option")
  t.raises(function() ocr.read { region = { x = 0, y = 0, width = 0, height = 1 } } end, "width")
end)

world.finish()
t.done()
