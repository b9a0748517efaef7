local s = require "schema"

return {
  title       = "Failure",
  description = "Fail.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function()
    return nil, "This tool intentionally returns an error for testing"
  end,
}
