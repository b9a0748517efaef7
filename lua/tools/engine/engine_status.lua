--- What the engine runs, and what it could not load.

local s      = require "schema"
local engine = require "sys.engine"


local function run()
  local status = engine.status()
  return status
end


---@type Tool
return {
  title       = "Engine status",
  description = "Show version, roots, generation, files that failed to load and why, uptime, memory and calls.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = run,

  examples = {
    { "tells what failed to load",
      given = { ["sys.engine.status"] = { version = "1.0", problems = { { file = "/x.lua", message = "x.lua:1: bad" } } } },
      args  = {},
      want  = { version = "1.0" } },
  },
}
