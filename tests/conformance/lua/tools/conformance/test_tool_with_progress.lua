local s = require "schema"
local time = require "sys.time"

return {
  title       = "Progress",
  description = "Tell how far it is.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(_, call)
    call:progress(0, 100)
    time.sleep(0.05)
    call:progress(50, 100)
    time.sleep(0.05)
    call:progress(100, 100)
    return "Tool with progress executed successfully"
  end,
}
