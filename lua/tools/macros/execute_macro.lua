--- Runs a macro.

local engine = require "sys.engine"
local s      = require "schema"
local shelf  = require "macros.shelf"


---@param args {macro: string, parameter_values?: table, resume_from?: string, repeat_sent?: boolean}
---@param call Call
local function run(args, call)
  shelf.renew()   -- a file that was just saved
  local found, err, code = shelf.find(args.macro)
  if not found then return nil, err, code end
  if found.problem and not found.kept then
    return nil, ("%s does not load: %s. Correct %s"):format(found.name, found.problem, found.path), "MACRO_BROKEN"
  end
  local given = { resume_from = args.resume_from, repeat_sent = args.repeat_sent }
  for name, value in pairs(args.parameter_values or {}) do given[name] = value end
  local result
  result, err, code = engine.call(found.id, given)
  if not result then return nil, err, code end
  if result.isError then return nil, result.text, result.code, result._meta end
  local facts = result.structuredContent or {}
  return call:result { content = result.content,
    structuredContent = { name = found.name, done = facts.done, dry_run = facts.dry_run, steps = facts.steps,
                          result = facts.result } }
end


local GIVEN = {
  ["sys.console.reload"] = { added = {}, changed = {}, removed = {}, generation = 2 },
  ["sys.engine.status"] = { roots = { "/usr/share/perigee/lua", "/mine" }, problems = {} },
  ["sys.files.list"] = { { kind = "tool", name = "note", toolset = "macros", root = "/mine", label = "tools/macros/note.lua",
                           path = "/mine/tools/macros/note.lua" } },
}

local function given(result)
  local all = { ["sys.engine.call"] = result }
  for name, value in pairs(GIVEN) do all[name] = value end
  return all
end


---@type Tool
return {
  title        = "Run a macro",
  description  = "Run a macro with values for its parameters. get_macro shows these. It stops at the first step that is not sure "
              .. "or whose effect is not seen, and says what to do. Go on then with resume_from.",
  inputSchema  = s.object {
    { "macro", s.string("As macros/ID or ID.", { minLength = 1, maxLength = 200 }) },
    { "parameter_values", s.map("Values by parameter.", { optional = true }) },
    { "resume_from", s.string('Goes on with the run that stopped: "last", a step\'s number, "row 3".',
      { optional = true, maxLength = 40 }) },
    { "repeat_sent", s.boolean("With resume_from: repeats a step that was sent and not confirmed.", { optional = true }) },
  },
  outputSchema = s.object {
    { "name", s.string() },
    { "done", s.boolean() },
    { "steps", s.array(s.map "Its number, row, text, ok and evidence.", "Those that were begun.") },
    { "result", s.any("What the macro returned.", { optional = true }) },
  },
  about        = { "nothing" },
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },
  listed       = false,
  keeps        = true,
  timeout      = 610,
  codes        = { MACRO_NOT_FOUND = shelf.CODES.MACRO_NOT_FOUND, MACRO_BROKEN = shelf.CODES.MACRO_BROKEN },

  run = run,

  examples = {
    { "returns the steps with their evidence",
      given = given { content = { { type = "text", text = "The step is done.\n1 open Notes: its window appeared" } }, text = "",
        structuredContent = { done = true, steps = { { step = 1, text = "open Notes", ok = true } } } },
      args  = { macro = "macros/note", parameter_values = { text = "Hello" } },
      has   = { "The step is done." }, want = { name = "macros/note", done = true, steps = { { text = "open Notes" } } },
      did   = { "console.reload", "engine.status", "files.list", "engine.call note text=Hello" } },
    { "passes the failure of a step on",
      given = given { isError = true, content = {}, text = "Step 1, open Notes: it is not there.", code = "APP_NOT_FOUND" },
      args  = { macro = "note" }, err = "Step 1, open Notes", code = "APP_NOT_FOUND" },
    { "names the nearest", given = GIVEN, args = { macro = "macros/not" },
      err   = 'There is no macro "not"; did you mean note?', code = "MACRO_NOT_FOUND" },
  },
}
