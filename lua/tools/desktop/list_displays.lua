--- The displays, and the pointer's position.

local display  = require "sys.display"
local displays = require "desktop.displays"
local fail     = require "desktop.fail"
local pages    = require "desktop.pages"
local s        = require "schema"


---@param call Call
local function run(_, call)
  local found, err, code = display.list()
  if not found then return fail.with(err, code) end
  local x, y = display.cursor()
  local all, lines = {}, { pages.found(#found, "display") }
  for i, d in ipairs(found) do
    all[i] = displays.facts(d, x, y)
    lines[i + 1] = "- " .. displays.line(all[i])
  end
  return call:result {
    content = { { type = "text", text = table.concat(lines, "\n") } },
    structuredContent = { displays = all },
  }
end


---@type Tool
return {
  title        = "List displays",
  description  = "List all displays with bounds, work area and scale, and the pointer position. Use it before you place windows "
              .. "or choose a display for capture_screenshot. Coordinates are points from the top left corner of the main "
              .. "display.",
  inputSchema  = s.object {},
  outputSchema = s.object { { "displays", s.array(displays.schema, "The main one first.") } },
  about       = { "nothing" },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  listed      = false,
  codes       = fail.meanings(),

  run = run,

  examples = {
    { "reports the pointer position", args = {},
      given = {
        ["sys.display.list"] = {
          { id = 1, name = "HDMI-1", bounds = { x = 0, y = 0, width = 1920, height = 1080 },
            work = { x = 0, y = 30, width = 1920, height = 1050 }, scale = 1, main = true },
          { id = 2, name = "DP-2", bounds = { x = 1920, y = 0, width = 1280, height = 800 },
            work = { x = 1920, y = 0, width = 1280, height = 800 }, scale = 2, rotation = 90, main = false },
        },
        ["sys.display.cursor"] = { n = 2, 2000, 10.5 },
      },
      has   = { "Found 2 displays:\n- HDMI-1 (displays/1), 1920x1080 at 0,0, main, work area 1920x1050 at 0,30",
                "- DP-2 (displays/2), 1280x800 at 1920,0, 2 pixels per point, rotated by 90 degrees, pointer at 2000,10.5" },
      want  = { displays = { { name = "displays/1", main = true }, { cursor = { x = 2000, y = 10.5 } } } } },
    { "says what to do without a display", args = {}, code = "NO_DISPLAY",
      given = { ["sys.display.list"] = { n = 3, false, "no X display: DISPLAY is not set", "no_display" },
                ["sys.engine.launcher"] = "claude-ai" },
      err   = "no X display: DISPLAY is not set. Claude Desktop did not pass DISPLAY on. Run `perigee install claude-desktop`" },
  },
}
