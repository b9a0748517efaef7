--- perigee log: prints the log of a running engine.

local engines = require "cli.engines"
local json    = require "sys.json"
local text    = require "terminal.text"
local time    = require "sys.time"

local DAY   = 86400                            -- seconds: the longest time for one answer
local STYLE = { warning = "cyan", error = "red", debug = "dim" }
local KEYS  = { "time", "level", "tool", "call", "text" }


local function print_line(io, line)
  if io.json_lines then
    line.time = time.iso(line.time)
    return io.out:json(json.object(line, KEYS))
  end
  local level = text.pad(line.level, 7)
  local words = text.clean((line.tool and line.tool .. ": " or "") .. line.text)
  io.out:print(("%s %s %s"):format(time.iso(line.time):sub(12, 23),
    STYLE[line.level] and text.paint(io.out.color, STYLE[line.level], level) or level, words))
end


local function print_lost(io, lost)
  if lost == 0 then return end
  if io.json_lines then return io.out:json { dropped = lost } end
  io.out:print(("-- %d line%s dropped, because they were not read in time --"):format(lost, lost == 1 and " was" or "s were"))
end


local function print_lines(io, lines, lost)
  print_lost(io, lost)
  for _, line in ipairs(lines) do print_line(io, line) end
end


--- Removes the task's name at the beginning of a line of sys.log if it is also that of the tool: once is enough.
local function tidy(lines)
  for _, line in ipairs(lines) do
    local prefix = line.tool and line.tool .. ": "
    if prefix and line.text:sub(1, #prefix) == prefix then line.text = line.text:sub(#prefix + 1) end
  end
  return lines
end


local function follow(client, pid, wanted)
  while true do
    local _, err, code = engines.ask(client, pid, "console_log", wanted, { timeout = DAY })
    if code ~= "timeout" then return nil, err, code end
    wanted.last = 0 -- after a day without an end, only new lines are requested again
  end
end


local function run(args, io)
  local shown = { out = io, json_lines = args.json }
  local client <close>, pid, code = engines.attach(args.pid, io, {
    max_timeout = DAY,
    notification = function(method, params)
      if method == "notifications/perigee/log" then print_lines(shown, tidy(params.lines), params.lost) end
    end,
  })
  if not client then return nil, pid, code end
  local wanted = { last = args.last, level = args.level, tool = args.tool, calls = args.calls, follow = args.follow }
  if args.follow then return follow(client, pid, wanted) end
  local result, err
  result, err, code = engines.ask(client, pid, "console_log", wanted)
  if not result then return nil, err, code end
  print_lines(shown, tidy(result.lines), 0)
  return 0
end


-- --- examples ---------------------------------------------------------------------------------

local LINES = { { time = 1, level = "info", tool = "echo", text = "echo: said" },
  { time = 2.5, level = "error", text = "tools/x.lua:1: bad" },
  { time = 3, level = "info", tool = "echo", call = true, text = "args={} -> x (1.0 ms)" } }

--- Returns stubs of an engine that logs these lines, and ends after them.
local function engine_of(told)
  return { ["sys.console.engines"] = { n = 1, { { pid = 4711, socket = "/run/4711.console" } } },
    ["sys.mcp.connect"] = function(spec)
      return setmetatable({ call = function(_, _, wanted)
        if not wanted.follow then return { structuredContent = { lines = told.lines }, text = "" } end
        spec.notification("notifications/perigee/log", told)
        return nil, "the server closed the connection", "closed"
      end }, { __close = function() end })
    end }
end


---@type perigee.Command
return {
  summary     = "show the log of a running engine, as it comes",
  description = "Prints the last lines that a running engine logged, whatever became of them there: the time (UTC), the "
             .. "level, the tool whose call logged it, and the text. -f goes on with what comes, until Ctrl-C or the engine's "
             .. "end. An engine keeps the last 1000 lines. It never waits for this command: what this was too slow to read is "
             .. "counted.",
  arguments   = { { "pid", "integer", "the engine's process id, as `perigee ps` shows it (default: the only one)",
                    optional = true, minimum = 1 } },
  options     = {
    { "follow", "flag", "go on with the lines that come", letter = "f" },
    { "tool", "tool", "only lines of this tool's calls" },
    { "level", "string", "the least level; debug is logged only while this asks for it", default = "info",
      enum = { "debug", "info", "warning", "error" } },
    { "calls", "flag", "with -f: also a line for each call that ends, with its arguments and its answer" },
    { "last", "integer", "begin so many lines back", value = "N", default = 20, minimum = 0, maximum = 1000 },
    { "json", "flag", "print one JSON object a line: time, level, tool, call, text; or dropped, a number of lines" },
  },
  notes       = "Exit status: 0 success, 1 no engine can be reached, or it ended, 2 usage error, 130 interrupted",
  stoppable   = false,
  run         = run,

  examples = {
    { "prints the last lines", args = {}, given = engine_of { lines = LINES },
      out = "00:00:01.000 info    echo: said\n00:00:02.500 error   tools/x.lua:1: bad\n"
         .. "00:00:03.000 info    echo: args={} -> x (1.0 ms)\n" },
    { "prints JSON", args = { "--json" }, given = engine_of { lines = { { time = 1, level = "info", text = "x" } } },
      out = '{"time":"1970-01-01T00:00:01.000Z","level":"info","text":"x"}\n' },
    { "goes on until the engine ends", args = { "-f" }, status = 1, err = "the engine 4711 has ended",
      given = engine_of { lines = { { time = 1, level = "info", text = "x" } }, lost = 2 },
      out = "-- 2 lines were dropped, because they were not read in time --\n00:00:01.000 info    x\n" },
  },
}
