local s    = require "schema"
local time = require "sys.time"

return {
  title       = "Compute slowly",
  description = "Take as many seconds as asked for, then answer.",
  inputSchema = s.object {
    { "seconds", s.number("How long it takes", { minimum = 0, maximum = 600 }) },
    { "label",   s.string("Comes back in the answer", { optional = true }) },
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  execution   = { taskSupport = "optional" },

  run = function(args)
    time.sleep(args.seconds)
    return ("Computed for %g s: %s"):format(args.seconds, args.label or "done")
  end,
}
