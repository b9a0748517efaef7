--- Restore a minimized window, otherwise undo maximize, full screen or shade.

local window_tool = require "desktop.tools.window"


return window_tool.new {
  title       = "Restore a window",
  description = "Restore a minimized window. If it is not minimized, undo maximize, full screen or shade. To give a window "
             .. "keyboard focus, use focus_window.",
  verb        = "restore",
  did         = "Restored",
  listed      = false,
  examples    = window_tool.examples("restore", { focused = true },
    "Restored applications/7/windows/9: it is 640x480 at 10,20, focused."),
}
