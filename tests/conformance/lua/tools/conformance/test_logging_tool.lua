local s = require "schema"

return {
  title       = "Logging on request",
  description = "Log a line, for clients that asked for lines.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(_, call)
    call:log("info", "A line of the log")
    return "Logged"
  end,
}
