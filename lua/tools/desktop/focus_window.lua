--- Bring a window to the front and give it keyboard focus.

local window_tool = require "desktop.tools.window"


return window_tool.new {
  title       = "Focus a window",
  description = "Bring a window to the front, restoring it if minimized, and give it keyboard focus. If it is on another "
             .. "workspace, the desktop switches to it. Call before typing with create_input.",
  verb        = "focus",
  did         = "Focused",
  examples    = window_tool.examples("focus", { focused = true },
    "Focused applications/7/windows/9: it is 640x480 at 10,20, focused, in front."),
}
