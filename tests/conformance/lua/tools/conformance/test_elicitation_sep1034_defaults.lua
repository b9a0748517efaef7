local elicited = require "elicited"
local s = require "schema"

local FORM = s.object {
  { "name", s.string("User name", { default = "John Doe", optional = true }) },
  { "age", s.integer("User age", { default = 30, optional = true }) },
  { "score", s.number("User score", { default = 95.5, optional = true }) },
  { "status", s.enum({ "active", "inactive", "pending" }, "User status", { default = "active", optional = true }) },
  { "verified", s.boolean("Verification status", { default = true, optional = true }) },
}

return {
  title       = "Elicitation with defaults",
  description = "Ask with values filled in.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(args, call)
    local content, why, code = call:ask { message = "Please review and update the form fields", schema = FORM }
    return elicited.text("Elicitation completed", content, why, code)
  end,
}
