--- In place of the real one: says it saved.
local s = require "schema"

return {
  description = "Export slide 1 as a PNG file.",
  inputSchema = s.object { { "path", s.string "Where the PNG goes." } },
  run = function(args) return "SCREENSHOT_SAVED: path=" .. args.path end,
}
