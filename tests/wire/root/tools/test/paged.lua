---@type Tool
return {
  description = "A list in pages, each as large as asked for.",
  inputSchema = {
    type = "object",
    properties = { page_size = { type = "integer", minimum = 1 }, page_token = { type = "string" } },
    additionalProperties = false,
  },
  outputSchema = {
    type = "object",
    properties = { items = { type = "array", items = { type = "string" } } },
    required = { "items" },
    additionalProperties = false,
  },

  ---@param args {page_size?: integer}
  run = function(args)
    local items = {}
    for i = 1, args.page_size or 2 do items[i] = "item " .. i end
    return { items = items }
  end,
}
