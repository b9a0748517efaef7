--- Ends an observation.

local fail         = require "desktop.fail"
local observations = require "observing.observations"
local s            = require "schema"


---@param args {name: string}
---@param call Call
local function run(args, call)
  local observation, err, code = observations.find(args.name)
  if not observation then return fail.with(err, code) end
  observations.remove(observation)
  local text = ("%s is cancelled, with %d event%s."):format(observations.name(observation), observation.queue.last,
    observation.queue.last == 1 and "" or "s")
  return call:result { content = { { type = "text", text = text } },
    structuredContent = { name = observations.name(observation), total = observation.queue.last } }
end


local FOUND = { id = 3, what = "windows", events = {}, queue = { most = 9, first = 1, last = 1, by_number = {} } }


---@type Tool
return {
  title        = "Cancel an observation",
  description  = "Cancel an observation and discard its events. Call it when you need no more of them. Observations without "
              .. "a reader end by themselves.",
  inputSchema  = s.object { { "name", s.string("Resource name from create_observation.", { minLength = 1, maxLength = 100 }) } },
  outputSchema = s.object { { "name", s.string() }, { "total", s.integer "Events that it had." } },
  about        = { "nothing" },
  annotations  = { readOnlyHint = true, destructiveHint = false, idempotentHint = false, openWorldHint = false },
  listed       = false,
  keeps        = true,
  codes        = fail.meanings "OBSERVATION_NOT_FOUND",

  run = run,

  examples = {
    { "one that runs", given = { ["observing.store.all"] = { last = 3, list = { FOUND } }, ["sys.engine.updated"] = true },
      args = { name = "observations/3" }, want = { name = "observations/3", total = 1 },
      has = { "observations/3 is cancelled, with 1 event." } },
    { "one that does not exist", args = { name = "observations/9" },
      err = "The observation observations/9 does not exist.", code = "OBSERVATION_NOT_FOUND" },
  },
}
