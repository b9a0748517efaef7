--- perigee time: runs a tool or a script several times, and reports how long it takes, and which parts take the time.

local subject = require "cli.subject"
local times   = require "trace.times"
local trace   = require "sys.trace"

local RUNS = 10

local ROWS = {
  { "wall", "in all" },
  { "lua",  "Lua code" },
  { "sys",  "sys functions" },
  { "rest", "the rest" },
}


--- Returns the values of each part, a list with one for each run.
---@return table<string, number[]>? values
---@return string? err
---@return string|integer|nil code
local function measure(tried, runs, io)
  local values = { wall = {}, lua = {}, sys = {}, rest = {}, memory = {} }
  for i = 1, runs do
    if io.stderr_terminal then io:progress(i - 1, runs, tried.name) end
    local report = trace.calls(tried.run)
    local message, code = tried.failure(report)
    if message then
      io:progress()
      return nil, ("run %d of %d failed: %s"):format(i, runs, message), code
    end
    for name, value in pairs(times.parts(report)) do values[name][i] = value end
  end
  io:progress()
  return values
end


--- Formats milliseconds, with only meaningful digits.
local function milliseconds(seconds)
  local ms = seconds * 1000
  return (ms < 10 and "%.3f" or ms < 100 and "%.2f" or "%.1f"):format(ms)
end


local function share(spread, whole) return whole.median > 0 and spread.median / whole.median or 0 end


local function print_table(tried, values, io)
  local whole = times.spread(values.wall)
  io:print(("%s: %d run%s"):format(tried.name, #values.wall, #values.wall == 1 and "" or "s"))
  io:print(("%-14s%12s%12s%12s"):format("ms", "min", "median", "p95"))
  for _, row in ipairs(ROWS) do
    local spread = times.spread(values[row[1]])
    local part = row[1] ~= "wall" and ("%8.0f %%"):format(share(spread, whole) * 100) or ""
    io:print(("%-14s%12s%12s%12s%s"):format(row[2], milliseconds(spread.min), milliseconds(spread.median),
      milliseconds(spread.p95), part))
  end
  io:print(("first run %s ms; Lua memory %.1f kB at most, %.1f kB in the median run"):format(milliseconds(values.wall[1]),
    math.max(table.unpack(values.memory)) / 1000, times.spread(values.memory).median / 1000))
end


local function rounded(seconds) return tonumber(("%.3f"):format(seconds * 1000)) end


local function in_json(tried, values)
  local object = { name = tried.name, runs = #values.wall, first_ms = rounded(values.wall[1]),
    memory = times.spread(values.memory) }
  for _, row in ipairs(ROWS) do
    local spread = times.spread(values[row[1]])
    object[row[1] .. "_ms"] = { min = rounded(spread.min), median = rounded(spread.median), p95 = rounded(spread.p95) }
  end
  return object
end


local function run(args, io)
  local tried, err, code, hint = subject.of(args, io)
  if not tried then return nil, err, code, hint end
  local values
  values, err, code = measure(tried, args.runs, io)
  if not values then return nil, err, code, tried.hint end
  if args.json then io:json(in_json(tried, values)) else print_table(tried, values, io) end
end


---@type perigee.Command
return {
  summary     = "run a tool or a script several times and measure it",
  usage       = { "time TOOL [KEY=VALUE | KEY:=JSON]... [options]", "time FILE.lua [words] [options]" },
  description = "Runs a tool, as `perigee call` does, or a script, as `perigee run` does, several times in this process, one "
             .. "run after the other, and prints the shortest time, the median, and the 95th percentile, in milliseconds. The "
             .. "time is split into Lua code, functions of sys modules (which includes waiting for them), and the rest: the "
             .. "policy, the engine and the loading of files. The first run, which loads them, is one of the runs and is also "
             .. "shown alone. Where tasks wait beside each other, their times in sys functions add up to more than the whole. "
             .. "Results are not printed; what a script prints is.\n\nIf a run fails, the command ends with its error.",
  arguments   = subject.arguments,
  options     = {
    { "runs", "integer", "number of runs", letter = "n", default = RUNS, minimum = 1, maximum = 10000 },
    { "json", "flag", "print one JSON object: name, runs, first_ms, wall_ms, lua_ms, sys_ms, rest_ms, memory (bytes)" },
    subject.args,
    subject.dry_run,
    subject.timeout,
  },
  notes       = "Calls are counted while it runs, which takes about 0.1 microseconds for each function that is called. Exit "
             .. "status: 0 success, else that of `perigee call` and `perigee run`",
  acts        = true,
  run         = run,

  examples = {
    { "prints a table", args = { "feed", "-n", "3" },
      out = [[
feed: 3 runs
ms                     min      median         p95
in all               2.000       3.000       10.00
Lua code             1.000       1.000       1.000      33 %
sys functions        0.500       1.500       8.500      50 %
the rest             0.500       0.500       0.500      17 %
first run 10.00 ms; Lua memory 3.0 kB at most, 2.0 kB in the median run
]],
      given = { ["cli.find.callable"] = { name = "feed", inputSchema = { type = "object" } },
                ["sys.trace.calls"] = {
                  { results = { {}, n = 1 }, seconds = 0.010, lua = 0.001, sys = 0.0085, memory = 1000 },
                  { results = { {}, n = 1 }, seconds = 0.002, lua = 0.001, sys = 0.0005, memory = 3000 },
                  { results = { {}, n = 1 }, seconds = 0.003, lua = 0.001, sys = 0.0015, memory = 2000 } } } },
    { "prints JSON", args = { "feed", "-n", "1", "--json" },
      out = '{"first_ms":2,"lua_ms":{"median":1,"min":1,"p95":1},"memory":{"median":5,"min":5,"p95":5},"name":"feed",'
         .. '"rest_ms":{"median":0.5,"min":0.5,"p95":0.5},"runs":1,"sys_ms":{"median":0.5,"min":0.5,"p95":0.5},'
         .. '"wall_ms":{"median":2,"min":2,"p95":2}}\n',
      given = { ["cli.find.callable"] = { name = "feed", inputSchema = { type = "object" } },
                ["sys.trace.calls"] = { results = { {}, n = 1 }, seconds = 0.002, lua = 0.001, sys = 0.0005, memory = 5 } } },
    { "ends where a run fails", args = { "feed" }, status = 3, err = "run 1 of 10 failed: There is no lion.",
      given = { ["cli.find.callable"] = { name = "feed", inputSchema = { type = "object" } },
                ["sys.trace.calls"] = { seconds = 0.002,
                  results = { { isError = true, text = "There is no lion." }, n = 1 } } } },
  },
}
