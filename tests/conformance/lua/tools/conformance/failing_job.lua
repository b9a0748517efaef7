local s    = require "schema"
local time = require "sys.time"

return {
  title       = "A job that fails",
  description = "Work for a second, then fail as tools do. Runs as a task only.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  execution   = { taskSupport = "required" },

  run = function()
    time.sleep(1)
    return nil, "The job failed, as it always does"
  end,
}
