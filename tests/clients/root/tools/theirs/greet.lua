--- A structured result.
local s = require "schema"

return {
  description = "Greets.",
  inputSchema = s.object { { "name", s.string "Whom." } },
  outputSchema = { type = "object", properties = { said = { type = "string" } }, required = { "said" } },
  run = function(args) return { said = "Hello " .. args.name } end,
}
