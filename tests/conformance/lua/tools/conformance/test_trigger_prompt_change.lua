local s = require "schema"
local engine = require "sys.engine"

return {
  title       = "Change of prompts",
  description = "Tell those who listen that the prompts changed.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function()
    engine.changed "prompts"
    return "Told."
  end,
}
