--- Has a model write Python code.

local code = require "generating.code"
local s    = require "schema"


---@param args {user_request: string, model: string, available_tool_names_for_code_gen?: string[]}
---@param call Call
local function run(args, call)
  return code.write(call, args, { tool = "create_python_code", member = "generated_code", prompt = "python_create",
    request = args.user_request, message = args.user_request, values = {}, order = { "generated_code" } })
end


---@type Tool
return {
  title       = "Create Python code",
  description = "Create Python code from a description, with an AI model. The code is compiled and never run here: read it, then "
             .. "run it with execute_python_code or change it with edit_python_code, to which you pass it as "
             .. "@@ref_<TOOL_CALL_ID>__generated_code. It may call the tools that you name. user_request may also have @@ref_.",
  inputSchema = s.object {
    { "user_request", s.string("What the code is to do, in words.", { maxLength = 200000 }) },
    code.parameters "writes",
  },
  outputSchema = s.object {
    { "status", code.STATUS },
    { "generated_code", code.member "The whole program; null if there is none." },
    { "message", code.MESSAGE },
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = false, openWorldHint = true },
  timeout     = code.SECONDS,
  listed      = false,
  codes       = code.CODES,

  from  = "web",
  about = { "nothing" },
  run   = run,

  examples = {
    { "the code in the model's reply, which can be referred to",
      args  = { user_request = "Print the number one." },
      given = { ["sys.engine.provider"] = { complete = function() return { text = "So:\n```python\nprint(1)\n```" } end },
                ["sys.engine.text"] = "PROMPT", ["sessions.calls.keep"] = "r3",
                ["sys.process.run"] = { code = 0, stdout = '{"chosen": 2, "calls": [], "replaces": false, "faults": [null]}' } },
      want  = { status = "success", generated_code = "print(1)\n",
                message = "1 line of Python by gemini-2.5-pro-preview-05-06. Nothing was run: read the code before you run it. "
                  .. "Refer to it as @@ref_r3__generated_code." } },
    { "a call of a tool that was not offered is a warning",
      args  = { user_request = "Close the window." },
      given = { ["sys.engine.provider"] = { complete = function() return { text = "await tools.close_window(name='x')" } end },
                ["sys.engine.text"] = "PROMPT", ["sessions.calls.keep"] = "r3",
                ["sys.engine.tools"] = { { name = "close_window" } }, ["sys.engine.tool"] = { name = "close_window" },
                ["sys.process.run"] = { code = 0, stdout = '{"chosen": 1, "replaces": false, "faults": [], '
                  .. '"calls": [{"line": 1, "way": "attribute", "name": "close_window"}]}' } },
      want  = { status = "warning" }, has = { "It calls close_window in line 1, which was not offered." } },
    { "a tool that is offered must exist",
      args  = { user_request = "Close the window.", available_tool_names_for_code_gen = { "close_windw" } },
      given = { ["sys.engine.tool"] = { n = 1, false }, ["sys.engine.tools"] = { { name = "close_window" } } },
      code  = "UNKNOWN_TOOL", err = 'There is no tool \\"close_windw\\"; did you mean close_window.' },
  },
}
