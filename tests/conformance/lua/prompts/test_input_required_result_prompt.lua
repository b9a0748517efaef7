local s = require "schema"

return {
  title       = "Prompt that asks",
  description = "A prompt that needs something of the user first.",

  render = function(_, call)
    local content, why, code = call:ask {
      key = "user_context", message = "What context should the prompt use?",
      schema = s.object { { "context", s.string "What it is about" } },
    }
    if not content then return nil, why, code end
    return "Use this context: " .. content.context
  end,
}
