--- Minimize a window to the taskbar or dock.

local window_tool = require "desktop.tools.window"


return window_tool.new {
  title       = "Minimize a window",
  description = "Minimize a window. To show it again, use restore_window or focus_window. To close it, use close_window. A "
             .. "minimized window cannot be captured.",
  verb        = "minimize",
  did         = "Minimized",
  listed      = false,
  examples    = window_tool.examples("minimize", { minimized = true },
    "Minimized applications/7/windows/9: it is 640x480 at 10,20, not focused, minimized."),
}
