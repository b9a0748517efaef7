--- Make a window fill the work area.

local window_tool = require "desktop.tools.window"


return window_tool.new {
  title       = "Maximize a window",
  description = "Maximize a window to the work area of its display. Panels stay visible.",
  verb        = "maximize",
  did         = "Maximized",
  examples    = window_tool.examples("maximize", { focused = true, maximized = true },
    "Maximized applications/7/windows/9: it is 640x480 at 10,20, focused, maximized."),
}
