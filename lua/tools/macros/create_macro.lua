--- Makes a macro of calls of tools, or of what the user does.

local engine       = require "sys.engine"
local fail         = require "desktop.fail"
local from_calls   = require "macros.from_calls"
local from_session = require "macros.from_session"
local given        = require "macros.given"
local json         = require "sys.json"
local recording    = require "recorder.recording"
local s            = require "schema"
local shelf        = require "macros.shelf"
local wishes       = require "macros.wishes"
local writer       = require "macros.writer"

local UNSEEN = "The desktop shows no notifications, so the user would not see that they are recorded. Let them run `perigee "
  .. "record` at a terminal"

local FAILS = { "EXISTS", "INVALID_ARGUMENT", "NOTHING_DONE", "NOT_REPEATABLE", "NO_ROOT", "WRITE_FAILED" }


--- The steps and parameters: those that were given, or made of the calls of a session.
local function parts_of(args)
  if args.steps then
    local ok, err, code = given.lasting(args.steps)
    return ok and { steps = args.steps, parameters = args.parameters }, err, code
  end
  local calls, err, code = from_session.calls(args.from)
  if not calls then return fail.with(err, code) end
  local taken
  taken, err, code = from_calls.of(calls, args.from.request or "", { unseen = true })
  return taken and { steps = taken.steps, parameters = wishes.parameters(taken.wishes), record = taken.record }, err, code
end


--- Makes it of calls. Returns the path and the text.
local function written(args, id)
  local parts, err, code = parts_of(args)
  if not parts then return nil, err, code end
  local source = { id = id, display_name = args.display_name, description = args.description, tags = args.tags, list = args.list,
    parameters = parts.parameters, steps = parts.steps }
  local text, path
  text, err, code = writer.text(source)
  if not text then return nil, err, code end
  path, err, code = shelf.save(id, text, source, { record = parts.record })
  return path, path and text or err, code
end


--- Makes it of what the user does until they end it.
local function recorded(args, id, call)
  local one, err, code = recording.begin(id, { title = args.display_name, description = args.description, tags = args.tags,
    list = args.list })
  if not one then return fail.with(err, code) end
  one.told = function() call:progress(one.book.steps, nil, ("%d steps are recorded"):format(one.book.steps)) end
  code, err = recording.run(one, id, function(seen) return not seen and UNSEEN or nil end)
  if err then return fail.with(err, code) end
  if one.book.steps == 0 and not one.problem then return nil, "Nothing was recorded, so there is no macro", "NOTHING_DONE" end
  if one.problem then return nil, "The last steps were not saved: " .. one.problem, "WRITE_FAILED" end
  return one.book.path, one.book.text, recording.notes(one)
end


---@param args {display_name: string, macro_id?: string, steps?: macros.Given[], from?: table, record?: boolean}
---@param call Call
local function run(args, call)
  local ways = (args.steps and 1 or 0) + (args.from and 1 or 0) + (args.record and 1 or 0)
  if ways ~= 1 or args.parameters and not args.steps then
    return nil, "Pass one of steps, with their parameters, from, and record", "INVALID_ARGUMENT"
  end
  local id = args.macro_id or shelf.id_of(args.display_name)
  if engine.tool(id) then
    return nil, ("There is a tool %s already. Pass another macro_id, or use update_macro"):format(id), "EXISTS"
  end
  local path, text, more = (args.record and recorded or written)(args, id, call)
  if not path then return nil, text, more end
  local facts = { name = "macros/" .. id, file = path, steps = shelf.steps(text), notes = more and json.array(more) }
  local lines = { shelf.wrote(facts) }
  for _, note in ipairs(more or {}) do lines[#lines + 1] = note end
  lines[#lines + 1] = "Run it with execute_macro."
  return call:result { structuredContent = facts, content = { { type = "text", text = table.concat(lines, "\n") } } }
end


local codes = {}
for _, code in ipairs(FAILS) do codes[code] = shelf.CODES[code] end

---@type Tool
return {
  title        = "Create a macro",
  description  = "Make a macro of calls of tools: a Lua file of the user's that does them again. Give the calls that worked, in "
              .. "order, with ${NAME} where a parameter goes, take the last ones of a session with from, or let the user show "
              .. "it with record. Use selectors and titles, not refs. The user may be asked. Run it with execute_macro.",
  inputSchema  = s.object {
    { "display_name", s.string("Title for people.", { minLength = 1, maxLength = 100 }) },
    { "macro_id", s.string("Name of the file and tool. Default: made of the title.",
      { optional = true, pattern = "^[a-z][a-z0-9_]{0,59}$" }) },
    { "description", s.string("What it does.", { optional = true, maxLength = 400 }) },
    { "tags", s.array(s.string(nil, { minLength = 1, maxLength = 40 }), "Words to find it by.",
      { optional = true, maxItems = 20 }) },
    { "steps", writer.STEPS },
    { "from", s.object({
      { "session", s.string("Its name. Default: the one in use.", { optional = true, minLength = 1, maxLength = 200 }) },
      { "last", s.integer("How many of its last calls.", { optional = true, minimum = 1, maximum = from_session.MOST,
        default = from_session.LAST }) },
      { "request", s.string("What was asked for: its values become parameters.", { optional = true, maxLength = 10000 }) },
    }, "In place of steps: the calls of a session that acted, and were not undone.", { optional = true }) },
    { "record", s.boolean("true, in place of steps: what the user, who is asked, does until Ctrl+Alt+Esc. The call takes "
      .. "as long.", { optional = true }) },
    { "parameters", writer.PARAMETERS },
    { "list", s.boolean("true: tools/list has it.", { optional = true }) },
  },
  outputSchema = s.object {
    { "name", s.string "As macros/ID." },
    { "file", s.string "Its path." },
    { "steps", s.array(s.object { { "line", s.integer() }, { "text", s.string() } }, "Its lines.") },
    { "notes", s.array(s.string(), "What is to be looked at in a recording.", { optional = true }) },
  },
  about        = { "nothing" },
  annotations  = { readOnlyHint = false, destructiveHint = false, idempotentHint = false, openWorldHint = false },
  listed       = false,
  timeout      = 3600,
  keeps        = true,  -- the refs
  codes        = codes,

  run = run,

  examples = {
    { "writes a file with a line for each call",
      given = { ["sys.engine.tool"] = { n = 0 },
                ["sys.engine.status"] = { roots = { "/usr/share/perigee/lua", "/mine" }, problems = {} },
                ["sys.policy.code"] = { n = 1, false }, ["sys.process.run"] = { code = 0, stdout = "", stderr = "" },
                ["sys.crypto.sha256"] = "d", ["sys.crypto.hex"] = "64",
                ["sys.console.reload"] = { added = {}, changed = {}, removed = {}, generation = 2 } },
      args  = { display_name = "Write a note", parameters = { { name = "text" } }, steps = {
        { tool = "open_application", arguments = { application = "Notes" } },
        { tool = "write_element_value", arguments = { element = "text", value = "${text}" } } } },
      has   = { "Wrote macros/write_a_note with 2 steps: /mine/tools/macros/write_a_note.lua" },
      want  = { name = "macros/write_a_note", steps = { { text = 'local notes = macro:open("Notes")' },
                                                        { text = 'notes:set("text", args.text)' } } } },
    { "does not replace another tool", given = { ["sys.engine.tool"] = { name = "act" } },
      args  = { display_name = "Act", steps = { { tool = "act" } } }, err = "There is a tool act already", code = "EXISTS" },
    { "names the step that cannot be one", given = { ["sys.engine.tool"] = { n = 0 } },
      args  = { display_name = "Press", steps = { { tool = "click_element", arguments = { element = "button" } } } },
      err   = "steps[1]: it names no application or window", code = "INVALID_ARGUMENT" },
  },
}
