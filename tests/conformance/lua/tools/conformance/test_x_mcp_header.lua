local s = require "schema"

return {
  title       = "Header",
  description = "Take an argument that clients also send as a header.",
  inputSchema = s.object {
    { "region", s.string("Where.", { ["x-mcp-header"] = "Region", optional = true }) },
    { "level", s.integer("How far.", { ["x-mcp-header"] = "Level", optional = true }) },
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(args)
    return ("region=%s, level=%s"):format(args.region, args.level)
  end,
}
