--- The applications that describe what they can do.

local json    = require "sys.json"
local library = require "dictionary.library"
local pages   = require "desktop.pages"
local quoting = require "desktop.quoting"
local s       = require "schema"
local views   = require "dictionary.views"


local function matches(app, query)
  query = query:lower()
  return app.name:lower():find(query, 1, true) ~= nil or app.id:lower():find(query, 1, true) ~= nil
end


local function line(app)
  return ("- %s (%s)%s, %s"):format(quoting.name(app.name), quoting.plain(app.id),
    app.version ~= "" and " " .. quoting.plain(app.version) or "", app.source)
end


---@param args {query?: string, page_size?: integer, page_token?: string}
---@param call Call
local function run(args, call)
  local found = {}
  for _, app in ipairs(library.apps()) do
    if not args.query or matches(app, args.query) then found[#found + 1] = app end
  end
  local page, token, code = pages.cut(found, args, "id")
  if not page then return nil, token, code end
  local lines = { ("Found %d scriptable application%s%s"):format(#found, #found == 1 and "" or "s", #found == 0 and "." or ":") }
  local apps = json.array {}
  for i, app in ipairs(page) do
    lines[#lines + 1] = line(app)
    apps[i] = views.entry(app)
  end
  return call:result {
    content = { { type = "text", text = pages.text(table.concat(lines, "\n"), page, #found, token) } },
    structuredContent = json.object({ apps = apps, total = #found, next_page_token = token }, { "apps", "total" }),
  }
end


---@type Tool
return {
  title        = "Discover applications",
  description  = "Find scriptable applications. They describe what they can do by an AppleScript dictionary or App Intents on a "
              .. "Mac, over D-Bus on Linux. Then call get_app_capabilities for one, or search_commands. Nothing is started.",
  inputSchema  = s.object {
    { "query", s.string("Only applications whose name or ID contains this text.",
      { optional = true, minLength = 1, maxLength = 200 }) },
    table.unpack(pages.parameters()),
  },
  outputSchema = s.object {
    { "apps", s.array(s.object {
      { "bundleId", s.string "Bundle ID; on Linux the ID of its desktop entry, or its name on the bus." },
      { "name", s.string "Its name for people." },
      { "version", s.string "Its version; empty if it is not known." },
      { "source", s.enum({ "sdef", "intents", "dbus", "desktop" }, "What describes it.") },
    }, "By name.") },
    { "total", s.integer "Number of applications on all pages." },
    { "next_page_token", s.string("Pass it as page_token for the next page.", { optional = true }) },
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  from        = "file",
  listed      = false,

  about = { "nothing" },
  run = run,

  examples = {
    { "lists them by name",
      given = { ["dictionary.library.apps"] = { { { id = "com.apple.finder", name = "Finder", version = "14.1",
                                                  source = "sdef" } } } },
      args  = {},
      has   = { "Found 1 scriptable application:\n- Finder (com.apple.finder) 14.1, sdef" },
      want  = { apps = { { bundleId = "com.apple.finder", name = "Finder", version = "14.1" } }, total = 1 } },

    { "finds some by a part of the name",
      given = { ["dictionary.library.apps"] = { { { id = "com.apple.finder", name = "Finder", version = "", source = "sdef" },
                                                { id = "com.apple.mail", name = "Mail", version = "", source = "sdef" } } } },
      args  = { query = "mai" },
      want  = { apps = { { bundleId = "com.apple.mail" } }, total = 1 } },
  },
}
