--- Bring a window back out of minimized, else out of maximized and fullscreen.

local window_tool = require "desktop.window_tool"


return window_tool.new {
  title       = "Restore a window",
  description = "Bring a window back out of minimized; else out of maximized or fullscreen.",
  verb        = "restore",
  did         = "Restored",
  examples    = window_tool.examples("restore", { focused = true },
    "Restored applications/7/windows/9: it is 640x480 at 10,20, focused."),
}
