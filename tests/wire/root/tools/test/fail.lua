---@type Tool
return {
  description = "Fails the way a tool should: with a sentence for the model.",
  inputSchema = {
    type = "object",
    properties = { message = { type = "string" }, meta = {} },
    additionalProperties = false,
  },

  ---@param args {message?: string, meta?: table}
  run = function(args)
    return nil, args.message or "There is no window 7. Call list_windows first.", "no_window", args.meta
  end,
}
