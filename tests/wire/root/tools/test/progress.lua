local time = require "sys.time"

---@type Tool
return {
  description = "Counts to `steps`, telling how far it is.",
  inputSchema = {
    type = "object",
    properties = {
      steps = { type = "integer", minimum = 1, maximum = 1000 },
      seconds = { type = "number", minimum = 0, description = "Pause after each." },
    },
    additionalProperties = false,
  },

  ---@param args {steps?: integer, seconds?: number}
  run = function(args, call)
    local steps = args.steps or 3
    for i = 1, steps do
      call:progress(i, steps, ("step %d"):format(i))
      if args.seconds then time.sleep(args.seconds) end
    end
    return ("counted to %d"):format(steps)
  end,
}
