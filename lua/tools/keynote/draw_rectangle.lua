--- Draw a rectangle on slide 1 and remember it as the one to write in.

local s       = require "schema"
local session = require "keynote.session"


---@param args {x: integer, y: integer, width: integer, height: integer}
---@param call Call
local function run(args, call)
  if args.width <= 0 or args.height <= 0 then
    local wrong = ("A rectangle of %d x %d cannot be drawn. Pass a width and a height above 0."):format(args.width, args.height)
    return session.fail(wrong, "bad_argument")
  end
  local mine = session.state()
  local drawn, err, code = session.drive("draw", mine.document, args)
  if not drawn then return nil, err, code end
  mine.last_rectangle_id = drawn.handle
  local number = session.number
  return session.answer(call, ("RECTANGLE_OK: id=%s, x=%s, y=%s, width=%s, height=%s"):format(
    drawn.handle, number(drawn.x), number(drawn.y), number(drawn.width), number(drawn.height)), drawn.warnings)
end


---@type Tool
return {
  title       = "Draw a rectangle",
  description = "Draw a rectangle on slide 1. Call open_keynote first. Coordinates are slide points from the top left corner, "
             .. "not pixels; get_slide_size returns the slide's size. For text, call add_text_in_keynote next.",
  inputSchema = s.object {
    { "x",      s.integer("Left edge.", { minimum = -100000, maximum = 100000 }) },
    { "y",      s.integer("Top edge.", { minimum = -100000, maximum = 100000 }) },
    { "width",  s.integer("Above 0.", { maximum = 100000 }) },
    { "height", s.integer("Above 0.", { maximum = 100000 }) },
  },
  about       = { session.NAMES },
  annotations = { readOnlyHint = false, destructiveHint = false, idempotentHint = false, openWorldHint = false },
  timeout     = 90,
  keeps       = true,
  says_error  = true,
  programs    = { "soffice", "libreoffice", "/usr/lib/libreoffice/program/soffice", "/Applications/Keynote.app" },

  run = run,

  examples = {
    { "reports where the program put it",
      given = { ["keynote.driver.current"] = {
        draw = function() return { handle = "R1", x = 384, y = 378, width = 1152, height = 324 } end,
      } },
      args  = { x = 384, y = 378, width = 1152, height = 324 },
      want  = "RECTANGLE_OK: id=R1, x=384, y=378, width=1152, height=324" },

    { "refuses one without a width",
      args = { x = 0, y = 0, width = 0, height = 10 },
      err  = "ERROR: A rectangle of 0 x 10 cannot be drawn. Pass a width and a height above 0.",
      code = "bad_argument" },
  },
}
