-- A PNG of one red pixel.
local pixel = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\8\2\0\0\0\x90wS\xde"
  .. "\0\0\0\x0cIDATx\x9cc\xf8\xcf\xc0\0\0\3\1\1\0\xc9\xfe\x92\xef\0\0\0\0IEND\xaeB`\x82"

---@type Tool
return {
  description = "A text and a picture of one red pixel.",
  inputSchema = { type = "object", additionalProperties = false },
  annotations = { readOnlyHint = true },

  run = function(_, call)
    return call:result {
      content = { { type = "text", text = "one pixel" }, call:image(pixel, "image/png") },
    }
  end,
}
