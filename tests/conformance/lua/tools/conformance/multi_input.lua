local s    = require "schema"
local time = require "sys.time"

return {
  title       = "Two questions at once",
  description = "Work for a while, then ask for a name and a confirmation at once.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  execution   = { taskSupport = "optional" },

  run = function(_, call)
    time.sleep(0.5)
    local schema = s.object {
      { "name",    s.string("Your name", { optional = true }) },
      { "confirm", s.boolean("Go on", { optional = true }) },
    }
    local given, why, code = call:inputs {
      who     = { ask = { message = "Your name?", schema = schema } },
      confirm = { ask = { message = "Go on?", schema = schema } },
    }
    if not given then return nil, why, code end
    return ("%s: %s"):format(given.who.content.name, tostring(given.confirm.content.confirm))
  end,
}
