--- Make a window fill its display, without title bar and panels.

local window_tool = require "desktop.tools.window"


return window_tool.new {
  title       = "Make a window full screen",
  description = "Make a window fill its whole display, without title bar and panels. To keep them, use maximize_window. To "
             .. "undo it, use restore_window.",
  verb        = "fullscreen",
  did         = "Made fullscreen",
  listed      = false,
  examples    = window_tool.examples("fullscreen", { focused = true, fullscreen = true },
    "Made fullscreen applications/7/windows/9: it is 640x480 at 10,20, focused, fullscreen."),
}
