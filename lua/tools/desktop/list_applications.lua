--- The running applications, or those that can be opened.

local app     = require "sys.app"
local apps    = require "desktop.apps"
local fail    = require "desktop.fail"
local json    = require "sys.json"
local match   = require "desktop.match"
local pages   = require "desktop.pages"
local quoting = require "desktop.quoting"
local s       = require "schema"


local function matches(facts, query)
  query = quoting.plain(query:lower())
  return facts.display_name:lower():find(query, 1, true) ~= nil
    or (facts.id or ""):lower():find(query, 1, true) ~= nil
end


--- The applications that the system knows, then tracked ones that it does not know.
local function gather(args)
  local found, err, code
  if args.installed then found, err, code = app.installed() else found, err, code = app.list() end
  if not found then return nil, err, code end
  local all = {}
  local function add(list)
    for _, a in ipairs(list) do
      local facts = apps.facts(a)
      if not args.query or matches(facts, args.query) then all[#all + 1] = facts end
    end
  end
  add(found)
  if not args.installed then add(apps.windowless(found)) end
  return all
end


local function text_of(page, total, args)
  local lines = { pages.found(total, args.installed and "installed application" or "application") }
  for _, facts in ipairs(page) do lines[#lines + 1] = "- " .. apps.line(facts) end
  if total == 0 and args.query then
    lines[2] = ("No %s application has %s in its name or ID."):format(args.installed and "installed" or "running",
      match.quoted(args.query))
  end
  return table.concat(lines, "\n")
end


---@param args {installed?: boolean, query?: string, page_size?: integer, page_token?: string}
---@param call Call
local function run(args, call)
  local all, err, code = gather(args)
  if not all then return fail.with(err, code) end
  local page, token
  page, token, code = pages.cut(all, args, args.installed and "id" or "name")
  if not page then return fail.with(token, code) end
  local text = pages.text(text_of(page, #all, args), page, #all, token)
  return call:result {
    content = { { type = "text", text = text } },
    structuredContent = { applications = json.array(page), total_size = #all, next_page_token = token },
  }
end


---@type Tool
return {
  title        = "List applications",
  description  = "List running applications, or with installed=true those open_application can start. Pass a "
              .. "resource name from the result to the other application tools. Prefer it to list.",
  inputSchema  = s.object {
    { "installed", s.boolean("List installed applications instead of running ones.", { optional = true }) },
    { "query", s.string("Only applications whose name or ID contains this text.",
      { optional = true, minLength = 1, maxLength = 200 }) },
    table.unpack(pages.parameters()),
  },
  outputSchema = s.object {
    { "applications", s.array(apps.schema, "The active one first, then by name.") },
    table.unpack(pages.results()),
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  codes       = fail.meanings("INVALID_ARGUMENT"),

  about = { "every" },
  run = run,

  examples = {
    { "lists the running ones",
      given = { ["sys.app.list"] = { {
          pid = 7, started = 1, name = "Text Editor", id = "org.perigee.TextEditor", path = "/usr/bin/edit", icon = "",
          active = true, hidden = false, windows = 2 } } },
      args  = {},
      has   = { "Found 1 application:\n- Text Editor (applications/7), org.perigee.TextEditor, 2 windows, active" },
      want  = { applications = { { name = "applications/7", tracked = false } }, total_size = 1 } },

    { "finds one that can be opened",
      given = { ["sys.app.installed"] = {
        { pid = 0, started = 0, name = "Calculator", id = "org.gnome.Calculator", path = "", icon = "calc",
          active = false, hidden = false, windows = 0 },
        { pid = 0, started = 0, name = "Clocks", id = "org.gnome.clocks", path = "", icon = "",
          active = false, hidden = false, windows = 0 },
      } },
      args  = { installed = true, query = "calc" },
      has   = { "Found 1 installed application:\n- Calculator, org.gnome.Calculator" },
      want  = { applications = { { display_name = "Calculator", id = "org.gnome.Calculator", icon = "calc" } } } },
  },
}
