local s = require "schema"

return {
  title       = "Input: several",
  description = "Ask three things at once.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(_, call)
    local answers, why, code = call:inputs {
      user_name    = { ask = { message = "What is your name?", schema = s.object { { "name", s.string "Your name" } } } },
      greeting     = { sample = { prompt = "Generate a greeting", maxTokens = 50 } },
      client_roots = { roots = {} },
    }
    if not answers then return nil, why, code end
    local content = answers.user_name.content or {}
    return ("%s %s, with %d roots"):format(answers.greeting.text, content.name or "nobody", #answers.client_roots)
  end,
}
