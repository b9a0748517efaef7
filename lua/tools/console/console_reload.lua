--- Reads the files again: for `perigee reload`.

local console = require "sys.console"
local engine  = require "sys.engine"
local s       = require "schema"


local function run()
  local result = console.reload()
  result.problems = engine.status().problems
  return result
end


---@type Tool
return {
  title       = "Reload the files",
  description = "Look at this engine's files again, load what changed, and report that and all files that do not load. Saving a "
             .. "file does the same without this. For the console of an engine.",
  inputSchema = s.object {},
  about       = { "nothing" },
  annotations = { readOnlyHint = false, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = run,

  examples = {
    { "reports what changed, and what does not load",
      given = { ["sys.console.reload"] = { added = {}, changed = { "/r/tools/x.lua" }, removed = {}, generation = 7 },
                ["sys.engine.status"] = { problems = { { file = "/r/tools/x.lua", line = 1, message = "bad", kept = true } } } },
      args  = {},
      want  = { changed = { "/r/tools/x.lua" }, generation = 7,
                problems = { { file = "/r/tools/x.lua", line = 1, message = "bad", kept = true } } } },
    { "reports that nothing changed",
      given = { ["sys.console.reload"] = { added = {}, changed = {}, removed = {}, generation = 7 },
                ["sys.engine.status"] = { problems = {} } },
      args  = {}, want = { changed = {}, generation = 7, problems = {} } },
  },
}
