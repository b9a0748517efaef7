local s = require "schema"

return {
  title       = "Question in a stream",
  description = "Ask the user while the answer streams.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(_, call)
    local content, why, code = call:ask {
      key = "confirm", message = "Go on?", schema = s.object { { "ok", s.boolean "Go on." } },
    }
    if not content then return nil, why, code end
    return "Went on."
  end,
}
