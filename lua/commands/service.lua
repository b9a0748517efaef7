--- perigee service: manages the services, which run beside the calls of an engine.

local console  = require "sys.console"
local duration = require "cli.duration"
local engine   = require "sys.engine"
local engines  = require "cli.engines"
local env      = require "sys.env"
local install  = require "services.install"
local json     = require "sys.json"
local manager  = require "services.manager"
local nearest  = require "nearest"
local switches = require "services.switches"
local text     = require "terminal.text"
local time     = require "sys.time"

local SERVES = { serve = true, service = true }   -- commands whose engines run services
local COLORS = { runs = "green", failed = "red", elsewhere = "yellow", stopped = "yellow" }


-- --- the running engine -----------------------------------------------------------------------

--- True if an engine runs that runs services. One that stays for calls has none.
local function any_serves(io)
  for _, status in ipairs(#console.engines() > 0 and engines.look(io) or {}) do
    if not status.reached or SERVES[status.command] then return true end
  end
  return false
end


--- Connects to an engine and asks it about its services.
local function ask(args, io, action)
  if not args.pid and not any_serves(io) then
    return nil, "no engine of this user runs services. `perigee service run` or `perigee serve` starts one", "not_running"
  end
  local client <close>, pid, code = engines.attach(args.pid, io, { timeout = 30 }, SERVES)
  if not client then return nil, pid, code end
  return engines.ask(client, pid, "console_services", { action = action, name = args.name })
end


local function line(io, each)
  local words = { text.paint(io.color, COLORS[each.state] or "dim", ("%-9s"):format(each.state)),
    text.clean(("%-20s"):format(each.name)) }
  if each.since then words[#words + 1] = duration.shown(math.max(time.now() - each.since, 0)) end
  if (each.handles or 0) > 0 then words[#words + 1] = ("%d handle%s"):format(each.handles, each.handles == 1 and "" or "s") end
  local failures = each.failures or 0
  if failures > 0 then words[#words + 1] = failures == 1 and "failed once" or ("failed %d times"):format(failures) end
  if each.state == "elsewhere" and each.pid then words[#words + 1] = "in the engine " .. each.pid end
  if each.next_start then
    words[#words + 1] = "starts again in " .. duration.shown(math.max(each.next_start - time.now(), 0))
  end
  return (table.concat(words, "  "):gsub("%s+$", ""))
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
    if each.problem then io:print("          its newest file does not load: " .. text.clean(each.problem)) end
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


--- Lists the files, if no engine runs them.
local function list_files(args, io)
  local off, err, code = switches.off()
  if not off then return nil, err, code end
  local list = {}
  for i, each in ipairs(engine.services()) do
    list[i] = { name = each.name, file = each.file, state = off[each.name] and "disabled" or "stopped" }
  end
  show(args, io, { services = json.array(list) })
  if #list > 0 and not args.json then
    io:complain "no engine of this user runs services, so none of these runs. `perigee service run` runs them"
  end
  return 0
end


local function list(args, io)
  if not args.pid and not any_serves(io) then return list_files(args, io) end
  return does "list"(args, io)
end


local function print_log(args, io)
  local result, err, code = ask(args, io, "log")
  if not result then return nil, err, code end
  if args.json then return io:json(json.object(result, { "lines" })) end
  for _, each in ipairs(result.lines) do io:print(text.clean(each)) end
  return 0
end


-- --- switches -------------------------------------------------------------------------------

--- Returns the names of the files, sorted as they are listed.
local function names_of_files()
  local names = {}
  for i, each in ipairs(engine.services()) do names[i] = each.name end
  return names
end


--- Returns a message if there is no file of this name; otherwise nil.
local function unknown(name)
  local names = names_of_files()
  for _, each in ipairs(names) do
    if each == name then return nil end
  end
  return ("there is no file services/%s.lua%s"):format(name, nearest.question(name, names, "; "))
end


--- Prints a line with what an engine reports about the service now.
local function tell_of(io, answer)
  if answer.error then
    io:complain(("engine %d: %s"):format(answer.pid, text.clean(answer.error)))
  else
    for _, each in ipairs(answer.result.services) do io:print(("%s  engine %d"):format(line(io, each), answer.pid)) end
  end
end


local function switch(on)
  return function(args, io)
    local off, err, code = switches.off()
    if not off then return nil, err, code end
    local problem = not off[args.name] and unknown(args.name)
    local ok
    ok, err, code = switches.set(args.name, on)
    if not ok then return nil, err, code end
    local answers = {}
    for _, answer in ipairs(engines.tell(io, "console_services", { action = "heed", name = args.name })) do
      if answer.result or not (answer.error or ""):find("has no service", 1, true) then answers[#answers + 1] = answer end
    end
    if problem and #answers == 0 then
      ok, err, code = switches.set(args.name, true)
      return nil, ok and problem or err, ok and "not_found" or code
    end
    if args.json then
      return io:json(json.object({ name = args.name, enabled = on, engines = json.array(answers) },
        { "name", "enabled", "engines" }))
    end
    io:print(on and ("%s is switched on"):format(args.name) or ("%s is switched off, until `perigee service enable %s`")
      :format(args.name, args.name))
    for _, answer in ipairs(answers) do tell_of(io, answer) end
    return 0
  end
end


-- --- in the foreground ------------------------------------------------------------------------

local function run(args, io)
  local off, err, code = switches.off()
  if not off then return nil, err, code end
  local only
  for _, name in ipairs(args.names) do
    local problem = unknown(name)
    if problem then return nil, problem, "not_found" end
    if off[name] then io:complain(("%s is switched off. Run `perigee service enable %s`"):format(name, name)) end
    only = only or {}
    only[name] = true
  end
  if not only and #engine.services() == 0 then
    io:complain("no services yet. Each one starts when you save it: `perigee new service NAME` writes one. "
      .. "Ctrl-C ends this command")
  end
  if not args.verbose and not args.quiet and not env.get "PERIGEE_LOG_LEVEL" then io:log_level "info" end
  io.host.serve()
  return manager.run(only)
end


local NAME = { "name", "string", "the service: its file's name, without .lua" }

local function engine_of(result)
  result.command = result.command or "serve"
  return { ["sys.time.now"] = 1000, ["sys.console.engines"] = { n = 1, { { pid = 4711, socket = "/run/4711.console" } } },
    ["sys.mcp.connect"] = function()
      return setmetatable({ call = function() return { structuredContent = result, text = "" } end },
        { __close = function() end })
    end }
end


local function overridden(stubs, more)
  for name, stub in pairs(more) do stubs[name] = stub end
  return stubs
end


--- Returns a stub of launchd, which lists an agent once its file was loaded.
local function launchd(state)
  return function(spec)
    local words, code = table.concat(spec, " "), 0
    if words:find "/io%.perigee%.services$" and not state.loaded then code = 113 end
    if words:find "^launchctl bootstrap gui/501 /Users/me/Library/LaunchAgents/io%.perigee" then state.loaded = true end
    return { code = code, stdout = spec[1] == "id" and "501\n" or "\tstate = running\n", stderr = "" }
  end
end


---@type perigee.Command
return {
  summary     = "run, list, start, stop and install what runs beside the calls of an engine",
  description = "A service is a file services/NAME.lua of your directory. Each engine that serves (`perigee serve`) starts "
             .. "all, and so does `run`, which does nothing else; of several engines one runs a service. It starts again when "
             .. "its file is saved, and after a failure. `stop` lasts until `start`, or until the engine ends; `disable` until "
             .. "`enable`. `install` has systemd, or launchd on a Mac, run your services while you are logged in. See "
             .. "docs/services.md.",
  default     = "list",
  subcommands = {
    list      = { summary = "list the services of a running engine, and their states", run = list },
    start     = { summary = "start one that was stopped, or has ended", arguments = { NAME }, run = does "start" },
    stop      = { summary = "stop one: its stop() is called, and all that it watches ends", arguments = { NAME },
                  run = does "stop" },
    log       = { summary = "print the last lines of its log", arguments = { NAME }, run = print_log },
    enable    = { summary = "let every engine run one that was switched off", arguments = { NAME }, run = switch(true) },
    disable   = { summary = "switch one off: no engine runs it until it is enabled", arguments = { NAME },
                  run = switch(false) },
    run       = { summary = "run services, or only those named, in the foreground; Ctrl-C ends them", run = run,
                  arguments = { { "names", "string", "a service: its file's name, without .lua", optional = true,
                                  repeatable = true, value = "NAME" } } },
    install   = { summary = "write the file that starts services with your session, enable it, and report what it does",
                  run = install.install },
    uninstall = { summary = "end them, and remove that file", run = install.uninstall },
    status    = { summary = "report whether that file is there, enabled, and runs", run = install.status },
  },
  options     = {
    { "pid", "integer", "the engine, as `perigee ps` shows it (default: the only one)", minimum = 1, value = "PID" },
    { "dry-run", "flag", "install: only print the file", letter = "n" },
    { "no-enable", "flag", "install: only write the file" },
    { "force", "flag", "install, uninstall: also where the file is not as Perigee wrote it; a copy is kept" },
    { "json", "flag", "print one JSON object" },
  },
  stoppable   = false,

  cancelled   = function(args)
    if args.subcommand == "run" then manager.finish() end
  end,

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
    { "installs an agent of launchd", args = { "install" }, env = { HOME = "/Users/me" },
      out = "file     /Users/me/Library/LaunchAgents/io.perigee.services.plist (written)\nenabled  yes\nruns     yes\n",
      given = { ["sys.env.platform"] = "macos", ["sys.process.exists"] = true, ["sys.crypto.sha256"] = "x",
        ["sys.crypto.hex"] = "78",
        ["sys.process.run"] = launchd {} } },
    { "prints a log", args = { "log", "tiling" }, out = "one\ntwo\n", given = engine_of { lines = { "one", "two" } } },
    { "lists the files where no engine runs", args = {}, out = "stopped    notes\ndisabled   tiling\n",
      err = "no engine of this user runs services",
      given = { ["sys.console.engines"] = { n = 1, {} }, ["services.switches.off"] = { tiling = true },
        ["sys.engine.services"] = { { name = "notes", file = "/n.lua" }, { name = "tiling", file = "/t.lua" } } } },
    { "needs an engine to stop one", args = { "stop", "tiling" }, status = 1, err = "no engine of this user runs services",
      given = { ["sys.console.engines"] = { n = 1, {} } } },
    { "does not ask an engine that stays for calls", args = {}, out = "stopped    notes\n",
      err = "no engine of this user runs services",
      given = overridden(engine_of { command = engines.KEPT }, { ["services.switches.off"] = { n = 1, {} },
        ["sys.engine.services"] = { { name = "notes", file = "/n.lua" } } }) },
  },
}
