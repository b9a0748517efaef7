local s = require "schema"

return {
  title       = "Text",
  description = "Answer with a text.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function()
    return "This is a simple text response for testing."
  end,
}
