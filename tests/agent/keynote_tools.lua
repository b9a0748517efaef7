--- The five tools of the keynote toolset as a server lists them, and a slide that answers like the real thing.
local keynote = {}

local function schema(properties, required)
  return { type = "object", properties = properties, required = required, additionalProperties = false }
end

local INTEGER = { type = "integer" }

keynote.tools = {
  { name = "open_keynote", description = "Open Keynote.", inputSchema = schema({}, {}) },
  { name = "get_slide_size", description = "Size of slide 1.", inputSchema = schema({}, {}),
    annotations = { readOnlyHint = true } },
  { name = "draw_rectangle", description = "Draw a rectangle on slide 1.",
    inputSchema = schema({ x = INTEGER, y = INTEGER, width = INTEGER, height = INTEGER },
      { "x", "y", "width", "height" }) },
  { name = "add_text_in_keynote", description = "Write into the last rectangle.",
    inputSchema = schema({ text = { type = "string" } }, { "text" }) },
  { name = "screenshot_slide", description = "Save slide 1 as PNG.",
    inputSchema = schema({ path = { type = "string", description = "Where to." } }, { "path" }) },
}

--- A server for the stand-in of sys.mcp. `fails[tool]` is a list: texts to answer with before it works.
function keynote.server(fails)
  local server = { tools = keynote.tools, calls = {}, size = { 1920, 1080 } }
  local answers = {
    open_keynote = function()
      return ("KEYNOTE_READY: slide=1, slide_width=%d, slide_height=%d"):format(server.size[1], server.size[2])
    end,
    get_slide_size = function() return ("SLIDE_SIZE: width=%d, height=%d"):format(server.size[1], server.size[2]) end,
    draw_rectangle = function(args)
      return ("RECTANGLE_OK: id=R1, x=%d, y=%d, width=%d, height=%d"):format(args.x, args.y, args.width, args.height)
    end,
    add_text_in_keynote = function(args)
      return ("TEXT_OK: id=R1, characters=%d"):format(utf8.len((args.text:gsub("¦", "|"))))
    end,
    screenshot_slide = function(args) return "SCREENSHOT_SAVED: path=" .. args.path end,
  }
  function server.call(name, args, spec)
    server.calls[#server.calls + 1] = { name, args }
    if spec and spec.log then spec.log("[2025-10-02T12:01:07Z][server][tool=" .. name .. "] called") end
    local failure = fails and fails[name] and table.remove(fails[name], 1)
    return failure or answers[name](args)
  end
  return server
end

return keynote
