--- The engine's state, and the files that failed to load.

local desktop = require "sys.desktop"
local engine  = require "sys.engine"
local jail    = require "doctor.jail"
local manager = require "services.manager"
local s       = require "schema"


local function run()
  local held, status = jail.look(), engine.status()
  status.jail = held.text
  status.stopped = desktop.stopped()
  local services = manager.status()
  status.services = services[1] and services
  return status
end


---@type Tool
return {
  title       = "Get the engine status",
  description = "Get the engine's version, roots, load errors, uptime, memory and call counts. Use it when a "
             .. "tool is missing or an edit has no effect: `problems` lists the files that failed to load, with the reason.",
  inputSchema = s.object {},
  about       = { "nothing" },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = run,

  examples = {
    { "reports what failed to load",
      given = { ["sys.desktop.stopped"] = { n = 0 },
        ["sys.engine.try_jail"] = true,
        ["sys.engine.status"] = { version = "1.0", problems = { { file = "/x.lua", message = "x.lua:1: bad" } },
        jail = { system_calls = true, limits = true, landlock = true, namespaces = true } } },
      args  = {},
      want  = { version = "1.0", jail = "system calls, limits, Landlock, namespaces" } },
    { "reports who stopped input",
      given = { ["sys.desktop.stopped"] = "the user stopped input with `perigee stop` (process 4711), 2026-01-02 03:04:05",
        ["sys.engine.try_jail"] = true,
        ["sys.engine.status"] = { jail = { system_calls = true, limits = true, landlock = true, namespaces = true } } },
      args  = {},
      want  = { jail = "system calls, limits, Landlock, namespaces",
                stopped = "the user stopped input with `perigee stop` (process 4711), 2026-01-02 03:04:05" } },
    { "and what holds of the jail",
      given = { ["sys.desktop.stopped"] = { n = 0 },
        ["sys.engine.try_jail"] = true,
        ["sys.engine.status"] = { jail = { system_calls = true, limits = true, landlock = true } } },
      args  = {},
      want  = { jail = "system calls, limits, Landlock; no namespaces (the system or its container does not allow them)" } },
  },
}
