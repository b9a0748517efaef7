--- A question to a model, for Python code: ask_model(prompt).

local model = require "python.model"
local s     = require "schema"


---@type Tool
return {
  title       = "Ask a model",
  description = "Ask an AI model one question and get its answer as text. The model has no tools and knows no earlier question. "
             .. "Code calls this: `await ask_model(prompt)` in execute_python_code. The server's keys choose the model.",
  inputSchema = s.object {
    { "prompt", s.string("The question.", { minLength = 1, maxLength = 1000000 }) },
    { "system", s.string("Instructions that stand before it.", { optional = true, maxLength = 100000 }) },
    { "model", s.string("PROVIDER or PROVIDER/MODEL, for example gemini. Default: by the server's keys.",
      { optional = true, minLength = 1, maxLength = 200 }) },
  },
  about       = { "nothing", model = "nothing" },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = false, openWorldHint = true },
  listed      = false,
  from        = "web",
  timeout     = 290,

  run = function(args, call) return model.ask(args, call) end,

  examples = {
    { "answers",
      given = { ["sys.engine.provider"] = { complete = function(request)
                  return { text = "You asked: " .. request.messages[1].text, stop = "end" }
                end }, ["sys.policy.root"] = 1, ["sys.policy.pause"] = false,
                ["agent.models.choose"] = { provider = "gemini" } },
      args  = { prompt = "Why?" }, want = "You asked: Why?" },
    { "says what is missing where no model is set up",
      given = { ["sys.engine.provider"] = { stand_in = true }, ["sys.policy.root"] = 1,
                ["agent.models.choose"] = { provider = "offline" } },
      args  = { prompt = "Why?" }, err = "No model is set up. Set GEMINI_API_KEY", code = "not_configured" },
  },
}
