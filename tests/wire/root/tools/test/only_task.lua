---@type Tool
return {
  description = "Runs as a task only.",
  inputSchema = { type = "object", additionalProperties = false },
  annotations = { readOnlyHint = true },
  execution   = { taskSupport = "required" },

  run = function() return "ran as a task" end,
}
