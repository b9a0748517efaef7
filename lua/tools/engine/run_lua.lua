--- A script in which every tool is a function: loops, conditions and parallel calls in one request.

local s      = require "schema"
local engine = require "sys.engine"
local json   = require "sys.json"


--- The value as text: a text as it is, anything else as JSON.
local function shown(value)
  if type(value) == "string" then return value end
  local text, err = json.encode(value)
  return text or ("(%s)"):format(err)
end


---@param args {code: string, args?: any, timeout?: number}
local function run(args, call)
  local result, err, code, output = engine.run_lua(args.code, { args = args.args, timeout = args.timeout })
  if not result then
    local text = output and output ~= "" and ("%s\n--- printed before it failed:\n%s"):format(err, output) or err
    return nil, text, code
  end
  local parts = {}
  if result.output ~= "" then parts[#parts + 1] = result.output:gsub("\n$", "") .. "" end
  if result.truncated then parts[#parts + 1] = "[the printed lines were cut: print less, or return a value]" end
  if result.value ~= nil then parts[#parts + 1] = shown(result.value) end
  if #parts == 0 then parts[1] = "The script ended and returned nothing." end
  return call:result { content = { { type = "text", text = table.concat(parts, "\n") } } }
end


---@type Tool
return {
  title       = "Run Lua",
  description = "Run a Lua 5.4 script in which every tool is a function: tools.NAME{argument = value} returns the "
             .. "tool's structured result or text and raises when it fails. print() and the returned value are the "
             .. "answer. require \"sys.task\" gives map(items, fn) for parallel calls, sys.time, sys.json and "
             .. "sys.log are there too. No files, processes or network but through tools.",
  inputSchema = s.object {
    { "code",    s.string("The script.", { maxLength = 1000000 }) },
    { "args",    s.any("A value the script gets as `...`.", { optional = true }) },
    { "timeout", s.number("Seconds until it is stopped.", { optional = true, exclusiveMinimum = 0, maximum = 600, default = 30 }) },
  },
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },
  execution   = { taskSupport = "optional" },
  timeout     = 610,

  run = run,

  examples = {
    { "answers with printed lines, then the value",
      given = { ["sys.engine.run_lua"] = { output = "one\n", value = { 1, 2 }, truncated = false, calls = 0 } },
      args  = { code = "print 'one' return {1, 2}" },
      want  = "one\n[1,2]" },

    { "tells what was printed before it failed",
      given = { ["sys.engine.run_lua"] = { n = 4, false, "run_lua:1: oops", "runtime", "one\n" } },
      args  = { code = "print 'one' error 'oops'" },
      err   = "run_lua:1: oops\n--- printed before it failed:\none\n",
      code  = "runtime" },
  },
}
