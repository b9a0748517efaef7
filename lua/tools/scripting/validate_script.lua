--- Checks a script without running it.

local results  = require "scripting.results"
local s        = require "schema"
local validate = require "scripting.validate"

local MOST = 20   -- faults in the text of the result


local function add(lines, kind, faults)
  for i, each in ipairs(faults) do
    if i > MOST then
      lines[#lines + 1] = ("and %d more"):format(#faults - MOST)
      return
    end
    lines[#lines + 1] = ("%s: line %d, column %d: %s"):format(kind, each.line, each.column, each.message)
  end
end


--- The first line of the text: the verdict, and how far it goes.
local function verdict(validity)
  if not validity.valid then return "The script is not valid." end
  return validity.checked == "compiled" and "The script is valid."
    or "No error was found in the script's structure. Whether it compiles is not known."
end


---@param args {script: string, type: string, appBundleId?: string}
---@param call Call
local function run(args, call)
  local validity, err, code = validate.run(args)
  if not validity then return results.failure(err, code) end
  local lines = { verdict(validity) }
  add(lines, "error", validity.errors)
  add(lines, "warning", validity.warnings)
  return results.of(call, lines, validity)
end


local FAULTS = s.array(s.object({
  { "line", s.integer() }, { "column", s.integer() }, { "message", s.string() },
  { "code", s.string(nil, { optional = true }) },
  { "nearest", s.array(s.string(), "Terms that may have been meant.", { optional = true }) },
}), "By their places.")

---@type Tool
return {
  title       = "Check a script",
  description = "Check a script without running any of it: its syntax, as far as it can be known here. Call it before you run a "
             .. "script that you wrote. checked is compiled if the language's own parser read all of it, and structure if only "
             .. "strings, comments, brackets and blocks were checked: then it may still not compile.",
  inputSchema = s.object {
    { "script", s.string("The text.", { maxLength = 1000000 }) },
    { "type", s.enum({ "applescript", "javascript", "shell", "lua", "python" }, "Its language.", { default = "applescript" }) },
    { "appBundleId", s.string("AppleScript: the only application that it may name, as for execute_applescript.",
      { optional = true, minLength = 1, maxLength = 255, pattern = "^[A-Za-z0-9._-]+$" }) },
  },
  outputSchema = s.object {
    { "valid", s.boolean "No error was found." },
    { "checked", s.enum({ "compiled", "structure" }, "How far the check goes.") },
    { "errors", FAULTS }, { "warnings", FAULTS },
  },
  about       = { "nothing", script = "nothing", appBundleId = "nothing" },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  from        = "own",
  listed      = false,
  codes       = {
    CHECK_FAILED = "The parser ended without an answer, for example because the script nests too deeply.",
    NOT_FOUND    = "The parser is not installed (python3).",
    TIMEOUT      = "The parser needs too long for this script.",
  },

  run = run,

  examples = {
    { "AppleScript, whose structure can be checked anywhere",
      args  = { script = "repeat 3 times\n  beep" }, given = { ["scripting.here.has_osascript"] = false },
      want  = { valid = false, checked = "structure", errors = { { line = 1, column = 1, code = "open_block" } } },
      has   = { "The script is not valid.\nerror: line 1, column 1: " } },
    { "a shell script, which sh reads and does not run",
      args  = { script = "if true\nthen echo yes", type = "shell" },
      given = { ["sys.process.run"] = { code = 2, stdout = "", truncated = false, elapsed = 0,
                  stderr = '/bin/sh: 2: Syntax error: end of file unexpected (expecting "fi")\n' } },
      want  = { valid = false, checked = "compiled", errors = { { line = 2, column = 1,
                  message = 'Syntax error: end of file unexpected (expecting "fi")' } } },
      did   = { "process.run /bin/sh -n" } },
    { "Lua is compiled in a process of its own",
      args  = { script = "return tools.list_windows {}", type = "lua" }, given = { ["sys.engine.run_lua"] = { value = true } },
      want  = { valid = true, checked = "compiled", errors = {} }, has = { "The script is valid." } },
  },
}
