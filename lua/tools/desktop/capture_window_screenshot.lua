--- A picture of a window, also of a covered one.

local fail    = require "desktop.fail"
local names   = require "desktop.names"
local s       = require "schema"
local shots   = require "desktop.shots"
local windows = require "desktop.windows"


---@param args {window: string, content_only?: boolean}
---@param call Call
local function run(args, call)
  local shown, err, code = names.look_at_window(args.window)
  if not shown then return fail.with(err, code) end
  return shots.take(call, args, {
    options = { window = shown, content_only = args.content_only },
    what = "window " .. windows.quote(shown.title), window = shown,
    members = { window = names.window(shown), title = shown.title },
  })
end


local NOTES = { pid = 7, started = 70, id = 3, title = "Notes", app = "Editor",
                frame = { x = 100, y = 50, width = 400, height = 300 } }

---@type Tool
return {
  title        = "Take a picture of a window",
  description  = "Take a picture of one window with its title bar, also when other windows cover it. A minimized window has "
              .. "no picture.",
  inputSchema  = shots.parameters {
    { "window", s.string("\"applications/PID/windows/ID\" from list_windows, or a title, or an application with one window.",
      { minLength = 1, maxLength = 1024 }) },
    { "content_only", s.boolean("Without title bar and borders.", { optional = true, default = false }) },
  },
  outputSchema = shots.results {
    { "window", s.string "Resource name of the window." },
    { "title", s.string "Its title." },
  },
  annotations  = shots.annotations,
  codes        = shots.codes {
    WINDOW_NOT_FOUND = "No window has this name, or it was closed.",
    AMBIGUOUS_WINDOW_IDENTIFIER = "Several windows are called so; the text lists them.",
    WINDOW_MINIMIZED = "It is minimized and has no picture: restore_window first.",
  },

  run = run,

  examples = {
    { "a window by its title",
      given = { ["sys.window.list"] = { NOTES }, ["sys.window.get"] = NOTES,
                ["sys.screen.capture"] = { bytes = "PNG", size = 3, mime_type = "image/png", width = 400, height = 300,
                                           origin = { x = 100, y = 50 }, scale = 1 } },
      args  = { window = "Notes" },
      want  = { window = "applications/7/windows/3", title = "Notes", width = 400, scale = 1 },
      has   = { "of window \"Notes\", 400 x 300 pixels", "the point 100 + x, 50 + y of the desktop" } },
    { "a minimized window",
      given = { ["sys.window.get"] = NOTES,
                ["sys.screen.capture"] = { n = 3, false, "window \"Notes\" is minimized and has no picture: restore it first",
                                           "window_minimized" } },
      args  = { window = "applications/7/windows/3" },
      err   = "minimized", code = "WINDOW_MINIMIZED" },
    { "a window that was closed",
      given = { ["sys.window.get"] = { n = 3, false, "window 4 does not exist any more", "window_not_found" } },
      args  = { window = "applications/7/windows/4" },
      err   = "does not exist any more", code = "WINDOW_NOT_FOUND" },
  },
}
