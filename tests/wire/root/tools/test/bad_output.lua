---@type Tool
return {
  description = "Promises a number in its outputSchema and returns a text: a tool's bug.",
  inputSchema = { type = "object", additionalProperties = false },
  outputSchema = {
    type = "object",
    properties = { count = { type = "integer" } },
    required = { "count" },
  },

  run = function()
    return { count = "many" }
  end,
}
