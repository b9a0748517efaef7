--- Has a model change Python code.

local code   = require "generating.code"
local fences = require "generating.fences"
local s      = require "schema"


---@param args {original_code: string, edit_request: string, model: string, available_tool_names_for_code_gen?: string[]}
---@param call Call
local function run(args, call)
  local message = ("The code:\n\n%s\n\nThe request:\n\n%s"):format(fences.fenced(args.original_code, "python"), args.edit_request)
  return code.write(call, args, { tool = "edit_python_code", member = "edited_code", prompt = "python_edit",
    request = args.edit_request, message = message, values = { original_code = args.original_code },
    order = { "original_code", "edited_code" } })
end


---@type Tool
return {
  title       = "Edit Python code",
  description = "Change Python code as a request says, with an AI model that writes the whole code again. For code of an earlier "
             .. "step, pass @@ref_<TOOL_CALL_ID>__generated_code as original_code. The new code is compiled and never run here: "
             .. "read it, then run it with execute_python_code. For a word or two, edit the text yourself.",
  inputSchema = s.object {
    { "original_code", s.string("The code, or a reference to it.", { maxLength = 1000000 }) },
    { "edit_request", s.string("What to change, in words.", { maxLength = 200000 }) },
    code.parameters "changes",
  },
  outputSchema = s.object {
    { "status", code.STATUS },
    { "original_code", s.string "As it was given." },
    { "edited_code", code.member "The whole new program; null if there is none." },
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
    { "the model gets the code and the request, and writes all of it",
      args  = { original_code = "print(1)\n", edit_request = "Print 2." },
      given = { ["sys.engine.provider"] = { complete = function() return { text = "```python\nprint(2)\n```" } end },
                ["sys.engine.text"] = "PROMPT", ["sessions.calls.keep"] = "r4",
                ["sys.process.run"] = { code = 0, stdout = '{"chosen": 2, "calls": [], "replaces": false, "faults": [null]}' } },
      want  = { status = "success", original_code = "print(1)\n", edited_code = "print(2)\n",
                message = "1 line of Python by gemini-2.5-pro-preview-05-06. Nothing was run: read the code before you run it. "
                  .. "Refer to it as @@ref_r4__edited_code." } },
    { "the code stays what it is if the model cannot be asked",
      args  = { original_code = "print(1)\n", edit_request = "Print 2.", model = "gpt-4.1-2025-04-14" },
      given = { ["sys.engine.provider"] = { complete = function() return nil, "The key was refused.", "unauthorized" end },
                ["sys.engine.text"] = "PROMPT" },
      code  = "UNAUTHORIZED",
      err   = '{"status":"error","original_code":"print(1)\\n","edited_code":null,"message":"The key was refused."}' },
  },
}
