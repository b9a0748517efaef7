local time  = require "sys.time"
local tools = require "tools"


---@type Tool
return {
  description = "Calls echo so many times, and says in microseconds what the tenth took that was quickest.",
  inputSchema = {
    type = "object",
    properties = { count = { type = "integer", minimum = 1, maximum = 1000, description = "How often." } },
    required = { "count" },
    additionalProperties = false,
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  ---@param args {count: integer}
  run = function(args)
    local took = {}
    for i = 1, args.count do
      local begun = time.monotonic()
      assert(tools.echo { message = "x" })
      took[i] = time.monotonic() - begun
    end
    table.sort(took)
    return ("%.3f"):format(1e6 * took[#took // 10 + 1])
  end,
}
