local s = require "schema"

return {
  title       = "Missing capability",
  description = "Need a client whose model can be asked.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(_, call)
    local answer, why, code = call:sample { prompt = "Say yes.", maxTokens = 10 }
    if not answer then return nil, why, code end
    return answer.text
  end,
}
