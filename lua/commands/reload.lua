--- perigee reload: makes a running engine check its files again.

local engines = require "cli.engines"
local json    = require "sys.json"
local text    = require "terminal.text"

local WORDS = { "added", "changed", "removed" }


local function print_result(io, result)
  local some = false
  for _, word in ipairs(WORDS) do
    for _, path in ipairs(result[word]) do
      io:print(text.clean(("%-8s %s"):format(word, path)))
      some = true
    end
  end
  if not some then io:print "No file changed since the engine last looked." end
  for _, problem in ipairs(result.problems) do
    io:print(text.paint(io.color, "red", ("%-8s %s: %s%s"):format("problem", problem.file, problem.message,
      problem.kept and " (its last good version goes on)" or "")))
  end
end


local function run(args, io)
  local client <close>, pid, code = engines.attach(args.pid, io, { timeout = 60 })
  if not client then return nil, pid, code end
  local result, err
  result, err, code = engines.ask(client, pid, "console_reload")
  if not result then return nil, err, code end
  if args.json then
    io:json(json.object(result, { "added", "changed", "removed", "problems", "generation" }))
  else
    print_result(io, result)
  end
  return #result.problems == 0 and 0 or 1
end


local function engine_of(result)
  return { ["sys.console.engines"] = { n = 1, { { pid = 4711, socket = "/run/4711.console" } } },
    ["sys.mcp.connect"] = function()
      return setmetatable({ call = function() return { structuredContent = result, text = "" } end },
        { __close = function() end })
    end }
end


---@type perigee.Command
return {
  summary     = "let a running engine look at its files again",
  description = "An engine that serves loads files when they are saved. This makes it look now, waits until what changed is "
             .. "loaded, and prints which files changed since it last looked and which of its files do not load.",
  arguments   = { { "pid", "integer", "the engine's process id, as `perigee ps` shows it (default: the only one)",
                    optional = true, minimum = 1 } },
  options     = { { "json", "flag", "print one JSON object: added, changed, removed, problems, generation" } },
  notes       = "Exit status: 0 success, 1 a file does not load, or no engine can be reached, 2 usage error",
  stoppable   = false,
  run         = run,

  examples = {
    { "prints what changed", args = {}, out = "changed  /r/tools/x.lua\n",
      given = engine_of { added = {}, changed = { "/r/tools/x.lua" }, removed = {}, problems = {}, generation = 2 } },
    { "fails where a file does not load", args = { "4711" }, status = 1,
      given = engine_of { added = {}, changed = {}, removed = {}, generation = 2,
        problems = { { file = "/r/tools/x.lua", line = 3, message = "tools/x.lua:3: bad", kept = true } } },
      out = "No file changed since the engine last looked.\n"
         .. "problem  /r/tools/x.lua: tools/x.lua:3: bad (its last good version goes on)\n" },
    { "needs an engine", args = {}, status = 1, err = "no engine of this user is running",
      given = { ["sys.console.engines"] = { n = 1, {} } } },
    { "knows the engines that there are", args = { "12" }, status = 2,
      err = "no engine of this user is process 12. Running: 4711 (serve, fake)",
      given = engine_of { pid = 4711, command = "serve", desktop = "fake" } },
  },
}
