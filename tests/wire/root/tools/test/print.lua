---@type Tool
return {
  description = "Prints a line that looks like a message, as a careless tool would.",
  inputSchema = { type = "object", additionalProperties = false },

  run = function()
    print('{"jsonrpc":"2.0","id":1,"result":{"stray":true}}')
    print("a stray line", 1, nil, true)
    return "printed"
  end,
}
