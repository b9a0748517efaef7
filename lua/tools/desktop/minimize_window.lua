--- Put a window away, into the taskbar or dock.

local window_tool = require "desktop.window_tool"


return window_tool.new {
  title       = "Minimize a window",
  description = "Minimize (iconify) a window. restore_window brings it back.",
  verb        = "minimize",
  did         = "Minimized",
  examples    = window_tool.examples("minimize", { minimized = true },
    "Minimized applications/7/windows/9: it is 640x480 at 10,20, not focused, minimized."),
}
