--- Removes a macro.

local s     = require "schema"
local shelf = require "macros.shelf"


---@param args {name: string}
local function run(args)
  local found, err, code = shelf.find(args.name)
  if not found then return nil, err, code end
  local ok
  ok, err, code = shelf.remove(found)
  if not ok then return nil, err, code end
  return { name = found.name, file = found.path }
end


local GIVEN = {
  ["sys.engine.status"] = { roots = { "/usr/share/perigee/lua", "/mine" }, problems = {} },
  ["sys.files.list"] = { { kind = "tool", name = "note", toolset = "macros", root = "/mine", label = "tools/macros/note.lua",
                           path = "/mine/tools/macros/note.lua" } },
  ["sys.process.run"] = { code = 0, stdout = "", stderr = "" },
  ["sys.console.reload"] = { added = {}, changed = {}, removed = {}, generation = 2 },
}

---@type Tool
return {
  title        = "Delete a macro",
  description  = "Delete a macro: its file, what was recorded of its targets, and the state of its last run. The user may be "
              .. "asked.",
  inputSchema  = s.object {
    { "name", s.also_called("macro", s.string("As macros/ID or ID.", { minLength = 1, maxLength = 200 })) },
  },
  outputSchema = s.object { { "name", s.string() }, { "file", s.string "The path that it had." } },
  about        = { "nothing" },
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = true, openWorldHint = false },
  listed       = false,
  codes        = { MACRO_NOT_FOUND = shelf.CODES.MACRO_NOT_FOUND, WRITE_FAILED = shelf.CODES.WRITE_FAILED },

  run = run,

  examples = {
    { "removes the file, its record and its pictures", given = GIVEN, args = { name = "macros/note" },
      want = { name = "macros/note", file = "/mine/tools/macros/note.lua" },
      did  = { "engine.status", "files.list", "process.run rm -rf -- /mine/tools/macros/note.steps "
               .. "/mine/tools/macros/note.steps.json /mine/tools/macros/note.lua", "console.reload" } },
    { "names the nearest", given = GIVEN, args = { name = "nota" }, err = "did you mean note?", code = "MACRO_NOT_FOUND" },
  },
}
