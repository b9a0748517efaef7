--- Changes a macro that was made by create_macro.

local given  = require "macros.given"
local s      = require "schema"
local shelf  = require "macros.shelf"
local writer = require "macros.writer"

local PARTS = { "display_name", "description", "tags", "steps", "parameters", "list" }
local FAILS = { "INVALID_ARGUMENT", "MACRO_EDITED", "MACRO_NOT_FOUND", "WRITE_FAILED" }


--- The calls that the macro was made of. One that was edited by hand is only replaced as a whole.
local function source_of(found, args)
  local source = shelf.source(found)
  if source then return source end
  if args.replace and args.steps then
    local facts = shelf.facts(found)
    return { id = found.id, display_name = facts.display_name, description = facts.description, tags = facts.tags,
      list = facts.listed }
  end
  return nil, ("%s was written or edited by hand, and is left as it is. Edit the file %s, or pass all steps and replace=true")
    :format(found.name, found.path), "MACRO_EDITED"
end


---@param args {name: string, steps?: macros.Given[], replace?: boolean}
---@param call Call
local function run(args, call)
  local found, err, code = shelf.find(args.name)
  if not found then return nil, err, code end
  local source
  source, err, code = source_of(found, args)
  if not source then return nil, err, code end
  local ok
  ok, err, code = given.lasting(args.steps or {})
  if not ok then return nil, err, code end
  for _, part in ipairs(PARTS) do
    if args[part] ~= nil then source[part] = args[part] end
  end
  local text, path
  text, err, code = writer.text(source)
  if not text then return nil, err, code end
  path, err, code = shelf.save(found.id, text, source, { path = found.path })
  if not path then return nil, err, code end
  local facts = { name = found.name, file = path, steps = shelf.steps(text) }
  return call:result { structuredContent = facts,
    content = { { type = "text", text = shelf.wrote(facts) } } }
end


local codes = {}
for _, code in ipairs(FAILS) do codes[code] = shelf.CODES[code] end

local GIVEN = {
  ["sys.engine.status"] = { roots = { "/usr/share/perigee/lua", "/mine" }, problems = {} },
  ["sys.files.list"] = { { kind = "tool", name = "note", toolset = "macros", root = "/mine", label = "tools/macros/note.lua",
                           path = "/mine/tools/macros/note.lua" } },
  ["sys.files.table"] = { title = "A note", description = "Write a note.", inputSchema = {} },
  ["sys.process.run"] = { code = 0, stdout = "", stderr = "" },
  ["sys.crypto.sha256"] = "d", ["sys.crypto.hex"] = "64",
  ["sys.console.reload"] = { added = {}, changed = {}, removed = {}, generation = 2 },
  ["sys.policy.code"] = function(path)
    return path:find "json$" and '{"format":1,"steps":[],"made":{"hash":"64","source":{"id":"note","display_name":"A note",'
      .. '"steps":[{"tool":"open_application","arguments":{"application":"Notes"}}]}}}' or "text"
  end,
}

local function edited()
  local all = {}
  for name, value in pairs(GIVEN) do all[name] = value end
  all["sys.policy.code"] = { n = 1, false }
  return all
end

---@type Tool
return {
  title        = "Update a macro",
  description  = "Change the title, description, tags, parameters or steps of a macro. What you leave out stays. A file that the "
              .. "user edited is not changed unless you pass all steps and replace. The user may be asked.",
  inputSchema  = s.object {
    { "name", s.also_called("macro", s.string("As macros/ID or ID.", { minLength = 1, maxLength = 200 })) },
    { "display_name", s.string("Title for people.", { optional = true, minLength = 1, maxLength = 100 }) },
    { "description", s.string("What it does.", { optional = true, maxLength = 400 }) },
    { "tags", s.array(s.string(nil, { minLength = 1, maxLength = 40 }), "Words to find it by.",
      { optional = true, maxItems = 20 }) },
    { "steps", s.array(writer.STEPS.items, "All calls of tools, as for create_macro.",
      { optional = true, minItems = 1, maxItems = 200 }) },
    { "parameters", writer.PARAMETERS },
    { "list", s.boolean("true: tools/list has it.", { optional = true }) },
    { "replace", s.boolean("Replaces a file that was edited by hand.", { optional = true }) },
  },
  outputSchema = s.object {
    { "name", s.string "As macros/ID." },
    { "file", s.string "Its path." },
    { "steps", s.array(s.object { { "line", s.integer() }, { "text", s.string() } }, "Its lines.") },
  },
  about        = { "nothing" },
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = true, openWorldHint = false },
  listed       = false,
  keeps        = true,  -- the refs
  codes        = codes,

  run = run,

  examples = {
    { "writes the file again, with what is new", given = GIVEN, args = { name = "note", display_name = "Open the notes" },
      has = { "Wrote macros/note with 1 step: " }, want = { steps = { { text = 'local notes = macro:open("Notes")' } } } },
    { "leaves a file that was edited", given = edited(), args = { name = "note", description = "Other." },
      err = "was written or edited by hand, and is left as it is", code = "MACRO_EDITED" },
  },
}
