local s    = require "schema"
local time = require "sys.time"

return {
  title       = "A job that the protocol refuses",
  description = "Work for half a second, then ask for the client's folders, whether it can tell them or not.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  execution   = { taskSupport = "optional" },

  run = function(_, call)
    time.sleep(0.5)
    return call:roots {}
  end,
}
