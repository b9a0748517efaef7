--- Cases of create_python_code beside the examples in its file.

local SOUND = { code = 0, stdout = '{"chosen": 2, "calls": [], "replaces": false, "faults": [null]}' }
local BROKEN = { code = 0, stdout = '{"chosen": null, "calls": [], "replaces": false, "faults": [null, '
  .. '{"line": 1, "column": 5, "message": "invalid syntax"}]}' }
local REPLY = "```python\nx = = 1\n```"

--- A provider that gives these replies, one after the other; a list is a failure.
local function provider(replies, models)
  local at = 0
  return { api = { models = models }, complete = function()
    at = at + 1
    local reply = assert(replies[at], "it is asked too often")
    if type(reply) == "table" and reply[2] then return nil, reply[1], reply[2] end
    return type(reply) == "string" and { text = reply } or reply
  end }
end

--- The stubs of a run with these replies and these answers of Python.
local function given(replies, checks, models)
  return { ["sys.engine.provider"] = provider(replies, models), ["sys.engine.text"] = "Fix {error}.",
    ["sessions.calls.keep"] = "r1", ["sys.process.run"] = checks }
end

return {
  { "code that does not compile is written once more", args = { user_request = "x" },
    given = given({ REPLY, "```python\nx = 1\n```" }, { BROKEN, SOUND }),
    want = { status = "success", generated_code = "x = 1\n" } },
  { "and not twice", args = { user_request = "x" }, given = given({ REPLY, REPLY }, { BROKEN, BROKEN }), code = "NOT_PYTHON",
    err = "line 1, column 5: invalid syntax\\n    x = = 1" },
  { "a model that is gone is named with its successor", args = { user_request = "x" },
    given = given({ { "It is gone.", "model_not_found" }, "```python\nx = 1\n```" }, { SOUND }, { "gemini-2.0-flash", "newer" }),
    has = { "gemini-2.5-pro-preview-05-06 is no longer available; newer answered in its place. 1 line of Python by newer." } },
  { "the name by which the API calls it", args = { user_request = "x", model = "claude-3-7-sonnet-latest" },
    given = given({ { text = "```python\nx = 1\n```", model = "claude-3-7-sonnet-20250219" } }, { SOUND }),
    has = { "by claude-3-7-sonnet-latest (claude-3-7-sonnet-20250219)." } },
  { "no model at all", args = { user_request = "x" }, code = "MODEL_NOT_FOUND", err = "It is gone.",
    given = given({ { "It is gone.", "model_not_found" }, { "So is it.", "model_not_found" } }, nil, { "newer" }) },
  { "an option is not named where there is none", args = { user_request = "x" }, code = "MODEL_NOT_FOUND",
    given = given { { "No. Choose another with --model gemini/NAME.", "model_not_found" } },
    err = 'No. Choose another model."}' },
  { "a reply that was cut off is no code", args = { user_request = "x" }, code = "CUT_OFF", err = '"generated_code":null',
    given = given { { text = REPLY, stop = "length" } } },
  { "an empty reply", args = { user_request = "x" }, code = "EMPTY_REPLY", given = given { { text = " \n" } } },
  { "Python that ended without an answer", args = { user_request = "x" }, code = "CHECK_FAILED", err = "RecursionError",
    given = given({ REPLY }, { code = 1, stdout = "", stderr = "Traceback\nRecursionError\n" }) },
  { "Python that is not there", args = { user_request = "x" }, want = { status = "warning", generated_code = "x = = 1\n" },
    has = { "The script was not checked: no python3" },
    given = given({ REPLY }, { n = 3, false, "no python3", "not_found" }) },
  { "what cannot be kept is there all the same", args = { user_request = "x" }, want = { generated_code = "x = 1\n" },
    has = { "It is not kept for references: the disk is full." },
    given = { ["sys.engine.provider"] = provider { "```python\nx = 1\n```" }, ["sys.engine.text"] = "",
      ["sessions.calls.keep"] = { n = 3, false, "the disk is full", "io" }, ["sys.process.run"] = SOUND } },
  { "a script gets the value and no reference", args = { user_request = "x" },
    want = { message = "1 line of Python by gemini-2.5-pro-preview-05-06. Nothing was run: read the code before you run it." },
    given = { ["sys.engine.provider"] = provider { "```python\nx = 1\n```" }, ["sys.engine.text"] = "",
      ["sessions.calls.keep"] = { n = 1, false }, ["sys.process.run"] = SOUND } },
  { "a request of blanks", args = { user_request = " \n" }, code = "INVALID_ARGUMENT", err = "The request is empty." },
}
