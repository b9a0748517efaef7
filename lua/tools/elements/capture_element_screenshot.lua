--- A screenshot of one element of a window, by its ref, a selector or its bounds.

local beginnings = require "desktop.beginnings"
local fail       = require "desktop.fail"
local framing    = require "elements.tools.framing"
local names      = require "desktop.names"
local s          = require "schema"
local shots      = require "desktop.shots"
local tool       = require "elements.tools.shared"
local windows    = require "desktop.windows"

local LIMIT = 1000000


---@param args {element?: string, bounds?: sys.window.Rect, application?: string, window?: string, padding?: number}
---@param call Call
local function run(args, call)
  if (args.element == nil) == (args.bounds == nil) then return fail.with("Pass element or bounds, not both.", "bad_argument") end
  local pictured, err, code
  if args.bounds then pictured = framing.by_bounds(args) else pictured, err, code = framing.by_name(args) end
  if not pictured then return fail.with(err, code) end
  local shot = { options = { region = framing.padded(pictured.bounds, args.padding or 0) }, what = pictured.what,
                 members = { element = pictured.ref } }
  if pictured.window then
    local shown
    shown, err, code = names.look_at_window(pictured.window)
    if not shown then return fail.with(err, code) end
    shot.options.window, shot.window = shown, shown
    shot.what = ("%s in window %s"):format(shot.what, windows.quote(shown.title))
    shot.members.window = names.window(shown)
  end
  return shots.take(call, args, shot)
end


---@type Tool
return {
  title        = "Capture an element screenshot",
  description  = "Capture a screenshot of a button, field or other element, by ref, selector or bounds. Other windows that "
              .. "cover it do not appear, for bounds if you pass its window. Pass its image_id to create_input to click by "
              .. "pixel.",
  inputSchema  = shots.parameters {
    { "element", s.string('A ref (e12), or a selector: button "Save".', { optional = true, minLength = 1, maxLength = 1000 }) },
    tool.application,
    { "bounds", s.brief(s.object({
      { "x", s.number("Left edge.", { minimum = -LIMIT, maximum = LIMIT }) },
      { "y", s.number("Top edge.", { minimum = -LIMIT, maximum = LIMIT }) },
      { "width", s.number("Width.", { minimum = 1, maximum = LIMIT }) },
      { "height", s.number("Height.", { minimum = 1, maximum = LIMIT }) },
    }, "In its place {x, y, width, height}, in desktop points.", { optional = true })) },
    { "window", s.string("Resource name or title.",
      { optional = true, minLength = 1, maxLength = 1024 }) },
    { "padding", s.number("Margin in points.",
      { optional = true, minimum = 0, maximum = 1000, default = 0 }) },
  },
  outputSchema = shots.results {
    { "window", s.string("Resource name of the window, if it is known.", { optional = true }) },
    { "element", s.string("The element's ref.", { optional = true }) },
  },
  annotations  = shots.annotations,
  codes        = shots.codes(tool.codes("ELEMENT_AMBIGUOUS", "ELEMENT_GONE", "ELEMENT_NOT_FOUND", "NOT_IN_VIEW",
    "WINDOW_MINIMIZED")),

  about = { "focused", element = "element", application = "application", window = "window", bounds = "region", path = "path" },
  run = beginnings.run(run),

  examples = {
    { "an element that is not there",
      shows = { { { 0, "window", "Notes" }, { 1, "button", "Save" } } }, args = { element = 'button "Sve"' },
      has   = { "Nearest" }, code = "ELEMENT_NOT_FOUND" },
    { "a button with 5 points around it",
      given = { ["sys.screen.capture"] = function(options)
                  local region = options.region
                  return { bytes = "PNG", size = 3, mime_type = "image/png", width = region.width, height = region.height,
                           origin = { x = region.x, y = region.y }, scale = 1 }
                end },
      args  = { bounds = { x = 100, y = 200, width = 80, height = 24 }, padding = 5 },
      want  = { width = 90, height = 34, origin = { x = 95, y = 195 } },
      has   = { "of the element of 80 x 24 points at 100, 200, 90 x 34 pixels", "desktop point 95 + x, 195 + y" } },
    { "neither element nor bounds", args = {}, err = "Pass element or bounds, not both.", code = "INVALID_ARGUMENT" },
  },
}
