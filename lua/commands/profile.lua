--- perigee profile: shows where a tool or a script spends its time.

local files   = require "sys.files"
local flame   = require "trace.flame"
local hot     = require "trace.hot"
local json    = require "sys.json"
local subject = require "cli.subject"
local trace   = require "sys.trace"

local OUTPUT = "profile.svg"
local SVG = "^%s*<%?xml[^>]*>%s*<svg[%s>]"

local RUNS_NOTE = "Lua code and the C functions that it calls"
local WAITS_NOTE = "Waiting, of all tasks together"


--- True if the file may be written: it does not exist, is empty, or is an image of the same kind.
local function may_write(path, io)
  if path == "-" then return true end
  local bytes, err, code = io:read(path)
  if bytes and (bytes == "" or bytes:find(SVG)) or code == "not_found" then return true end
  if not bytes then return nil, err, code end
  return nil, ("%s exists and is not an SVG image. Choose another file with --output"):format(path), "exists"
end


--- Runs it several times in one profile, up to a run that fails.
local function run_all(tried, runs, io)
  return trace.profile(function()
    local results ---@type table
    for i = 1, runs do
      if runs > 1 and io.stderr_terminal then io:progress(i - 1, runs, tried.name) end
      results = table.pack(tried.run())
      if tried.failure { results = results, seconds = 0 } then break end
    end
    return table.unpack(results, 1, results.n)
  end)
end


local function summary(report)
  local rest = math.max(0, report.seconds - report.runs)
  return ("%.2f ms in all: code ran for %.2f ms, nothing ran for %.2f ms"):format(report.seconds * 1000, report.runs * 1000,
    rest * 1000)
end


local function picture(tried, report)
  return flame.svg("perigee profile " .. tried.name, summary(report), {
    { title = RUNS_NOTE, what = "runs", frames = report.frames },
    { title = WAITS_NOTE, what = "waits", frames = report.frames },
  })
end


local function sources(io)
  local paths = {}
  for _, file in ipairs(files.list()) do
    if not file.overridden_by then paths[file.label] = file.path end
  end
  return { paths = paths, read = function(path) return (io:read(path)) end }
end


local function rounded(seconds) return tonumber(("%.3f"):format(seconds * 1000)) end


local function in_json(tried, report)
  local lines, frames = json.array {}, json.array {}
  for i, line in ipairs(report.lines) do
    lines[i] = { source = line.source, line = line.line, runs_ms = rounded(line.runs), waits_ms = rounded(line.waits) }
  end
  for i, frame in ipairs(report.frames) do
    frames[i] = { name = frame.name, source = frame.source, line = frame.line, depth = frame.depth,
      runs_ms = rounded(frame.runs), waits_ms = rounded(frame.waits) }
  end
  return { name = tried.name, ms = rounded(report.seconds), runs_ms = rounded(report.runs), waits_ms = rounded(report.waits),
    lines = lines, frames = frames }
end


local function print_tables(tried, report, io)
  local from = sources(io)
  io:print(("%s: %s"):format(tried.name, summary(report)))
  for _, row in ipairs(hot.rows("\n" .. RUNS_NOTE, report.lines, "runs", report.runs, from)) do io:print(row) end
  for _, row in ipairs(hot.rows("\n" .. WAITS_NOTE, report.lines, "waits", report.waits, from)) do io:print(row) end
end


local function run(args, io)
  local path = args.output or not args.json and OUTPUT
  local tried, err, code, hint = subject.of(args, io)
  if not tried then return nil, err, code, hint end
  local ok = true
  if path then ok, err, code = may_write(path, io) end
  if not ok then return nil, err, code end
  local report = run_all(tried, args.runs, io)
  io:progress()
  if args.json then io:json(in_json(tried, report)) else print_tables(tried, report, io) end
  if path then ok, err, code = io:save(path, picture(tried, report)) end
  if not ok then return nil, err, code end
  if path and path ~= "-" and not args.json then io:print(("\nThe flame graph is in %s."):format(path)) end
  local message, why = tried.failure(report)
  if message then return nil, message, why, tried.hint end
end


---@type perigee.Command
return {
  summary     = "show where a tool or a script spends its time",
  usage       = { "profile TOOL [KEY=VALUE | KEY:=JSON]... [options]", "profile FILE.lua [words] [options]" },
  description = "Runs a tool, as `perigee call` does, or a script, as `perigee run` does, and prints the lines of source that "
             .. "take the most time, once for code that runs and once for waiting. It also writes a flame graph, an SVG image "
             .. "for a browser: each function is a bar on top of the one that called it, as wide as its share of the time, and "
             .. "the mouse over a bar shows its name, file and milliseconds.\n\nThe time of Lua code is sampled every 0.1 ms; C "
             .. "functions and waiting are measured. The tools that it calls are part of it, a script of `run_lua`, a foreign "
             .. "tool or a mounted server is not: that is waiting.",
  arguments   = subject.arguments,
  options     = {
    { "output", "file", "where the flame graph is written; - for stdout", letter = "o", value = "FILE",
      absent = OUTPUT .. ", or none with --json" },
    { "runs", "integer", "number of runs, which are added up", letter = "n", default = 1, minimum = 1, maximum = 10000 },
    { "json", "flag", "print one JSON object: name, ms, runs_ms, waits_ms, lines, frames (each before those that it called)" },
    subject.args,
    subject.dry_run,
    subject.timeout,
  },
  notes       = "Exit status: 0 success, else that of `perigee call` and `perigee run`",
  acts        = true,
  run         = run,

  examples = {
    { "prints the lines and writes the image", args = { "feed", "-o", "x.svg" },
      out = [[
feed: 10.00 ms in all: code ran for 4.00 ms, nothing ran for 6.00 ms

Lua code and the C functions that it calls: 4.00 ms
  75.0 %      3.00 ms  tools/zoo/feed.lua:2  local n = 1
  25.0 %      1.00 ms  lib/zoo.lua:9

Waiting, of all tasks together: 6.00 ms
 100.0 %      6.00 ms  tools/zoo/feed.lua:1  -- feeds

The flame graph is in x.svg.
]],
      files = { ["/r/tools/zoo/feed.lua"] = "-- feeds\n  local n = 1\n" },
      given = { ["cli.find.callable"] = { name = "feed", inputSchema = { type = "object" } },
                ["sys.files.list"] = { { label = "tools/zoo/feed.lua", path = "/r/tools/zoo/feed.lua" } },
                ["sys.trace.profile"] = { seconds = 0.010, runs = 0.004, waits = 0.006, results = { {}, n = 1 },
                  frames = { { name = "run", source = "tools/zoo/feed.lua", line = 1, depth = 1, runs = 0.004, waits = 0.006 } },
                  lines = { { source = "tools/zoo/feed.lua", line = 1, runs = 0, waits = 0.006 },
                            { source = "lib/zoo.lua", line = 9, runs = 0.001, waits = 0 },
                            { source = "tools/zoo/feed.lua", line = 2, runs = 0.003, waits = 0 } } } } },
    { "never replaces a file that is not an SVG image", args = { "feed", "-o", "notes.txt" }, status = 1, saved = {},
      err = "notes.txt exists and is not an SVG image. Choose another file with --output",
      files = { ["notes.txt"] = "mine" },
      given = { ["cli.find.callable"] = { name = "feed", inputSchema = { type = "object" } } } },
  },
}
