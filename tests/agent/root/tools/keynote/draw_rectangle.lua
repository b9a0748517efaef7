--- In place of the real one: says it drew.
local s = require "schema"

return {
  description = "Draw a rectangle on slide 1.",
  inputSchema = s.object {
    { "x", s.integer "Left edge." }, { "y", s.integer "Top edge." },
    { "width", s.integer "Width." }, { "height", s.integer "Height." },
  },
  run = function(args)
    return ("RECTANGLE_OK: id=R1, x=%d, y=%d, width=%d, height=%d"):format(args.x, args.y, args.width, args.height)
  end,
}
