--- The facts of an engine and its present calls: for `perigee ps`.

local console = require "sys.console"
local engine  = require "sys.engine"
local json    = require "sys.json"
local s       = require "schema"


local function run()
  local calls, tasks = console.calls()
  local here, status = console.engine(), engine.status()
  return { pid = here.pid, command = here.command, desktop = here.desktop, version = status.version, uptime = status.uptime,
    memory = status.memory, problems = #status.problems, dry_run = status.dry_run, calls = json.array(calls),
    tasks = json.array(tasks) }
end


---@type Tool
return {
  title       = "List what runs in this engine",
  description = "List the calls that run in this engine now, with their callers, ages and what they wait for, and the tasks that "
             .. "work for no call. For the console of an engine.",
  inputSchema = s.object {},
  about       = { "nothing" },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = run,

  examples = {
    { "lists calls",
      given = { ["sys.console.calls"] = { n = 2, { { id = 1, kind = "tool", name = "wait_for", age = 2.5,
                  waits = "the desktop" } }, {} },
                ["sys.console.engine"] = { pid = 4711, command = "serve", desktop = "fake" },
                ["sys.engine.status"] = { version = "1.0", uptime = 3, memory = { lua = 1, resident = 2 }, problems = {} } },
      args  = {},
      want  = { pid = 4711, command = "serve", problems = 0,
                calls = { { name = "wait_for", age = 2.5, waits = "the desktop" } }, tasks = {} } },
    { "says in which desktop nothing happens for real, and how many files do not load",
      given = { ["sys.console.calls"] = { n = 2, {}, {} },
                ["sys.console.engine"] = { pid = 4711, command = "serve", desktop = "x11" },
                ["sys.engine.status"] = { version = "1.0", uptime = 3, dry_run = true,
                  problems = { { file = "/r/tools/x.lua" } } } },
      args  = {}, want = { dry_run = true, problems = 1, calls = {} } },
  },
}
