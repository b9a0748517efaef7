local media = require "media"
local s = require "schema"

return {
  title       = "Image",
  description = "Answer with a picture.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(_, call)
    return call:result { content = { call:image(media.png, "image/png") } }
  end,
}
