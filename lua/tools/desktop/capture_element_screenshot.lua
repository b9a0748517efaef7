--- A screenshot of one element of a window, by its bounds.

local fail    = require "desktop.fail"
local names   = require "desktop.names"
local s       = require "schema"
local shots   = require "desktop.shots"
local windows = require "desktop.windows"

local LIMIT = 1000000


--- The bounds with the padding around them.
local function padded(bounds, padding)
  return {
    x = bounds.x - padding, y = bounds.y - padding,
    width = bounds.width + 2 * padding, height = bounds.height + 2 * padding,
  }
end


---@param args {bounds: sys.window.Rect, window?: string, padding?: number}
---@param call Call
local function run(args, call)
  local bounds = args.bounds
  local shot = {
    options = { region = padded(bounds, args.padding or 0) },
    what = ("the element of %g x %g points at %g, %g"):format(bounds.width, bounds.height, bounds.x, bounds.y),
  }
  if args.window then
    local shown, err, code = names.look_at_window(args.window)
    if not shown then return fail.with(err, code) end
    shot.options.window, shot.window = shown, shown
    shot.what = ("%s in window %s"):format(shot.what, windows.quote(shown.title))
    shot.members = { window = names.window(shown) }
  end
  return shots.take(call, args, shot)
end


---@type Tool
return {
  title        = "Capture an element screenshot",
  description  = "Capture a screenshot of a button, field or other element, given its bounds in points. If you pass its "
              .. "window, other windows that cover it do not appear. Pass its image_id to create_input to click by pixel. For "
              .. "any other rectangle, use capture_region_screenshot.",
  inputSchema  = shots.parameters {
    { "bounds", s.object({
      { "x", s.number("Left edge.", { minimum = -LIMIT, maximum = LIMIT }) },
      { "y", s.number("Top edge.", { minimum = -LIMIT, maximum = LIMIT }) },
      { "width", s.number("Width.", { minimum = 1, maximum = LIMIT }) },
      { "height", s.number("Height.", { minimum = 1, maximum = LIMIT }) },
    }, "Bounds of the element, in desktop points.") },
    { "window", s.string("Resource name or title of the element's window.",
      { optional = true, minLength = 1, maxLength = 1024 }) },
    { "padding", s.number("Margin around the element, in points.",
      { optional = true, minimum = 0, maximum = 1000, default = 0 }) },
  },
  outputSchema = shots.results {
    { "window", s.string("Resource name of the window, if one was passed.", { optional = true }) },
  },
  annotations  = shots.annotations,
  listed       = false,
  codes        = shots.codes {
    WINDOW_NOT_FOUND = "No window matches, or it was closed.",
    AMBIGUOUS_WINDOW_IDENTIFIER = "Several windows match; the message lists them.",
    WINDOW_MINIMIZED = "The window is minimized. Call restore_window first.",
  },

  run = run,

  examples = {
    { "a button with 5 points around it",
      given = { ["sys.screen.capture"] = function(options)
                  local region = options.region
                  return { bytes = "PNG", size = 3, mime_type = "image/png", width = region.width, height = region.height,
                           origin = { x = region.x, y = region.y }, scale = 1 }
                end },
      args  = { bounds = { x = 100, y = 200, width = 80, height = 24 }, padding = 5 },
      want  = { width = 90, height = 34, origin = { x = 95, y = 195 } },
      has   = { "of the element of 80 x 24 points at 100, 200, 90 x 34 pixels", "desktop point 95 + x, 195 + y" } },
    { "bounds outside of the window",
      given = { ["sys.window.list"] = { { pid = 7, started = 70, id = 3, title = "Notes", app = "Editor" } },
                ["sys.window.get"] = { pid = 7, started = 70, id = 3, title = "Notes" },
                ["sys.screen.capture"] = { n = 3, false, "the region lies outside of the window", "outside" } },
      args  = { window = "Notes", bounds = { x = 5000, y = 0, width = 10, height = 10 } },
      err   = "outside of the window" },
  },
}
