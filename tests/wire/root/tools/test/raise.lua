---@type Tool
return {
  description = "Fails the way a tool should not: with an error of its own.",
  inputSchema = { type = "object", additionalProperties = false },

  run = function()
    local nothing = nil
    return nothing.field
  end,
}
