--- Lists the macros.

local fail  = require "desktop.fail"
local json  = require "sys.json"
local pages = require "desktop.pages"
local s     = require "schema"
local shelf = require "macros.shelf"


local function line(facts)
  local wrong = facts.problem and (" (does not load: %s)"):format(facts.problem) or ""
  return ("- %s (%s)%s"):format(facts.display_name, facts.name, wrong)
end


---@param args {page_size?: integer, page_token?: string}
---@param call Call
local function run(args, call)
  local all = {}
  for i, found in ipairs(shelf.all()) do all[i] = shelf.facts(found) end
  local page, token, code = pages.cut(all, args)
  if not page then return fail.with(token, code) end
  local lines = { pages.found(#all, "macro") }
  for i, facts in ipairs(page) do lines[i + 1] = line(facts) end
  return call:result {
    content = { { type = "text", text = pages.text(table.concat(lines, "\n"), page, #all, token) } },
    structuredContent = { macros = json.array(page), total_size = #all, next_page_token = token },
  }
end


local function given(problems)
  return { ["sys.engine.status"] = { roots = { "/usr/share/perigee/lua", "/mine" }, problems = problems },
    ["sys.files.list"] = { { kind = "tool", name = "note", toolset = "macros", root = "/mine", label = "tools/macros/note.lua",
                             path = "/mine/tools/macros/note.lua" },
                           { kind = "tool", name = "dice", toolset = "mine", root = "/mine", label = "tools/mine/dice.lua",
                             path = "/mine/tools/mine/dice.lua" } },
    ["sys.files.table"] = { title = "A note", description = "Write a note.", inputSchema = {}, listed = false,
                            _meta = { ["perigee/macro"] = { tags = { "text" } } } } }
end

---@type Tool
return {
  title        = "List macros",
  description  = "List the user's macros: tasks in applications that execute_macro does step by step. get_macro has the "
              .. "parameters and steps of one.",
  inputSchema  = s.object(pages.parameters()),
  outputSchema = s.object {
    { "macros", s.array(s.object {
      { "name", s.string "As macros/ID." }, { "display_name", s.string() }, { "description", s.string() },
      { "tags", s.array(s.string(), "Words to find it by.") }, { "listed", s.boolean "tools/list has it." },
      { "file", s.string() }, { "problem", s.string("Why its file does not load.", { optional = true }) },
    }, "By name.") },
    table.unpack(pages.results()),
  },
  about        = { "nothing" },
  annotations  = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  listed       = false,
  codes        = { INVALID_ARGUMENT = "page_token is not one of this tool." },

  run = run,

  examples = {
    { "lists files of tools/macros", given = given {}, args = {}, has = { "Found 1 macro:\n- A note (macros/note)" },
      want = { macros = { { name = "macros/note", display_name = "A note", tags = { "text" } } }, total_size = 1 } },
    { "says which does not load",
      given = given { { file = "/mine/tools/macros/note.lua", message = "note.lua:3: '=' expected", kept = true } }, args = {},
      has   = { "does not load: note.lua:3: '=' expected" }, want = { macros = { { problem = "note.lua:3: '=' expected" } } } },
  },
}
