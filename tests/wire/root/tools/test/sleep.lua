local state = require "sys.state"
local time = require "sys.time"

---@type Tool
return {
  description = "Waits, then says so. Counts how often it began, and how often it was let go.",
  inputSchema = {
    type = "object",
    properties = { seconds = { type = "number", minimum = 0, maximum = 3600 } },
    required = { "seconds" },
    additionalProperties = false,
  },

  ---@param args {seconds: number}
  run = function(args)
    local seen = state.open "test"
    seen.begun = (seen.begun or 0) + 1
    local _ <close> = setmetatable({}, {
      __close = function() seen.closed = (seen.closed or 0) + 1 end,
    })
    time.sleep(args.seconds)
    return "awake"
  end,
}
