--- The engine's state, and the files that failed to load.

local s      = require "schema"
local engine = require "sys.engine"


local function run()
  local status = engine.status()
  return status
end


---@type Tool
return {
  title       = "Get the engine status",
  description = "Get the engine's version, roots, generation, load errors, uptime, memory and call counts. Use it when a tool "
             .. "is missing or an edit has no effect: `problems` lists the files that failed to load, with the reason.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = run,

  examples = {
    { "reports what failed to load",
      given = { ["sys.engine.status"] = { version = "1.0", problems = { { file = "/x.lua", message = "x.lua:1: bad" } } } },
      args  = {},
      want  = { version = "1.0" } },
  },
}
