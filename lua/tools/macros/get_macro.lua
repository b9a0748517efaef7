--- Shows a macro: its parameters and steps.

local s     = require "schema"
local shelf = require "macros.shelf"


local function parameter_line(parameter)
  local default = parameter.default ~= nil and (", default %s"):format(tostring(parameter.default)) or ""
  return ("- %s (%s%s%s): %s"):format(parameter.name, parameter.type, parameter.required and ", required" or "", default,
    parameter.description or "")
end


local function text_of(facts)
  local lines = { ("%s (%s)\n%s\nFile: %s"):format(facts.display_name, facts.name, facts.description, facts.file) }
  if facts.problem then lines[#lines + 1] = "It does not load: " .. facts.problem end
  lines[#lines + 1] = #facts.parameters > 0 and "Parameters:" or nil
  for _, parameter in ipairs(facts.parameters) do lines[#lines + 1] = parameter_line(parameter) end
  lines[#lines + 1] = "Steps:"
  for _, step in ipairs(facts.steps) do lines[#lines + 1] = ("%d: %s"):format(step.line, step.text) end
  return table.concat(lines, "\n")
end


---@param args {name: string}
---@param call Call
local function run(args, call)
  local found, err, code = shelf.find(args.name)
  if not found then return nil, err, code end
  local facts = shelf.whole(found)
  return call:result { content = { { type = "text", text = text_of(facts) } }, structuredContent = facts }
end


local GIVEN = {
  ["sys.engine.status"] = { roots = { "/usr/share/perigee/lua", "/mine" }, problems = {} },
  ["sys.files.list"] = { { kind = "tool", name = "note", toolset = "macros", root = "/mine", label = "tools/macros/note.lua",
                           path = "/mine/tools/macros/note.lua" } },
  ["sys.files.table"] = { title = "A note", description = "Write a note.",
    inputSchema = s.object { { "text", s.string "What to write." }, { "resume_from", s.string(nil, { optional = true }) } } },
  ["sys.policy.code"] = 'local function run(args, macro)\n  local note = macro:open("Notes")\n  note:set("text", args.text)\nend',
}

---@type Tool
return {
  title        = "Get a macro",
  description  = "Show one macro: its parameters, steps and file, and where its last run stopped. execute_macro runs it "
              .. "with values for the parameters.",
  inputSchema  = s.object {
    { "name", s.also_called("macro", s.string("As macros/ID or ID.", { minLength = 1, maxLength = 200 })) },
  },
  outputSchema = s.object {
    { "name", s.string "As macros/ID." }, { "display_name", s.string() }, { "description", s.string() },
    { "tags", s.array(s.string(), "Words to find it by.") }, { "listed", s.boolean "tools/list has it." },
    { "file", s.string() }, { "problem", s.string("Why its file does not load.", { optional = true }) },
    { "parameters", s.array(s.object {
      { "name", s.string() }, { "type", s.string() }, { "description", s.string(nil, { optional = true }) },
      { "default", s.any("", { optional = true }) }, { "required", s.boolean() },
    }, "By name.") },
    { "steps", s.array(s.object { { "line", s.integer() }, { "text", s.string() } }, "Its lines.") },
    { "stopped_at", s.object({
      { "step", s.integer() }, { "row", s.integer(nil, { optional = true }) },
      { "unconfirmed", s.boolean "It was sent, and its effect was not seen." },
    }, "Where its last run stopped.", { optional = true }) },
  },
  about        = { "nothing" },
  annotations  = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  listed       = false,
  codes        = { MACRO_NOT_FOUND = shelf.CODES.MACRO_NOT_FOUND },

  run = run,

  examples = {
    { "shows parameters and steps", given = GIVEN, args = { name = "macros/note" },
      has   = { "- text (string, required): What to write.", 'Steps:\n2: local note = macro:open("Notes")\n3: note:set("text"' },
      want  = { parameters = { { name = "text", required = true } }, steps = { { line = 2 }, { line = 3 } } } },
    { "names the nearest", given = GIVEN, args = { name = "nota" }, err = "did you mean note?", code = "MACRO_NOT_FOUND" },
  },
}
