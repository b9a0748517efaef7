local s = require "schema"
local time = require "sys.time"

return {
  title       = "Logging",
  description = "Log three lines while it runs.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(_, call)
    call:log("info", "Tool execution started")
    time.sleep(0.05)
    call:log("info", "Tool processing data")
    time.sleep(0.05)
    call:log("info", "Tool execution completed")
    return "Tool with logging executed successfully"
  end,
}
