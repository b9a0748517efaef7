--- In place of the real one: a slide of 1920 x 1080.
local s = require "schema"

return {
  description = "Tell the size of slide 1.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true },
  run = function() return "SLIDE_SIZE: width=1920, height=1080" end,
}
