--- AppleScript in a file.

local applescript = require "scripting.applescript"
local s           = require "schema"


---@param args {path: string, args?: string[], timeout?: number}
---@param call Call
local function run(args, call)
  return applescript.answer(call, applescript.in_seconds, applescript.run_file(args))
end


---@type Tool
return {
  title       = "Run an AppleScript file",
  description = "Run a file of AppleScript (macOS) in a granted directory: .scpt, .scptd or .applescript. `on run argv` gets "
             .. "args. For a script that is not in a file, use execute_applescript.",
  inputSchema = s.object {
    { "path", s.string("Absolute path of the file.", { minLength = 1, maxLength = 4096, pattern = "^(/|~/)" }) },
    { "args", s.array(s.string(nil, { maxLength = 100000 }), "Arguments of `on run argv`.",
      { optional = true, maxItems = 1000 }) },
    { "timeout", s.number("Time limit in seconds.", { default = 30, minimum = 1, maximum = 600 }) },
  },
  outputSchema = s.object {
    { "result", s.string "The value of the last statement, as text." },
    { "stdout", s.string "The same." },
    { "stderr", s.string "What the script logged." },
    { "duration", s.number "In seconds." },
  },
  about       = { "nothing", path = "path", args = "nothing" },
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },
  listed      = false,
  timeout     = 610,
  codes       = applescript.codes{
    INVALID_ARGUMENT = "The file is not a script by its name, or an argument has a NUL byte.",
    NOT_GRANTED      = "The file is outside the granted directories (--grant).",
  },

  runs = true,
  run = run,

  examples = {
    { "a compiled script",
      args  = { path = "/home/ann/scripts/tidy.scpt", args = { "Downloads" } },
      given = { ["scripting.here.has_osascript"] = true, ["sys.fs.resolve"] = "/home/ann/scripts/tidy.scpt",
                ["sys.fs.stat"] = { kind = "file" },
                ["sys.process.run"] = { code = 0, stdout = "3 files\n", stderr = "", truncated = false, elapsed = 0.125 } },
      want  = { result = "3 files", stdout = "3 files", duration = 0.125 },
      did   = { "scripting.here.has_osascript", "fs.resolve /home/ann/scripts/tidy.scpt", "fs.stat",
                "process.run osascript /home/ann/scripts/tidy.scpt Downloads" } },
    { "another kind of file",
      args  = { path = "/home/ann/notes.txt" }, given = { ["scripting.here.has_osascript"] = true },
      err   = "/home/ann/notes.txt is not a script: its name has to end in .scpt, .scptd or .applescript.",
      code  = "INVALID_ARGUMENT",
      did   = { "scripting.here.has_osascript" } },
    { "on another system nothing is started",
      args  = { path = "/home/ann/tidy.scpt" }, given = { ["scripting.here.has_osascript"] = false },
      err   = "AppleScript runs on macOS only, and nothing was started. Here, use call_dbus", code = "NOT_SUPPORTED",
      did   = { "scripting.here.has_osascript" } },
  },
}
