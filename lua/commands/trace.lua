--- perigee trace: shows the calls of a tool or a script to the engine, while it runs.

local lines   = require "trace.lines"
local subject = require "cli.subject"
local trace   = require "sys.trace"


local function writer_of(args, io)
  return { json = args.json, least = args.min_ms, color = io.stderr_terminal and io.color,
    say = function(line) io:say(line .. "\n") end }
end


--- Prints the line of the tool itself, after those of its calls.
local function tell_end(listener, given, tried, report)
  local results = report.results or { n = 0 }
  local answer = results[1]
  if type(answer) == "table" then results = { answer.structuredContent or answer.text, n = 1 } end
  listener.returned(given, report.err and "raised" or "returned", "tools." .. tried.name, 0, true, report.seconds,
    table.unpack(results, 1, results.n))
end


local function run(args, io)
  local tried, err, code, hint = subject.of(args, io)
  if not tried then return nil, err, code, hint end
  local writer = writer_of(args, io)
  local listener = lines.listener(writer)
  local given = tried.given and listener.called("tools." .. tried.name, 0, true, tried.given)
  local report = trace.calls(tried.run, listener, tried.file())
  if tried.given then tell_end(listener, given, tried, report) end
  lines.totals(writer, report)
  io:progress()
  local status
  status, err, code = tried.show(report, io)
  return status, err, code, tried.hint
end


---@type perigee.Command
return {
  summary     = "show what a tool or a script calls",
  usage       = { "trace TOOL [KEY=VALUE | KEY:=JSON]... [options]", "trace FILE.lua [words] [options]" },
  description = "Runs a tool, as `perigee call` does, or a script, as `perigee run` does, and prints on stderr a line for each "
             .. "call of a function of the file itself, of a Lua function that it calls in another file, and of a function of a "
             .. "sys module or a method of such a module's objects: the milliseconds that it took, its arguments and what it "
             .. "returned. A tail call (`return f()`) is a part of the call that makes it. Calls that another tool makes are "
             .. "indented below the call of that tool. A table at the end has the calls and milliseconds of each "
             .. "function. What the tool or the script returns is printed on stdout.\n\nSecrets are shown as ***, long "
             .. "values are cut. The calls of the policy, and those of scripts that run in a process of their own (run_lua), are "
             .. "left out.",
  arguments   = subject.arguments,
  options     = {
    subject.args,
    { "json", "flag", "print each line as a JSON object: kind, name, depth, arguments, results, ms" },
    { "min-ms", "number", "leave out calls that took less, but those of tools", default = 0, minimum = 0 },
    subject.dry_run,
    subject.timeout,
  },
  notes       = "Exit status: as of `perigee call` and `perigee run`",
  acts        = true,
  run         = run,

  examples = {
    { "shows the calls of a tool, and what it returned", args = { "feed", "animal=lion" }, out = "eaten\n",
      err = "     1.50    sys.time.now() = 7\n",
      given = { ["cli.find.callable"] = { name = "feed", inputSchema = { type = "object", properties = {
                    animal = { type = "string" } } },
                  call = function() return { content = { { type = "text", text = "eaten" } }, text = "eaten" } end },
                ["sys.files.list"] = { n = 1, {} },
                ["sys.trace.is_secret"] = false,
                ["sys.trace.calls"] = function(run_it, listener)
                  listener.returned(listener.called("sys.time.now", 1, false), "returned", "sys.time.now", 1, false, 0.0015, 7)
                  return { results = table.pack(run_it()), seconds = 0.002, lua = 0, sys = 0, calls = {} }
                end } },
    { "says when there is no such tool", args = { "fed" }, status = 2, err = "there is no tool 'fed'; did you mean feed?",
      given = { ["cli.find.callable"] = { n = 3, false, "there is no tool 'fed'; did you mean feed?", "usage" } } },
  },
}
