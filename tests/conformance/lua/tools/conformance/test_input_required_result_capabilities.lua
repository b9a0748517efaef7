local s = require "schema"

return {
  title       = "Input: what the client can",
  description = "Ask only what the client can answer.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(_, call)
    local inputs = {}
    if call:can "ask" then
      inputs.name = { ask = { message = "What is your name?", schema = s.object { { "name", s.string "Your name" } } } }
    end
    if call:can "sample" then inputs.greeting = { sample = { prompt = "Say hello.", maxTokens = 50 } } end
    if call:can "roots" then inputs.folders = { roots = {} } end
    if not next(inputs) then return "This client cannot be asked anything." end
    local answers, why, code = call:inputs(inputs)
    if not answers then return nil, why, code end
    return "Answered."
  end,
}
