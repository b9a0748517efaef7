local engine = require "sys.engine"
local s      = require "schema"

return {
  title       = "Touch",
  description = "Say that a resource, or a list, changed.",
  inputSchema = s.object {
    { "uri", s.string("Of the resource.", { optional = true }) },
    { "list", s.string("Of what.", { optional = true }) },
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(args)
    if args.uri then engine.updated(args.uri) end
    if args.list then engine.changed(args.list) end
    return "done"
  end,
}
