local s = require "schema"

return {
  title       = "Input: twice",
  description = "Ask for a name, then for a colour.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(_, call)
    local one, why, code = call:ask {
      key = "step1", message = "Step 1: What is your name?", schema = s.object { { "name", s.string "Your name" } },
    }
    if not one then return nil, why, code end
    local two
    two, why, code = call:ask {
      key = "step2", message = "Step 2: What is your favorite color?",
      schema = s.object { { "color", s.string "Your favourite colour" } },
    }
    if not two then return nil, why, code end
    return ("%s likes %s."):format(one.name, two.color)
  end,
}
