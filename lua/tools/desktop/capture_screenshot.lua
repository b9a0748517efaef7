--- A screenshot of a display, or of all of them.

local fail  = require "desktop.fail"
local names = require "desktop.names"
local s     = require "schema"
local shots = require "desktop.shots"


---@param args {display?: string}
---@param call Call
local function run(args, call)
  if args.display == "all" then
    return shots.take(call, args, { options = { all = true }, what = "all displays" })
  end
  if not args.display then
    return shots.take(call, args, { options = {}, what = "the main display" })
  end
  local display, err, code = names.find_display(args.display)
  if not display then return fail.with(err, code) end
  local name = names.display(display)
  return shots.take(call, args, {
    options = { display = display.id }, what = ("%s (%s)"):format(name, display.name), members = { display = name },
  })
end


---@type Tool
return {
  title        = "Capture a screenshot",
  description  = "Capture a screenshot of one display or of all displays. For one window, capture_window_screenshot keeps "
              .. "more detail. Pass its image_id to create_input to click by pixel. To save several to files, use image.",
  inputSchema  = shots.parameters {
    { "display", s.string("Display name, or \"all\" for one image of all. Default: the main one.",
      { optional = true, minLength = 1, maxLength = 200 }) },
  },
  outputSchema = shots.results {
    { "display", s.string("Resource name of the display, if one was passed.", { optional = true }) },
  },
  annotations  = shots.annotations,
  codes        = shots.codes { DISPLAY_NOT_FOUND = "No display matches; the message lists the displays." },

  about = { "main_display", display = { "display", all = "every" }, path = "path" },
  run = run,

  examples = {
    { "the main display, scaled down to what models see",
      given = { ["sys.screen.capture"] = { bytes = "PNG", size = 3, mime_type = "image/png", width = 1568, height = 882,
                                           origin = { x = 0, y = 0 }, scale = 0.8166666666666667 } },
      args  = {},
      want  = { width = 1568, height = 882, origin = { x = 0, y = 0 }, mime_type = "image/png" },
      has   = { "of the main display, 1568 x 882 pixels, PNG", "desktop point x / 0.816667, y / 0.816667." },
      did   = { "screen.capture" } },
    { "all displays as a small JPEG, written to a file",
      given = { ["sys.screen.capture"] = { size = 40960, mime_type = "image/jpeg", width = 800, height = 300,
                                           origin = { x = -1280, y = 0 }, scale = 0.25, path = "/tmp/all.jpg" } },
      args  = { display = "all", format = "jpeg", quality = 60, max_size = 800, path = "/tmp/all.jpg" },
      want  = { path = "/tmp/all.jpg", size = 40960 },
      has   = { "Saved to /tmp/all.jpg.", "desktop point -1280 + x / 0.25, y / 0.25" } },
    { "an unknown display",
      given = { ["desktop.names.find_display"] = { n = 3, false, "There is no display \"HDMI-9\".", "display_not_found" } },
      args  = { display = "HDMI-9" },
      err   = "There is no display", code = "DISPLAY_NOT_FOUND" },
    { "on a Mac, without the permission",
      given = { ["sys.screen.capture"] = { n = 3, false, "macOS does not allow this: the permission Screen Recording is missing.",
                                           "permission_denied_screen" } },
      args  = {},
      err   = "the permission Screen Recording is missing", code = "PERMISSION_DENIED_SCREEN_RECORDING" },
  },
}
