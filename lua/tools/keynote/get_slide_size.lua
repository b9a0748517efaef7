--- The size of slide 1.

local s       = require "schema"
local session = require "keynote.session"


local function run()
  local mine = session.state()
  local size, err, code = session.drive("slide_size", mine.document)
  if not size then return nil, err, code end
  mine.last_slide_dims = { width = size.width, height = size.height }
  return ("SLIDE_SIZE: width=%s, height=%s"):format(session.number(size.width), session.number(size.height))
end


---@type Tool
return {
  title       = "Get the slide size",
  description = "Get the width and height of slide 1, in slide points, for draw_rectangle. Call open_keynote first.",
  inputSchema = s.object {},
  about       = { session.NAMES },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  timeout     = 90,
  keeps       = true,
  says_error  = true,
  programs    = { "soffice", "libreoffice", "/usr/lib/libreoffice/program/soffice", "/Applications/Keynote.app" },

  run = run,

  examples = {
    { "reports width and height",
      given = { ["keynote.driver.current"] = { slide_size = function() return { width = 1024, height = 768 } end } },
      args  = {},
      want  = "SLIDE_SIZE: width=1024, height=768" },
    { "passes on why it cannot",
      given = { ["keynote.driver.current"] = { slide_size = function()
        return nil, "The document was closed.", "no_document"
      end } },
      args  = {}, err = "The document was closed." },
  },
}
