---@type Tool
return {
  description = "Runs as a task only.",
  inputSchema = { type = "object", additionalProperties = false },
  execution   = { taskSupport = "required" },

  run = function() return "ran as a task" end,
}
