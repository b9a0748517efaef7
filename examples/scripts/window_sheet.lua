-- A page with a screenshot of every window: numbered on a map of the desktop, then one by one, each with its title.
--
--   perigee run examples/scripts/window_sheet.lua sheet && xdg-open sheet/index.html

local display = require "sys.display"
local fs      = require "sys.fs"
local options = require "options"
local perigee = require "perigee"
local screen  = require "sys.screen"
local time    = require "sys.time"
local window  = require "sys.window"

local given, status = options.read(perigee.args, {
  usage = "perigee run window_sheet.lua [options] [DIR]",
  about = "Captures every window, even covered ones, and writes DIR/index.html with all of them: a map of each display with "
       .. "numbered windows, and every window with its number, title, application and bounds. Creates DIR (default: "
       .. "window-sheet).",
  { "max-size", "integer", "longest side of a screenshot in pixels; 0 keeps the full size.", default = 1568, minimum = 0,
    maximum = 32767 },
  { "jpeg", "flag", "write JPEG files instead of PNG" },
})
if not given then return status end

local folder = given[1] or "window-sheet"
local ending = given.jpeg and "jpg" or "png"

local STYLE = [[
:root { color-scheme: light dark; --edge: #8884; --mark: #e8590c; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 1200px; padding: 0 1rem; }
h1 { font-size: 1.3rem; } figure { margin: 0; } img { display: block; width: 100%; height: auto; }
.map { position: relative; margin: 1rem 0 2rem; border: 1px solid var(--edge); }
.map svg { position: absolute; inset: 0; width: 100%; height: 100%; }
.map rect.frame { fill: none; stroke: var(--mark); stroke-width: 2; vector-effect: non-scaling-stroke; }
.map rect.under { stroke-dasharray: 4 5; }
.map .tag { fill: var(--mark); } .map text { fill: #fff; font-weight: 600; }
.sheet { display: grid; grid-template-columns: repeat(auto-fill, minmax(340px, 1fr)); gap: 1.2rem; }
.sheet figure { border: 1px solid var(--edge); border-radius: 8px; overflow: hidden; }
.sheet figure:target { outline: 3px solid var(--mark); }
.sheet .picture { height: 220px; display: flex; align-items: center; justify-content: center; background: #8881; }
.sheet img { width: auto; max-width: 100%; max-height: 220px; }
figcaption { padding: .6rem .8rem; } figcaption b { overflow-wrap: anywhere; }
.number { background: var(--mark); color: #fff; border-radius: 4px; padding: 0 .4em; margin-right: .4em; font-weight: 600; }
small { opacity: .7; display: block; }
]]


local function escape(text)
  return (text:gsub("[&<>\"']", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }))
end


--- Writes a picture into the folder; nil and why when there is none.
local function shoot(name, what)
  what.path = assert(fs.resolve(("%s/%s.%s"):format(folder, name, ending)))
  what.format, what.longest = given.jpeg and "jpeg" or "png", given.max_size
  local picture, err = screen.capture(what)
  return picture and { file = ("%s.%s"):format(name, ending), width = picture.width, height = picture.height }, err
end


local function overlap(a, b)
  return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height
end


--- Whether one in front of it hides a part.
local function covered(windows, number)
  for i = 1, number - 1 do
    local w = windows[i]
    if w.on_screen and not w.minimized and overlap(w.frame, windows[number].frame) then return true end
  end
end


--- One display with a numbered frame around every window that is shown on it, dashed where others hide it. Those in front are
--- drawn last.
local function map_of(d, windows)
  local picture, err = shoot("display-" .. d.id, { display = d.id })
  if not picture then return ("<p>%s: %s</p>"):format(escape(d.name), escape(err)) end
  local size = d.bounds.width / 60
  local parts = {
    ('<h2>%s</h2>\n<div class="map"><img src="%s" width="%d" height="%d" alt="">'):format(
      escape(d.name), picture.file, picture.width, picture.height),
    ('<svg viewBox="%g %g %g %g">'):format(d.bounds.x, d.bounds.y, d.bounds.width, d.bounds.height),
  }
  for i = #windows, 1, -1 do
    local w, f = windows[i], windows[i].frame
    if w.on_screen and not w.minimized and overlap(f, d.bounds) then
      local x, y = math.max(f.x, d.bounds.x), math.max(f.y, d.bounds.y)
      parts[#parts + 1] = ('<a href="#w%d"><title>%s</title>'):format(i, escape(w.title))
      parts[#parts + 1] = ('<rect class="frame%s" x="%g" y="%g" width="%g" height="%g"/>'):format(
        covered(windows, i) and " under" or "", f.x, f.y, f.width, f.height)
      parts[#parts + 1] = ('<rect class="tag" x="%g" y="%g" width="%g" height="%g"/>'):format(x, y, size * 1.4, size * 1.3)
      parts[#parts + 1] = ('<text x="%g" y="%g" font-size="%g" text-anchor="middle">%d</text></a>'):format(
        x + size * 0.7, y + size, size, i)
    end
  end
  parts[#parts + 1] = "</svg></div>"
  return table.concat(parts, "\n")
end


local function card_of(number, w)
  local picture, err = shoot(("window-%02d"):format(number), { window = w })
  local shown = picture and ('<a href="%s"><img src="%s" alt=""></a>'):format(picture.file, picture.file)
    or "<em>" .. escape(w.minimized and "minimized" or err) .. "</em>"
  local f, said = w.frame, picture and picture.file or w.minimized and "minimized, not captured" or err
  print(("  %2d  %-50s  %s"):format(number, w.title, said))
  return ('<figure id="w%d"><div class="picture">%s</div>\n<figcaption><span class="number">%d</span><b>%s</b>'
    .. '<small>%s, %g x %g at %g, %g%s</small></figcaption></figure>'):format(number, shown, number,
    escape(w.title), escape(w.app), f.width, f.height, f.x, f.y, w.focused and ", focused" or "")
end


local windows, maps, cards = assert(window.list()), {}, {}
assert(fs.make_folder(folder))
for i, d in ipairs(assert(display.list())) do maps[i] = map_of(d, windows) end
for i, w in ipairs(windows) do cards[i] = card_of(i, w) end

local heading = ("%d window%s, %s"):format(#windows, #windows == 1 and "" or "s", time.iso():gsub("T", " "):gsub("%..*", ""))
assert(fs.write(folder .. "/index.html", table.concat({
  '<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
  ("<title>%s</title>\n<style>%s</style>\n<h1>%s</h1>"):format(heading, STYLE, heading),
  table.concat(maps, "\n"), '<div class="sheet">', table.concat(cards, "\n"), "</div></html>\n",
}, "\n")))
print(("%s: %s/index.html"):format(heading, assert(fs.resolve(folder))))
