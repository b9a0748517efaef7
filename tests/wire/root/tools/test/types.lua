local json = require "sys.json"

---@type Tool
return {
  description = "Takes a value of every JSON type, so that checking and carrying of arguments show.",
  inputSchema = {
    type = "object",
    properties = {
      text = { type = "string", minLength = 1, pattern = "^[a-z]+$" },
      whole = { type = "integer", minimum = -5, maximum = 9007199254740991 },
      number = { type = "number", exclusiveMaximum = 10 },
      flag = { type = "boolean" },
      list = { type = "array", items = { type = "integer" }, maxItems = 3 },
      map = { type = "object", additionalProperties = { type = "string" } },
      none = { type = "null" },
      pick = { enum = { "red", "green" } },
      any = { description = "Anything." },
    },
    additionalProperties = false,
  },

  run = function(args)
    return assert(json.encode(args))
  end,
}
