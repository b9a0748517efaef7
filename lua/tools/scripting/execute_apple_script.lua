--- AppleScript of the caller's, for any applications.

local applescript = require "scripting.applescript"
local s           = require "schema"


---@param args scripting.AppleScriptArgs
---@param call Call
local function run(args, call)
  return applescript.answer(call, applescript.in_milliseconds, applescript.run(args))
end


local function prints(text)
  return { ["scripting.here.has_osascript"] = true,
    ["sys.process.run"] = { code = 0, stdout = text, stderr = "", truncated = false, elapsed = 0.125 } }
end

---@type Tool
return {
  title       = "Run AppleScript",
  description = "Run AppleScript (macOS) and get its result as text. For a script of one application, prefer "
             .. "execute_applescript, which refuses others. Check it with validate_script first. To click, type or move "
             .. "windows, use the tools for these: they need no dictionary. Elsewhere than on macOS, call_dbus and run_lua do "
             .. "such work.",
  inputSchema = s.object {
    { "script", s.string("The AppleScript text.", { minLength = 1, maxLength = 1000000 }) },
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
    { "the result of the last statement",
      args  = { script = 'tell application "Finder" to get name of front window' }, given = prints "Downloads\n",
      want  = { result = "Downloads", stderr = "", duration_ms = 125 },
      did   = { "scripting.here.has_osascript", "process.run osascript -" } },
    { "an error has osascript's words, its number and the place",
      args  = { script = 'tell application "Finder"\n  get window 9\nend tell' },
      given = { ["scripting.here.has_osascript"] = true,
                ["sys.process.run"] = { code = 1, stdout = "", truncated = false, elapsed = 0.1,
                  stderr = "28:40: execution error: Finder got an error: Can't get window 9. Invalid index. (-1719)\n" },
                ["sys.osascript.explain"] = function(errors) return errors:gsub("%.? ?\n", "") .. "", "not_found", -1719 end },
      err   = "line 2, column 3: execution error: Finder got an error: Can't get window 9. Invalid index. (-1719)",
      code  = "NOT_FOUND" },
    { "on another system nothing is started",
      args  = { script = "beep" },
      given = { ["scripting.here.has_osascript"] = false },
      err   = "AppleScript runs on macOS only, and nothing was started. Here, use call_dbus",
      code  = "NOT_SUPPORTED",
      did   = { "scripting.here.has_osascript" } },
  },
}
