local elicited = require "elicited"
local s = require "schema"

local FORM = s.object {
  { "username", s.string "User's response" },
  { "email", s.string "User's email address" },
}

return {
  title       = "Elicitation",
  description = "Ask the user for a name and an address.",
  inputSchema = s.object { { "message", s.string "What the user reads." } },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(args, call)
    local content, why, code = call:ask { message = args.message, schema = FORM }
    return elicited.text("User response", content, why, code)
  end,
}
