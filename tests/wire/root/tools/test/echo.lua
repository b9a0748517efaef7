---@type Tool
return {
  title = "Echo",
  description = "Returns the text it was given.",
  inputSchema = {
    type = "object",
    properties = {
      text = { type = "string", description = "What to return." },
      times = { type = "integer", description = "How often.", minimum = 1, maximum = 1000 },
    },
    required = { "text" },
    additionalProperties = false,
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  aliases = { "say" },

  ---@param args {text: string, times?: integer}
  run = function(args)
    return args.text:rep(args.times or 1)
  end,

  examples = {
    { "returns the text", args = { text = "hello" }, want = "hello" },
    { "as often as asked", args = { text = "ab", times = 3 }, want = "ababab" },
  },
}
