local s    = require "schema"
local time = require "sys.time"

return {
  title       = "A question, then a task",
  description = "Ask for a name before the work begins; the work is a task.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  execution   = { taskSupport = "required" },

  run = function(_, call)
    local content, why, code = call:ask {
      key = "user_name", message = "What is your name?", schema = s.object { { "name", s.string "Your name" } },
    }
    if not content then return nil, why, code end
    time.sleep(0.5)
    return ("Done for %s"):format(content.name)
  end,
}
