--- Give a window's frame a size.

local s           = require "schema"
local window_tool = require "desktop.window_tool"


return window_tool.new {
  title       = "Resize a window",
  description = "Resize a window's frame. Some applications have a least size; the answer tells what it became.",
  verb        = "resize",
  did         = "Resized",
  takes       = {
    { "width", s.number("In points, with title bar and borders.", { minimum = 1, maximum = 100000 }) },
    { "height", s.number("In points.", { minimum = 1, maximum = 100000 }) },
  },

  examples = {
    { "tells the size it has when it takes no smaller one",
      given = {
        ["sys.window.get"] = { pid = 7, started = 1, id = 9 },
        ["sys.window.resize"] = {
          before = { x = 0, y = 0, width = 640, height = 480 }, after = { x = 0, y = 0, width = 320, height = 240 },
          done = false, gone = false, focused = true,
          note = "the window has 320 x 240 points instead of 100 x 100",
        },
      },
      args  = { name = "applications/7/windows/9", width = 100, height = 100 },
      has   = { "Not done: the window has 320 x 240 points instead of 100 x 100." },
      want  = { done = false, after = { width = 320, height = 240 } },
      did   = { "window.get", "window.resize id=9 pid=7 started=1 100 100" } },
  },
}
