---@type Tool
return {
  description = "Returns bytes that are no UTF-8.",
  inputSchema = { type = "object", additionalProperties = false },

  run = function()
    return "a\xffb\xc3(c\xed\xa0\x80d"
  end,
}
