local s = require "schema"

local FORM = s.object {
  { "name", s.string("A name.", { minLength = 2 }) },
  { "age", s.integer("Years.", { optional = true }) },
}

local asks = {}

function asks.form(call)
  local answer, why, code = call:ask { message = "Your name?", schema = FORM }
  if not answer then return nil, why, code end
  return ("%s is %s"):format(answer.name, answer.age)
end

function asks.soon(call)
  local answer, why, code = call:ask { message = "Quick!", schema = FORM, timeout = 0.05 }
  return answer and "quick", why, code
end

function asks.url(call)
  local visited, why, code = call:ask { message = "Sign in, please.", url = "https://example.com/x" }
  return visited and "visited", why, code
end

function asks.several(call)
  local answers, why, code = call:inputs {
    name    = { ask = { message = "Your name?", schema = FORM } },
    word    = { sample = { prompt = "Say a word.", maxTokens = 5, systemPrompt = "Be short." } },
    folders = { roots = {} },
  }
  if not answers then return nil, why, code end
  local folders = answers.folders
  return ("%s, %s, %d roots, %s"):format(answers.name.action, answers.word.text, #folders, folders[#folders].uri)
end

return {
  title       = "Ask",
  description = "Ask the client something.",
  inputSchema = s.object {
    { "what", s.enum({ "form", "soon", "url", "several" }, "What.", { default = "form", optional = true }) },
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(args, call) return asks[args.what or "form"](call) end,
}
