local s = require "schema"

return {
  title       = "Input: a form",
  description = "Ask for a name, then greet.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(_, call)
    local content, why, code = call:ask {
      key = "user_name", message = "What is your name?", schema = s.object { { "name", s.string "Your name" } },
    }
    if not content then return nil, why, code end
    return ("Hello, %s!"):format(content.name)
  end,
}
