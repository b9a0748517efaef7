--- perigee ps: lists the user's engines, and what they run.

local duration = require "cli.duration"
local engines  = require "cli.engines"
local json     = require "sys.json"
local text     = require "terminal.text"

local KEYS = { "pid", "reached", "command", "desktop", "version", "uptime", "memory", "problems", "calls", "tasks" }


local function by(call)
  local caller = call.caller
  if not caller then return "" end
  return caller.name and caller.name ~= caller.kind and ("%s (%s)"):format(caller.name, caller.kind) or caller.kind
end


--- Returns how many calls a call is nested in.
local function depth(calls, call)
  local found = 0
  for _, other in ipairs(calls) do
    if call.parent and other.id == call.parent then found = 1 + depth(calls, other) end
  end
  return found
end


--- Returns the lines below an engine: its calls, each below the one that made it, then the tasks that belong to no call.
local function rows(status)
  local lines = {}
  for _, call in ipairs(status.calls) do
    lines[#lines + 1] = { ("  "):rep(depth(status.calls, call)) .. call.name, duration.shown(call.age), by(call),
      "waits for " .. call.waits }
  end
  for _, each in ipairs(status.tasks) do
    lines[#lines + 1] = { each.name, duration.shown(each.age), "by itself", "waits for " .. each.waits }
  end
  return lines
end


local function print_table(io, list, indent)
  local widths = {}
  for _, cells in ipairs(list) do
    for i, cell in ipairs(cells) do widths[i] = math.max(widths[i] or 0, text.width(text.clean(cell))) end
  end
  for _, cells in ipairs(list) do
    local parts = {}
    for i, cell in ipairs(cells) do parts[i] = i < #cells and text.pad(cell, widths[i]) or text.clean(cell) end
    io:print((text.cut(indent .. table.concat(parts, "  "), io.width):gsub("%s+$", "")))
  end
end


local function print_engine(io, status)
  if not status.reached then
    io:print(text.paint(io.color, "red", ("%d  %s"):format(status.pid, status.error)))
    return
  end
  local facts = { ("up %s"):format(duration.shown(status.uptime)), status.desktop ~= "-" and status.desktop or "no desktop" }
  if status.dry_run then facts[#facts + 1] = "dry run" end
  if status.problems > 0 then
    facts[#facts + 1] = status.problems == 1 and "1 file does not load" or status.problems .. " files do not load"
  end
  io:print(("%s  %s"):format(text.paint(io.color, "bold", ("%d  %s"):format(status.pid,
      status.command == engines.KEPT and "engine that stays for calls" or "perigee " .. (status.command or "?"))),
    text.clean(table.concat(facts, ", "))))
  local list = rows(status)
  if #list == 0 then io:print "    nothing runs" end
  print_table(io, list, "    ")
end


local function run(args, io)
  local found = engines.look(io)
  local silent = 0
  for _, status in ipairs(found) do
    silent = silent + (status.reached and 0 or 1)
    if not args.json then print_engine(io, status) end
  end
  if args.json then
    for i, status in ipairs(found) do found[i] = json.object(status, KEYS) end
    io:json(json.array(found))
  elseif #found == 0 then
    io:print "No engine of this user is running."
  end
  return silent == 0 and 0 or 1
end


-- --- examples ---------------------------------------------------------------------------------

local function engine_of(status)
  return { ["sys.console.engines"] = { n = 1, { { pid = 4711, socket = "/run/4711.console" } } },
    ["sys.mcp.connect"] = function()
      return setmetatable({ call = function() return { structuredContent = status, text = "" } end },
        { __close = function() end })
    end }
end

local BUSY = { pid = 4711, command = "serve", desktop = "x11:0", version = "1.0", uptime = 7500, problems = 0,
  memory = { lua = 1, resident = 2 }, tasks = { { id = 3, name = "observing windows", age = 60, waits = "a timer of 1 s" } },
  calls = { { id = 1, kind = "tool", name = "run_lua", age = 12.4, waits = "the call of wait_for",
              caller = { kind = "client", name = "claude" } },
            { id = 2, kind = "tool", name = "wait_for", age = 3, parent = 1, waits = "the desktop",
              caller = { kind = "client", name = "claude" } } } }


---@type perigee.Command
return {
  summary     = "list your running engines, and what they do",
  description = "Lists every running perigee of this user that can be reached (serve, run, repl, an agent's server, the engine "
             .. "that stays for calls), with the calls that it runs: the tool, how long it has run, who called it and what it "
             .. "waits for. Calls that a call made are below it. What works for no call, such as observing the desktop, is \"by "
             .. "itself\".",
  options     = {
    { "json", "flag", "print one JSON list of objects: pid, reached, command, desktop, version, uptime, memory, problems, "
                   .. "calls, tasks; of an engine that does not answer pid, reached and error" },
  },
  notes       = "Exit status: 0 success, 1 an engine does not answer, 2 usage error",
  stoppable   = false,
  run         = run,

  examples = {
    { "lists calls below those that made them", args = {}, given = engine_of(BUSY),
      out = "4711  perigee serve  up 2 h 5 min, x11:0\n"
         .. "    run_lua            12 s   claude (client)  waits for the call of wait_for\n"
         .. "      wait_for         3.0 s  claude (client)  waits for the desktop\n"
         .. "    observing windows  60 s   by itself        waits for a timer of 1 s\n" },
    { "says that there is none", args = {}, out = "No engine of this user is running.\n",
      given = { ["sys.console.engines"] = { n = 1, {} } } },
    { "gives a list for scripts", args = { "--json" }, out = "[]\n", given = { ["sys.console.engines"] = { n = 1, {} } } },
    { "names one that hangs", args = {}, status = 1,
      given = { ["sys.console.engines"] = { n = 1, { { pid = 4711, socket = "/run/4711.console" } } },
        ["sys.mcp.connect"] = function()
          return setmetatable({ call = function() return nil, "no answer", "timeout" end }, { __close = function() end })
        end },
      out = "4711  the engine 4711 does not answer. It may hang; `kill 4711` ends it\n" },
  },
}
