local s = require "schema"

return {
  title       = "Embedded resource",
  description = "Answer with a resource.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(_, call)
    return call:result { content = { call:resource {
      uri = "test://embedded-resource", mimeType = "text/plain", text = "This is an embedded resource content.",
    } } }
  end,
}
