--- Ends the recording of this engine: for `perigee record --stop`.

local engine    = require "sys.console"
local recording = require "recorder.recording"
local s         = require "schema"

local function run()
  if not recording.stop() then return nil, "This engine records nothing.", "not_found" end
  return { pid = engine.engine().pid }
end


---@type Tool
return {
  title        = "End the recording",
  description  = "End the recording of this engine. Its steps are in the macro's file by then.",
  inputSchema  = s.object {},
  outputSchema = s.object { { "pid", s.integer() } },
  annotations  = { readOnlyHint = false, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  about        = { "nothing" },
  codes        = { not_found = "This engine records nothing." },

  run = run,

  examples = {
    { "ends it", given = { ["recorder.recording.stop"] = true, ["sys.console.engine"] = { pid = 7 } }, args = {},
      want = { pid = 7 } },
    { "knows that there is none", given = { ["recorder.recording.stop"] = false }, args = {},
      err = "This engine records nothing.", code = "not_found" },
  },
}
