local media = require "media"
local s = require "schema"

return {
  title       = "Mixed content",
  description = "Answer with a text, a picture and a resource.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(_, call)
    return call:result { content = {
      call:text "Multiple content types test:",
      call:image(media.png, "image/png"),
      call:resource {
        uri = "test://mixed-content-resource", mimeType = "application/json", text = '{"test":"data","value":123}',
      },
    } }
  end,
}
