--- Cases of edit_python_code beside the examples in its file.

local SOUND = { code = 0, stdout = '{"chosen": 2, "calls": [], "replaces": false, "faults": [null]}' }

--- The stubs of a run in which the model is told this.
local function given(words)
  return { ["sys.engine.text"] = "PROMPT", ["sessions.calls.keep"] = "r1", ["sys.process.run"] = SOUND,
    ["sys.engine.provider"] = { complete = function(request)
      assert(request.messages[1].text == words, request.messages[1].text)
      return { text = "```python\nx = 2\n```" }
    end } }
end

return {
  { "code with a fence in it is in a longer one", args = { original_code = "x = '```'\n", edit_request = "Two." },
    given = given "The code:\n\n````python\nx = '```'\n````\n\nThe request:\n\nTwo.",
    want = { original_code = "x = '```'\n", edited_code = "x = 2\n" } },
  { "code stays as it was given", args = { original_code = "x = 1\r\n\n", edit_request = "Two." },
    given = given "The code:\n\n```python\nx = 1\r\n\n```\n\nThe request:\n\nTwo.", want = { original_code = "x = 1\r\n\n" } },
  { "no code", args = { original_code = "\n", edit_request = "Two." }, code = "INVALID_ARGUMENT",
    err = "To have new code written, call create_python_code." },
  { "no request", args = { original_code = "x", edit_request = "" }, code = "INVALID_ARGUMENT", err = "The request is empty." },
}
