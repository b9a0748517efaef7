--- Says it back.
local s = require "schema"

return {
  description = "Echo.",
  inputSchema = s.object { { "message", s.string "What." } },
  run = function(args) return args.message end,
}
