local pixel = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\8\2\0\0\0\x90wS\xde"
  .. "\0\0\0\x0cIDATx\x9cc\xf8\xcf\xc0\0\0\3\1\1\0\xc9\xfe\x92\xef\0\0\0\0IEND\xaeB`\x82"

-- Kept between calls: what is cut on the wire must not be cut here.
local blocks = { { type = "text", text = ("a"):rep(60) }, false, { type = "text", text = ("b"):rep(60) },
                 { type = "text", text = ("c"):rep(60), annotations = { priority = 1 } } }

---@type Tool
return {
  description = "More than a client may want.",
  inputSchema = {
    type = "object",
    properties = {
      as     = { type = "string", enum = { "text", "table", "blocks", "structured" } },
      bytes  = { type = "integer", minimum = 0 },
      offset = { type = "integer", minimum = 0 },
    },
    required = { "as" },
    additionalProperties = false,
  },

  ---@param args {as: string, bytes?: integer, offset?: integer}
  run = function(args, call)
    local text = ("x"):rep((args.bytes or 0) - (args.offset or 0))
    if args.as == "table" then return { text = text } end
    if args.as == "structured" then return call:result { structuredContent = { text = text } } end
    if args.as == "blocks" then
      blocks[2] = call:image(pixel, "image/png")
      return call:result { content = blocks }
    end
    return text
  end,
}
