local s    = require "schema"
local time = require "sys.time"

return {
  title       = "Delete, once confirmed",
  description = "Look for the file, which takes a while, then ask whether to delete it. Nothing is deleted.",
  inputSchema = s.object { { "filename", s.string "Which file" } },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  execution   = { taskSupport = "optional" },

  run = function(args, call)
    time.sleep(0.5)
    local content, why, code = call:ask {
      key = "confirm", message = ("Delete %s?"):format(args.filename),
      schema = s.object { { "confirm", s.boolean "Delete it" } },
    }
    if not content then return nil, why, code end
    return content.confirm and ("Deleted %s"):format(args.filename) or "Nothing was deleted"
  end,
}
