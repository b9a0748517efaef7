-- Writes each argument in a rectangle of its own, one below the other, and exports the slide.
--
--   perigee run examples/scripts/slides.lua "First" "Second"

local perigee = require "perigee"

local lines = #perigee.args > 0 and perigee.args or { "Hello" }
print(tools.open_keynote {})
local width, height = tools.get_slide_size {}:match "width=([%d.]+), height=([%d.]+)"
local each = math.floor(height / (#lines + 1))

for i, text in ipairs(lines) do
  tools.draw_rectangle {
    x      = math.floor(width * 0.1),
    y      = math.floor(each * (i - 0.5)),
    width  = math.floor(width * 0.8),
    height = math.floor(each * 0.8),
  }
  print(tools.add_text_in_keynote { text = text })
end
print(tools.screenshot_slide { path = "/tmp/slides.png" })
