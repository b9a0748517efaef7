---@type Tool
return {
  description = "A text of so many bytes.",
  inputSchema = {
    type = "object",
    properties = { bytes = { type = "integer", minimum = 0, maximum = 100000000 } },
    required = { "bytes" },
    additionalProperties = false,
  },

  ---@param args {bytes: integer}
  run = function(args)
    return ("x"):rep(args.bytes)
  end,
}
