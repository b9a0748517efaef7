--- A screenshot of a window, even of a covered one.

local beginnings = require "desktop.beginnings"
local fail       = require "desktop.fail"
local names      = require "desktop.names"
local quoting    = require "desktop.quoting"
local s          = require "schema"
local shots      = require "desktop.shots"
local windows    = require "desktop.windows"


---@param args {window: string, content_only?: boolean, popups?: boolean}
---@param call Call
local function run(args, call)
  local shown, err, code = names.look_at_window(args.window)
  if not shown then return fail.with(err, code) end
  return shots.take(call, args, {
    options = { window = shown, content_only = args.content_only, popups = args.popups },
    what = "window " .. windows.quote(shown.title), window = shown,
    members = { window = names.window(shown), title = quoting.plain(shown.title) },
  })
end


local NOTES = { pid = 7, started = 70, id = 3, title = "Notes", app = "Editor",
                frame = { x = 100, y = 50, width = 400, height = 300 } }

---@type Tool
return {
  title        = "Capture a window screenshot",
  description  = "Capture a screenshot of one window, even when covered. Prefer it to capture_screenshot: it keeps more "
              .. "detail. Pass its image_id to create_input to click by pixel. If the window is minimized, call focus_window "
              .. "first.",
  inputSchema  = shots.parameters {
    { "window", s.string("Resource name from list_windows, title, or application with one window.",
      { minLength = 1, maxLength = 1024 }) },
    { "content_only", s.boolean("Leave out title bar and borders.", { optional = true, default = false }) },
    { "popups", s.boolean("Include its open menus and popups; not on a Mac.",
      { optional = true, default = false }) },
  },
  outputSchema = shots.results {
    { "window", s.string "Resource name of the window." },
    { "title", s.string "Title of the window." },
  },
  annotations  = shots.annotations,
  codes        = shots.codes {
    WINDOW_NOT_FOUND = "No window matches, or it was closed.",
    AMBIGUOUS_WINDOW_IDENTIFIER = "Several windows match; the message lists them.",
    WINDOW_MINIMIZED = "The window is minimized. Call restore_window first.",
  },

  about = { "every", window = "window", path = "path" },
  run = beginnings.run(run),

  examples = {
    { "a window by its title",
      given = { ["sys.window.list"] = { NOTES }, ["sys.window.get"] = NOTES,
                ["sys.screen.capture"] = { bytes = "PNG", size = 3, mime_type = "image/png", width = 400, height = 300,
                                           origin = { x = 100, y = 50 }, scale = 1 } },
      args  = { window = "Notes" },
      want  = { window = "applications/7/windows/3", title = "Notes", width = 400, scale = 1 },
      has   = { "of window \"Notes\", 400 x 300 pixels", "desktop point 100 + x, 50 + y." } },
    { "a window with its open menu, which reaches beyond it",
      given = { ["sys.window.get"] = NOTES,
                ["sys.screen.capture"] = { bytes = "PNG", size = 3, mime_type = "image/png", width = 460, height = 320,
                                           origin = { x = 100, y = 50 }, scale = 1 } },
      args  = { window = "applications/7/windows/3", popups = true },
      want  = { width = 460, height = 320 },
      has   = { "of window \"Notes\", 460 x 320 pixels" } },
    { "a minimized window",
      given = { ["sys.window.get"] = NOTES,
                ["sys.screen.capture"] = { n = 3, false, "window \"Notes\" is minimized. Restore it first",
                                           "window_minimized" } },
      args  = { window = "applications/7/windows/3" },
      err   = "minimized", code = "WINDOW_MINIMIZED" },
    { "a window that was closed",
      given = { ["sys.window.get"] = { n = 3, false, "window 4 no longer exists", "window_not_found" } },
      args  = { window = "applications/7/windows/4" },
      err   = "no longer exists", code = "WINDOW_NOT_FOUND" },
  },
}
