--- Set the size of a window's frame.

local s           = require "schema"
local window_tool = require "desktop.tools.window"


return window_tool.new {
  title       = "Resize a window",
  description = "Resize a window, including its title bar and borders. A maximized, full-screen or shaded window is restored "
             .. "first. If the application enforces a minimum size, `done` is false and `after` has the actual bounds. To "
             .. "fill the display, use maximize_window.",
  verb        = "resize",
  did         = "Resized",
  takes       = {
    { "width", s.number("Width in points, including borders.", { minimum = 1, maximum = 100000 }) },
    { "height", s.number("Height in points, including the title bar.", { minimum = 1, maximum = 100000 }) },
  },
  listed      = false,

  examples = {
    { "reports the actual size if it cannot be smaller",
      given = {
        ["sys.window.get"] = { pid = 7, started = 1, id = 9 },
        ["sys.window.resize"] = {
          before = { x = 0, y = 0, width = 640, height = 480 }, after = { x = 0, y = 0, width = 320, height = 240 },
          done = false, gone = false, focused = true,
          note = "the window is 320 x 240 points instead of 100 x 100",
        },
      },
      args  = { window = "applications/7/windows/9", width = 100, height = 100 },
      has   = { "Not done: the window is 320 x 240 points instead of 100 x 100." },
      want  = { done = false, after = { width = 320, height = 240 } },
      did   = { "window.get", "window.resize id=9 pid=7 started=1 100 100" } },
    { "resizes one",
      given = {
        ["sys.window.get"] = { pid = 7, started = 1, id = 9 },
        ["sys.window.resize"] = {
          before = { x = 0, y = 0, width = 640, height = 480 }, after = { x = 0, y = 0, width = 800, height = 600 },
          done = true, gone = false, focused = true,
        },
      },
      args  = { window = "applications/7/windows/9", width = 800, height = 600 },
      want  = { done = true, after = { width = 800, height = 600 } } },
  },
}
