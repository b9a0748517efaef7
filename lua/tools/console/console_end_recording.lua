--- Ends the recording of this engine: for `perigee record --stop`.

local engine = require "sys.console"
local s      = require "schema"
local task   = require "sys.task"

local function run()
  local here = engine.engine()
  if here.command ~= "record" then return nil, "This engine records nothing.", "not_found" end
  task.signal "recorder.stop"
  return { pid = here.pid }
end


---@type Tool
return {
  title        = "End the recording",
  description  = "End the recording of this engine, which `perigee record` began. Its steps are in the macro's file by then.",
  inputSchema  = s.object {},
  outputSchema = s.object { { "pid", s.integer() } },
  annotations  = { readOnlyHint = false, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  about        = { "nothing" },
  codes        = { not_found = "This engine records nothing." },

  run = run,

  examples = {
    { "wakes the recording", given = { ["sys.console.engine"] = { pid = 7, command = "record", desktop = "x11:0" } }, args = {},
      want = { pid = 7 } },
    { "knows that there is none", given = { ["sys.console.engine"] = { pid = 7, command = "serve", desktop = "x11:0" } },
      args = {}, err = "This engine records nothing.", code = "not_found" },
  },
}
