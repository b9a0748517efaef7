--- Put a window's top left corner at a point.

local s           = require "schema"
local window_tool = require "desktop.tools.window"


return window_tool.new {
  title       = "Move a window",
  description = "Move a window: put the top left corner of its frame at a desktop point. A maximized, full-screen or "
             .. "shaded window is restored first.",
  verb        = "move",
  did         = "Moved",
  takes       = {
    { "x", s.number("Points from the left of the main display.", { minimum = -100000, maximum = 100000 }) },
    { "y", s.number("Points from its top.", { minimum = -100000, maximum = 100000 }) },
  },

  examples = {
    { "reports where it was and where it is",
      given = {
        ["sys.window.get"] = { pid = 7, started = 1, id = 9 },
        ["sys.window.move"] = {
          before = { x = 10, y = 20, width = 640, height = 480 }, after = { x = 100, y = 50.5, width = 640, height = 480 },
          done = true, gone = false, focused = true,
        },
      },
      args  = { window = "applications/7/windows/9", x = 100, y = 50.5 },
      has   = { "Moved applications/7/windows/9: it is 640x480 at 100,50.5 (was 640x480 at 10,20), focused." },
      did   = { "window.get", "window.move id=9 pid=7 started=1 100 50.5" } },

    { "says plainly what the window manager refused",
      given = {
        ["sys.window.get"] = { pid = 7, started = 1, id = 9 },
        ["sys.window.move"] = {
          before = { x = 0, y = 0, width = 800, height = 600 }, after = { x = 0, y = 0, width = 800, height = 600 },
          done = false, gone = false, focused = true, maximized = true,
          note = "the window manager left the window where it is",
        },
      },
      args  = { window = "applications/7/windows/9", x = 100, y = 50 },
      has   = { "Not done: the window manager left the window where it is. applications/7/windows/9: it is 800x600 at 0,0" },
      want  = { done = false, states = { "maximized" } } },
  },
}
