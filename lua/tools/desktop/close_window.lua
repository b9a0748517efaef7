--- Ask a window to close.

local window_tool = require "desktop.tools.window"


return window_tool.new {
  title       = "Close a window",
  description = "Close one window. The application may show a dialog instead, for example to save changes; `note` then quotes "
             .. "it. To quit the whole application, use quit_application.",
  verb        = "close",
  did         = "Closed",
  destructive = true,

  examples = {
    { "closes one",
      given = {
        ["sys.window.get"] = { pid = 7, started = 1, id = 9 },
        ["sys.window.close"] = {
          before = { x = 0, y = 0, width = 640, height = 480 }, done = true, gone = true, focused = false,
        },
      },
      args  = { window = "applications/7/windows/9" },
      has   = { "Closed applications/7/windows/9: it is gone." },
      want  = { done = true, gone = true } },

    { "reports the dialog that appeared instead",
      given = {
        ["sys.window.get"] = { pid = 7, started = 1, id = 9 },
        ["sys.window.close"] = {
          before = { x = 0, y = 0, width = 640, height = 480 }, after = { x = 0, y = 0, width = 640, height = 480 },
          done = false, gone = false, focused = false, note = 'the window is still open and shows "Save changes?"',
        },
      },
      args  = { window = "applications/7/windows/9" },
      has   = { 'Not done: the window is still open and shows "Save changes?".' } },

    { "refuses an ambiguous title and lists the windows",
      given = { ["sys.window.list"] = {
        { pid = 7, started = 1, id = 9, title = "notes", app = "Editor" },
        { pid = 8, started = 1, id = 4, title = "Notes", app = "Editor" },
      } },
      args  = { window = "notes" },
      err   = '"notes" matches 2 windows. Use one of these resource names:\n  applications/7/windows/9  "notes" (Editor)',
      code  = "AMBIGUOUS_WINDOW_IDENTIFIER" },
  },
}
