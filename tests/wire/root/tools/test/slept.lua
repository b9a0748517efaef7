local state = require "sys.state"

---@type Tool
return {
  description = "How many calls of `sleep` began, and how many have ended in any way.",
  inputSchema = { type = "object", additionalProperties = false },
  annotations = { readOnlyHint = true },

  run = function()
    local seen = state.open "test"
    return ("begun %d, closed %d"):format(seen.begun or 0, seen.closed or 0)
  end,
}
