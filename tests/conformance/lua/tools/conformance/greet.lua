local s = require "schema"

return {
  title       = "Greet",
  description = "Greet somebody at once; never a task.",
  inputSchema = s.object { { "name", s.string "Whom to greet" } },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(args) return ("Hello, %s!"):format(args.name) end,
}
