--- Roll dice.

local s = require "schema"

---@type Tool
return {
  title       = "Roll dice",
  description = "Roll some dice and return the sum.",
  inputSchema = s.object { { "count", s.integer("Number of dice.", { minimum = 1, maximum = 100 }) } },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = false, openWorldHint = false },

  run = function(args)
    local sum = 0
    for _ = 1, args.count do sum = sum + math.random(6) end
    return ("You rolled %d."):format(sum)
  end,

  examples = {
    { "returns the sum", args = { count = 2 }, has = { "You rolled " } },
  },
}
