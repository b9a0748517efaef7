local s = require "schema"
local engine = require "sys.engine"

return {
  title       = "Change of tools",
  description = "Tell those who listen that the tools changed.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function()
    engine.changed "tools"
    return "Told."
  end,
}
