--- In place of the real one: a slide of 1920 x 1080.
local s = require "schema"

return {
  description = "Open Keynote.",
  inputSchema = s.object {},
  run = function() return "KEYNOTE_READY: slide=1, slide_width=1920, slide_height=1080" end,
}
