--- The request of `perigee agent` without a request. {system}: "macOS" or "Linux".

---@type Text
return {
  description = "The task of `perigee agent` without a request.",

  text = "Create a rectangle in Keynote slide 1 and write this exact text inside it: Hello from MCP on {system}.",

  examples = {
    { "names the text to write", has = { "exact text inside it: Hello from MCP on {system}." } },
  },
}
