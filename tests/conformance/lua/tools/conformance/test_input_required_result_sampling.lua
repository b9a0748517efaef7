local s = require "schema"

return {
  title       = "Input: a completion",
  description = "Ask the client's model about France.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(_, call)
    local answer, why, code = call:sample {
      key = "capital_question", prompt = "What is the capital of France?", maxTokens = 100,
    }
    if not answer then return nil, why, code end
    return answer.text
  end,
}
