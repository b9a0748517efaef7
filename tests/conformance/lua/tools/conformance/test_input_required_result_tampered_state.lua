local s = require "schema"

return {
  title       = "Input: changed state",
  description = "Ask, and refuse a state that was changed.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(_, call)
    local content, why, code = call:ask {
      key = "confirm", message = "Please confirm", schema = s.object { { "ok", s.boolean "Yes" } },
    }
    if not content then return nil, why, code end
    return "state-ok"
  end,
}
