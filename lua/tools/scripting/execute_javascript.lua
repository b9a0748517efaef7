--- JavaScript for Automation of the caller's.

local applescript = require "scripting.applescript"
local s           = require "schema"


---@param args scripting.AppleScriptArgs
---@param call Call
local function run(args, call)
  return applescript.answer(call, applescript.in_milliseconds, applescript.run(args, "JavaScript"))
end


local function prints(text)
  return { ["scripting.here.has_osascript"] = true,
    ["sys.process.run"] = { code = 0, stdout = text, stderr = "", truncated = false, elapsed = 0.125 } }
end

---@type Tool
return {
  title       = "Run JavaScript for Automation",
  description = "Run JavaScript for Automation (JXA, macOS) and get its result as text. It is neither a browser nor Node: "
             .. "Application(\"Finder\").name() asks the Finder. Apple no longer develops it: prefer execute_apple_script. "
             .. "To run scripts with Perigee's tools, use run_lua; on Linux, call_dbus.",
  inputSchema = s.object {
    { "script", s.string("The JavaScript text.", { minLength = 1, maxLength = 1000000 }) },
    { "timeout", s.number("Time limit in seconds.", { default = 30, minimum = 1, maximum = 600 }) },
  },
  outputSchema = s.object {
    { "result", s.string "The value of the last statement, as text." },
    { "stderr", s.string "What the script logged." },
    { "duration_ms", s.integer() },
  },
  about       = { "nothing", script = "nothing" },
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },
  listed      = false,
  timeout     = 610,
  codes       = applescript.codes(),

  runs = true,
  run = run,

  examples = {
    { "the value of the last expression",
      args  = { script = 'Application("Finder").name()' }, given = prints "Finder\n",
      want  = { result = "Finder", stderr = "", duration_ms = 125 },
      did   = { "scripting.here.has_osascript", "process.run osascript -l JavaScript -" } },
    { "on another system nothing is started",
      args  = { script = "1 + 1" },
      given = { ["scripting.here.has_osascript"] = false },
      err   = "JavaScript for Automation runs on macOS only, and nothing was started. Here, use call_dbus",
      code  = "NOT_SUPPORTED",
      did   = { "scripting.here.has_osascript" } },
  },
}
