local json = require "sys.json"

---@type Tool
return {
  description = "Where a window is, as data.",
  inputSchema = {
    type = "object",
    properties = { id = { type = "integer" } },
    required = { "id" },
    additionalProperties = false,
  },
  outputSchema = {
    type = "object",
    properties = {
      id = { type = "integer" },
      title = { type = "string" },
      bounds = { type = "array", items = { type = "number" } },
      tags = { type = "array", items = { type = "string" } },
      extra = { type = "object" },
    },
    required = { "id", "title", "bounds", "tags", "extra" },
    additionalProperties = false,
  },
  annotations = { readOnlyHint = true },

  ---@param args {id: integer}
  run = function(args)
    return {
      id = args.id,
      title = "Inbox \u{2014} \u{1F4EC}",
      bounds = { 0, 25.5, 800, 600 },
      tags = json.array(),
      extra = json.object(),
    }
  end,
}
