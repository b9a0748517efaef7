local s = require "schema"

return {
  title       = "Input: state",
  description = "Ask, and know the answer again by its state.",
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
