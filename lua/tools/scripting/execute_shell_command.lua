--- A command of the system: a line for a shell, or a program with its arguments.

local results = require "scripting.results"
local s       = require "schema"
local shell   = require "scripting.shell"


---@param args scripting.Command
---@param call Call
local function run(args, call)
  local outcome, err, code = shell.run(args)
  if not outcome then return results.failure(err, code) end
  return results.of(call, { outcome.stdout, outcome.stderr, shell.remarks(args, outcome) }, outcome,
    shell.failure_code(args, outcome))
end


local function ended(fields)
  local result = { code = 0, stdout = "", stderr = "", truncated = false, elapsed = 0.004 }
  for key, value in pairs(fields) do result[key] = value end
  return { ["sys.process.run"] = result }
end

---@type Tool
return {
  title       = "Run a shell command",
  description = "Run a command and get its output and exit code. command is a line for sh; with args it is a program that gets "
             .. "them as they are, without a shell: pass values that you did not write yourself in this way, or by stdin. "
             .. "Nothing that it starts outlives the call. To open an application, use open_application; to check a script "
             .. "first, validate_script.",
  inputSchema = s.object {
    { "command", s.string("A line for sh. With args: a program's name or path.", { minLength = 1, maxLength = 100000 }) },
    { "args", s.array(s.string(nil, { maxLength = 100000 }), "Arguments of the program. No shell reads them.",
      { optional = true, maxItems = 1000 }) },
    { "timeout", s.number("Time limit in seconds.", { default = 30, minimum = 1, maximum = 600 }) },
    { "cwd", s.string("Directory to run in: absolute, or ~/... Default: that of the server.",
      { optional = true, pattern = "^(/|~(/|$))", maxLength = 4096 }) },
    { "env", s.map("Variables to add. API keys and tokens of the server are not inherited.",
      { optional = true, additionalProperties = s.string(nil, { maxLength = 100000 }) }) },
    { "stdin", s.string("Text for its standard input. Default: empty.", { optional = true, maxLength = 1000000 }) },
  },
  outputSchema = s.object {
    { "exit_code", s.integer "128 and more if a signal ended it." },
    { "stdout", s.string() }, { "stderr", s.string() },
    { "timed_out", s.boolean "It was stopped at its time limit." },
    { "truncated", s.boolean "Only the beginning of the output is here." },
    { "duration_ms", s.integer() },
  },
  about       = { "nothing", command = "nothing", args = "nothing", cwd = "folder", stdin = "nothing" },
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },
  listed      = false,
  timeout     = 610,
  codes       = {
    ARGUMENTS_TOO_LONG = "The command, its arguments and its variables are longer than the system allows. Use stdin.",
    INVALID_ARGUMENT = "An argument has a byte or a name that no program can be given.",
    NOT_A_FOLDER     = "cwd is not a directory.",
    NOT_FOUND        = "There is no such program, or no such directory; the message says which.",
    PERMISSION_DENIED = "The file is not a program, or may not be run.",
    TIMEOUT          = "It did not end in time. The result has its output so far.",
  },

  runs = true,
  run = run,

  examples = {
    { "a line for sh",
      args  = { command = "df -h / | tail -1" }, given = ended { stdout = "/dev/sda1  97G  41G  52G  45% /\n" },
      want  = { exit_code = 0, stdout = "/dev/sda1  97G  41G  52G  45% /\n", timed_out = false, duration_ms = 4 },
      did   = { 'process.run /bin/sh -c -- "df -h / | tail -1"' } },
    { "a program and its arguments, which no shell reads",
      args  = { command = "wc", args = { "-l", "$(id) notes.txt" }, cwd = "~" }, given = ended { stdout = "12\n" },
      want  = { stdout = "12\n" }, did = { 'process.run wc -l "$(id) notes.txt"' } },
    { "another exit code than 0 is a result",
      args  = { command = "exit 3" }, given = ended { code = 3 }, want = { exit_code = 3 }, has = { "[Exit code 3.]" } },
    { "a program that does not exist",
      args  = { command = "no-such-program", args = { "-v" } },
      given = { ["sys.process.run"] = { n = 3, false, 'the program "no-such-program" was not found. Install it or give its full '
        .. "path", "not_found" } },
      err   = 'the program "no-such-program" was not found', code = "NOT_FOUND" },
  },
}
