--- A script in which every tool is a function: loops, conditions and parallel calls in one request.

local beginnings   = require "desktop.beginnings"
local engine       = require "sys.engine"
local observations = require "observing.observations"
local s            = require "schema"


---@param args {code: string, args?: any, timeout?: number}
local function run(args, call)
  local held <close> = observations.of_scripts()
  local result, err, code, output = engine.run_lua(args.code, { args = args.args, timeout = args.timeout, as_text = true })
  if not result then
    local text = output and output ~= "" and ("%s\n--- printed before the failure:\n%s"):format(err, output) or err
    return nil, text, code
  end
  local parts = {}
  if result.output ~= "" then parts[#parts + 1] = result.output:gsub("\n$", "") .. "" end
  if result.truncated then parts[#parts + 1] = "[output cut: print less, or return a value]" end
  if result.value ~= nil then parts[#parts + 1] = result.value end
  if #parts == 0 then parts[1] = "The script finished and returned nothing." end
  return call:result { content = { { type = "text", text = table.concat(parts, "\n") } } }
end


---@type Tool
return {
  title       = "Run a Lua script",
  description = "Run a Lua 5.4 script in which every tool is a function. Use it for loops, conditions and parallel calls. "
             .. "tools.NAME{argument = value} returns the structured result or text, and raises an error if the tool fails. The "
             .. "result is the printed lines and the returned value. require \"sys.task\" has map(items, fn) for parallel calls; "
             .. "sys.time, sys.date, sys.text, sys.regex and sys.json are available.",
  inputSchema = s.object {
    { "code",    s.string("Source code of the script.", { maxLength = 1000000 }) },
    { "args",    s.any("A value that the script receives as `...`.", { optional = true }) },
    { "timeout", s.number("Time limit in seconds.", { optional = true, exclusiveMinimum = 0, maximum = 600, default = 30 }) },
  },
  about       = { "nothing" },
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },
  execution   = { taskSupport = "optional" },
  timeout     = 610,

  runs = true,
  run = beginnings.run(run),

  examples = {
    { "returns the printed lines, then the value",
      given = { ["sys.engine.run_lua"] = { output = "one\n", value = "[1,2]", truncated = false, calls = 0 } },
      args  = { code = "print 'one' return {1, 2}" },
      want  = "one\n[1,2]" },

    { "reports what was printed before the failure",
      given = { ["sys.engine.run_lua"] = { n = 4, false, "run_lua:1: oops", "runtime", "one\n" } },
      args  = { code = "print 'one' error 'oops'" },
      err   = "run_lua:1: oops\n--- printed before the failure:\none\n",
      code  = "runtime" },
  },
}
