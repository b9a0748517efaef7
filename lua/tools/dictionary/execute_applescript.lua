--- AppleScript of the caller's, for one application.

local applescript = require "scripting.applescript"
local s           = require "schema"


---@param args scripting.AppleScriptArgs
---@param call Call
local function run(args, call)
  return applescript.answer(call, applescript.in_seconds, applescript.run(args))
end


local function prints(text)
  return { ["scripting.here.has_osascript"] = true,
    ["sys.process.run"] = { code = 0, stdout = text, stderr = "", truncated = false, elapsed = 0.125 } }
end

---@type Tool
return {
  title       = "Run AppleScript for an application",
  description = "Run AppleScript (macOS) that is for one application, and get its result as text. A script that names another "
             .. "one, System Events as well, is refused before it runs. Look up the application's commands first, and check the "
             .. "script with validate_script. For a script of several applications, use execute_apple_script; elsewhere than on "
             .. "macOS, call_dbus.",
  inputSchema = s.object {
    { "script", s.string("The AppleScript text.", { minLength = 1, maxLength = 1000000 }) },
    { "appBundleId", s.string("The application, by its bundle ID: com.apple.finder.", { minLength = 1, maxLength = 255,
      pattern = "^[A-Za-z0-9._-]+$" }) },
    { "timeout", s.number("Time limit in seconds.", { default = 30, minimum = 1, maximum = 600 }) },
  },
  outputSchema = s.object {
    { "result", s.string "The value of the last statement, as text." },
    { "stdout", s.string "The same." },
    { "stderr", s.string "What the script logged." },
    { "duration", s.number "In seconds." },
  },
  about       = { "nothing", appBundleId = "opened", script = "nothing" },
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },
  programs    = { "osascript" },
  timeout     = 610,
  codes       = applescript.codes{
    OTHER_APPLICATION = "The script names another application than appBundleId.",
  },

  runs = true,
  run = run,

  examples = {
    { "the result of the last statement",
      args  = { script = 'tell application id "com.apple.finder" to get name of front window', appBundleId = "com.apple.finder" },
      given = prints "Downloads\n",
      want  = { result = "Downloads", stdout = "Downloads", duration = 0.125 },
      did   = { "scripting.here.has_osascript", "process.run osascript -" } },
    { "a script for another application is refused before it runs",
      args  = { script = 'tell application id "com.apple.mail" to activate', appBundleId = "com.apple.finder" },
      given = { ["scripting.here.has_osascript"] = true },
      err   = 'line 1, column 6: the script names application id "com.apple.mail", and appBundleId is com.apple.finder',
      code  = "OTHER_APPLICATION", did = { "scripting.here.has_osascript" } },
    { "on another system nothing is started",
      args  = { script = "beep", appBundleId = "com.apple.finder" }, given = { ["scripting.here.has_osascript"] = false },
      err   = "AppleScript runs on macOS only, and nothing was started. Here, use call_dbus", code = "NOT_SUPPORTED",
      did   = { "scripting.here.has_osascript" } },
  },
}
