--- perigee service: what runs beside the calls of an engine.

local duration = require "cli.duration"
local engines  = require "cli.engines"
local json     = require "sys.json"
local text     = require "cli.text"
local time     = require "sys.time"

local COLORS = { runs = "green", failed = "red", elsewhere = "yellow", stopped = "yellow" }


--- Asks an engine about its services; connects for that.
local function ask(args, io, action)
  local client <close>, pid, code = engines.attach(args.pid, io, { timeout = 30 })
  if not client then return nil, pid, code end
  return engines.ask(client, pid, "console_services", { action = action, name = args.name })
end


local function line(io, each)
  local words = { text.paint(io.color, COLORS[each.state] or "dim", ("%-9s"):format(each.state)), ("%-20s"):format(each.name) }
  words[#words + 1] = duration.shown(math.max(time.now() - each.since, 0))
  if each.handles > 0 then words[#words + 1] = ("%d handle%s"):format(each.handles, each.handles == 1 and "" or "s") end
  if each.failures > 0 then words[#words + 1] = ("failed %d times"):format(each.failures) end
  if each.next_start then
    words[#words + 1] = "starts again in " .. duration.shown(math.max(each.next_start - time.now(), 0))
  end
  return text.clean(table.concat(words, "  "))
end


local function show(args, io, result)
  if args.json then return io:json(json.object(result, { "services" })) end
  if #result.services == 0 then
    io:print "no services. `perigee new service NAME` writes one"
    return
  end
  for _, each in ipairs(result.services) do
    io:print(line(io, each))
    if each.state == "failed" and each.error then io:print("          " .. text.clean(each.error)) end
  end
end


local function does(action)
  return function(args, io)
    local result, err, code = ask(args, io, action)
    if not result then return nil, err, code end
    show(args, io, result)
    return 0
  end
end


local function print_log(args, io)
  local result, err, code = ask(args, io, "log")
  if not result then return nil, err, code end
  if args.json then return io:json(json.object(result, { "lines" })) end
  for _, each in ipairs(result.lines) do io:print(text.clean(each)) end
  return 0
end


local NAME = { "name", "string", "the service: its file's name, without .lua" }

local function engine_of(result)
  return { ["sys.time.now"] = 1000, ["sys.console.engines"] = { n = 1, { { pid = 4711, socket = "/run/4711.console" } } },
    ["sys.mcp.connect"] = function()
      return setmetatable({ call = function() return { structuredContent = result, text = "" } end },
        { __close = function() end })
    end }
end


---@type perigee.Command
return {
  summary     = "list, start and stop what runs beside the calls of an engine",
  description = "A service is a file services/NAME.lua of your directory. Each engine that serves (`perigee serve`) starts "
             .. "all; of several engines one runs a service. It starts again when its file is saved, and after a failure. "
             .. "`stop` lasts until `start`, or until the engine ends. See docs/services.md.",
  default     = "list",
  subcommands = {
    list  = { summary = "list the services of a running engine, and their states", run = does "list" },
    start = { summary = "start one that was stopped, or has ended", arguments = { NAME }, run = does "start" },
    stop  = { summary = "stop one: its stop() is called, and all that it watches ends", arguments = { NAME }, run = does "stop" },
    log   = { summary = "print the last lines of its log", arguments = { NAME }, run = print_log },
  },
  options     = {
    { "pid", "integer", "the engine, as `perigee ps` shows it (default: the only one)", minimum = 1, value = "PID" },
    { "json", "flag", "print one JSON object" },
  },
  stoppable   = false,

  examples = {
    { "lists them", args = {}, out = "runs       tiling                100 s  3 handles\n",
      given = engine_of { services = { { name = "tiling", state = "runs", since = 900, handles = 3, failures = 0,
        starts = 1 } } } },
    { "says why one does not run", args = {},
      out = "failed     tiling                2.0 s  failed 3 times  starts again in 2.0 s\n"
         .. "          services/tiling.lua:7: bad\n",
      given = engine_of { services = { { name = "tiling", state = "failed", since = 998, handles = 0, failures = 3, starts = 3,
        next_start = 1002, error = "services/tiling.lua:7: bad" } } } },
    { "says that there are none", args = {}, out = "no services. `perigee new service NAME` writes one\n",
      given = engine_of { services = {} } },
    { "prints a log", args = { "log", "tiling" }, out = "one\ntwo\n", given = engine_of { lines = { "one", "two" } } },
    { "needs an engine", args = {}, status = 1, err = "no engine of this user is running",
      given = { ["sys.console.engines"] = { n = 1, {} } } },
  },
}
