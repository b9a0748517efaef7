--- One display.

local display  = require "sys.display"
local displays = require "desktop.displays"
local fail     = require "desktop.fail"
local names    = require "desktop.names"
local s        = require "schema"


---@param args {name: string}
---@param call Call
local function run(args, call)
  local found, err, code = names.find_display(args.name)
  if not found then return fail.with(err, code) end
  local facts = displays.facts(found, display.cursor())
  return call:result { content = { { type = "text", text = displays.line(facts) } }, structuredContent = facts }
end


---@type Tool
return {
  title        = "Get a display",
  description  = "Get one display's bounds, work area, scale and rotation, in points. For all displays, use list_displays.",
  inputSchema  = s.object {
    { "name", s.string("Resource name from list_displays, or the system's name for the display.",
      { minLength = 1, maxLength = 200 }) },
  },
  outputSchema = displays.schema,
  about       = { "nothing", name = "display" },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  listed       = false,
  codes       = fail.meanings("DISPLAY_NOT_FOUND"),

  run = run,

  examples = {
    { "finds it by the system's name",
      given = {
        ["sys.display.list"] = {
          { id = 1, name = "HDMI-1", bounds = { x = 0, y = 0, width = 1920, height = 1080 },
            work = { x = 0, y = 0, width = 1920, height = 1080 }, scale = 1, main = true },
        },
        ["sys.display.cursor"] = { n = 2, 5, 6 },
      },
      args  = { name = "hdmi-1" },
      want  = { name = "displays/1", cursor = { x = 5, y = 6 } } },

    { "lists the displays",
      given = { ["sys.display.list"] = {
        { id = 1, name = "HDMI-1", bounds = {}, work = {}, scale = 1, main = true },
      } },
      args  = { name = "displays/2" },
      err   = 'There is no display "displays/2". Use one of these:\n  displays/1  HDMI-1',
      code  = "DISPLAY_NOT_FOUND" },
  },
}
