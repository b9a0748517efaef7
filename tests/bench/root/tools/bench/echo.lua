---@type Tool
return {
  description = "Returns the message it was given.",
  inputSchema = {
    type = "object",
    properties = { message = { type = "string", description = "What to return." } },
    required = { "message" },
    additionalProperties = false,
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  ---@param args {message: string}
  run = function(args)
    return args.message
  end,
}
