--- Let a window fill the work area.

local s       = require "schema"
local windows = require "desktop.windows"


---@param args {name: string}
---@param call Call
local function run(args, call)
  return windows.act(call, args.name, "Maximized", "maximize")
end


---@type Tool
return {
  title        = "Maximize a window",
  description  = "Maximize a window to the work area of its display. restore_window undoes it.",
  inputSchema  = s.object { windows.name_parameter },
  outputSchema = windows.outcome_schema,
  annotations = { readOnlyHint = false, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = run,

  examples = {
    { "tells what was seen afterwards",
      given = {
        ["sys.window.get"] = { pid = 7, started = 1, id = 9 },
        ["sys.window.maximize"] = {
          before = { x = 10, y = 20, width = 640, height = 480 }, after = { x = 10, y = 20, width = 640, height = 480 },
          done = true, gone = false, focused = true, maximized = true,
        },
      },
      args  = { name = "applications/7/windows/9" },
      has   = { "Maximized applications/7/windows/9: it is 640x480 at 10,20, focused, maximized." },
      want  = { name = "applications/7/windows/9", done = true, gone = false },
      did   = { "window.get id=9 pid=7 started=0", "window.maximize id=9 pid=7 started=1" } },

    { "says so when the window is gone",
      given = { ["sys.window.get"] = { n = 3, false, "window 9 does not exist any more", "window_not_found" } },
      args  = { name = "applications/7/windows/9" },
      err   = "The window applications/7/windows/9 does not exist any more: call list_windows",
      code  = "WINDOW_NOT_FOUND" },
  },
}
