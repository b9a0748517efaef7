--- Writes text into a rectangle on a slide: perigee run examples/scripts/slide.lua "From a script"
local perigee = require "perigee"

print(tools.open_keynote {})
tools.draw_rectangle { x = 100, y = 100, width = 400, height = 120 }
print(tools.add_text_in_keynote { text = perigee.args[1] or "Hello" })
print(tools.screenshot_slide { path = "/tmp/slide.png" })
