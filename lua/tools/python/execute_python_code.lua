--- Python code in a jail, in which every tool is a function.

local answer = require "python.answer"
local s      = require "schema"

local NULL = require("sys.json").null


---@param kind string
---@param description string
---@param options? table
local function nullable(kind, description, options)
  local schema = options or {}
  schema.type, schema.description, schema.default = { kind, "null" }, description, NULL
  return schema
end


local function ran(fields)
  local frames, json = require "python.frames", require "sys.json"
  local done = { ok = true, function_called = false, message = "" }
  for key, value in pairs(fields.done or {}) do done[key] = value end
  local printed = ("<I4BI4Bs4"):pack(5 + #(fields.stdout or ""), frames.OUTPUT, 0, 1, fields.stdout or "")
  return { ["python.process.run"] = { n = 2, printed .. frames.frame(frames.DONE, 0, json.encode(done)), 0 } }
end


---@type Tool
return {
  title       = "Execute Python code",
  description = "Run Python 3 code in a jail (no network, no processes, files only in its own directory). Then "
             .. "generated_function_name, if the code defines it, is called with the arguments. Print, or return a JSON value. "
             .. "Tools: tools.NAME(argument=value), or `await _call_mcp_tool(name, {...})`, also in asyncio.gather; a failing "
             .. "tool raises. `await ask_model(prompt)` asks a model. Files and figures are in the result. To only call tools in "
             .. "loops, use run_lua.",
  inputSchema = s.object {
    { "code", s.string("Python source. `await` works at top level. numpy and others work if installed.",
      { maxLength = 1000000 }) },
    { "function_args", nullable("array", "Positional arguments of generated_function_name.", { items = {} }) },
    { "function_kwargs", nullable("object", "Named arguments of generated_function_name.") },
    { "timeout_seconds", s.integer("Time limit in seconds.", { default = 60, minimum = 1, maximum = 300 }) },
    { "caller_user_id", nullable("string", "(system-passed) Noted in the audit log; gives no right.", { maxLength = 200 }) },
    { "session", nullable("string", "Name: variables stay for later calls with it.", { minLength = 1, maxLength = 64 }) },
  },
  outputSchema = s.object {
    { "status", s.enum { "success", "error" } }, { "stdout", s.string() },
    { "stderr", s.string "With the place of an exception." },
    { "function_called", s.boolean() },
    { "function_result", s.any "JSON value, or the repr of another one." },
    { "message", s.string "What happened, and what to do next." },
  },
  about       = { "nothing" },
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },
  execution   = { taskSupport = "optional" },
  listed      = false,
  timeout     = 610,
  codes       = answer.CODES,

  runs = true,
  run = function(args, call) return answer.execute(args, call) end,

  examples = {
    { "has what the code printed",
      args  = { code = "print(1)" }, given = ran { stdout = "1\n" },
      want  = { status = "success", stdout = "1\n", stderr = "", function_called = false, function_result = NULL,
                message = "The code ran." } },
    { "calls the function",
      args  = { code = "def generated_function_name(a, b=2): return a + b", function_args = { 1 }, function_kwargs = { b = 5 } },
      given = ran { done = { function_called = true, result = 6 } },
      want  = { status = "success", function_called = true, function_result = 6 } },
    { "keeps what was printed before a failure",
      args  = { code = "print(1)\n1/0" },
      given = ran { stdout = "1\n", done = { ok = false, error = { kind = "ZeroDivisionError", message = "division by zero",
                traceback = 'Traceback (most recent call last):\n  File "<code>", line 2, in <module>\n' } } },
      code  = "CODE_FAILED", has = { "ZeroDivisionError: division by zero.", "line 2", '"stdout":"1\\n"' } },
    { "stops at the time limit",
      args  = { code = "while True: pass", timeout_seconds = 1 },
      given = ran { stdout = "so far\n", done = { ok = false, timeout = true, error = { kind = "Timeout" } } },
      code  = "TIMEOUT", has = { "timeout: the code ran for longer than 1 second and", "so far" } },
  },
}
