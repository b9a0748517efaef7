local s     = require "schema"
local state = require "sys.state"

return {
  title       = "Ask slowly",
  description = "Ask with less time than a person takes, and count how often it was begun.",
  inputSchema = s.object { { "count", s.boolean("Only tell the count.", { optional = true }) } },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  timeout     = 0.5,

  run = function(args, call)
    local seen = state.open "ask_slowly"
    if args.count then return ("begun %d"):format(seen.begun or 0) end
    seen.begun = (seen.begun or 0) + 1
    local answer, why, code = call:ask {
      key = "ok", message = "All right?", schema = s.object { { "ok", s.boolean "Yes." } },
    }
    return answer and "fine", why, code
  end,
}
