--- Let a window fill its display, without title bar and panels.

local window_tool = require "desktop.window_tool"


return window_tool.new {
  title       = "Make a window fullscreen",
  description = "Let a window fill its whole display, without title bar. restore_window undoes it.",
  verb        = "fullscreen",
  did         = "Made fullscreen",
  listed      = false,
  examples    = window_tool.examples("fullscreen", { focused = true, fullscreen = true },
    "Made fullscreen applications/7/windows/9: it is 640x480 at 10,20, focused, fullscreen."),
}
