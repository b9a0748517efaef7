--- Bring a window to the front and give it the keyboard.

local window_tool = require "desktop.window_tool"


return window_tool.new {
  title       = "Focus a window",
  description = "Bring a window to the front, out of minimized too, and give it the keyboard.",
  verb        = "focus",
  did         = "Focused",
  examples    = window_tool.examples("focus", { focused = true },
    "Focused applications/7/windows/9: it is 640x480 at 10,20, focused."),
}
