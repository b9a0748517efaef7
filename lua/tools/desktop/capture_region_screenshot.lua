--- A screenshot of a part of the desktop.

local s     = require "schema"
local shots = require "desktop.shots"

local LIMIT = 1000000


---@param args {x: number, y: number, width: number, height: number}
---@param call Call
local function run(args, call)
  return shots.take(call, args, {
    options = { region = { x = args.x, y = args.y, width = args.width, height = args.height } },
    what = ("the region of %g x %g points at %g, %g"):format(args.width, args.height, args.x, args.y),
  })
end


---@type Tool
return {
  title        = "Capture a region screenshot",
  description  = "Capture a screenshot of a rectangle of the desktop, in points. Use it to see details at full size; for one "
              .. "window, use capture_window_screenshot. Parts outside all displays are cut off: check origin, width and "
              .. "height. Pass its image_id to create_input to click by pixel.",
  inputSchema  = shots.parameters {
    { "x", s.number("Left edge in points, from the left of the main display.", { minimum = -LIMIT, maximum = LIMIT }) },
    { "y", s.number("Top edge in points, from the top of the main display.", { minimum = -LIMIT, maximum = LIMIT }) },
    { "width", s.number("Width in points.", { minimum = 1, maximum = LIMIT }) },
    { "height", s.number("Height in points.", { minimum = 1, maximum = LIMIT }) },
  },
  outputSchema = shots.results(),
  annotations  = shots.annotations,
  listed       = false,
  codes        = shots.codes(),

  about = { "every", path = "path" },
  run = run,

  examples = {
    { "200 by 100 points, at full size",
      given = { ["sys.screen.capture"] = { bytes = "PNG", size = 3, mime_type = "image/png", width = 400, height = 200,
                                           origin = { x = 10, y = 20 }, scale = 2 } },
      args  = { x = 10, y = 20, width = 200, height = 100, max_size = 0 },
      want  = { width = 400, height = 200, scale = 2 },
      has   = { "of the region of 200 x 100 points at 10, 20, 400 x 200 pixels", "desktop point 10 + x / 2, 20 + y / 2" } },
    { "since, and a file",
      given = {},
      args  = { x = 10, y = 20, width = 200, height = 100, since = "image-1", path = "/tmp/a.png" },
      err   = "Leave out path, or since.", code = "INVALID_ARGUMENT" },
    { "a region beside every display",
      given = { ["sys.screen.capture"] = { n = 3, false, "the area of 10 x 10 at 90000, 0 lies on no display", "outside" } },
      args  = { x = 90000, y = 0, width = 10, height = 10 },
      err   = "lies on no display" },
  },
}
