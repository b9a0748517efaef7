local s = require "schema"

return {
  title       = "Sampling",
  description = "Ask the client's model.",
  inputSchema = s.object { { "prompt", s.string "What to ask." } },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(args, call)
    local answer, why, code = call:sample { prompt = args.prompt, maxTokens = 100 }
    if not answer then return nil, why, code end
    return "LLM response: " .. answer.text
  end,
}
