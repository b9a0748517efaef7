--- Details of one application that describes itself.

local json    = require "sys.json"
local library = require "dictionary.library"
local running = require "dictionary.running"
local s       = require "schema"
local views   = require "dictionary.views"


--- The names of the suites that are not hidden, and the numbers of commands and classes in them.
local function counts_of(model)
  local suites, commands, classes = json.array {}, 0, 0
  for _, suite in ipairs(model.suites) do
    if not suite.hidden then
      suites[#suites + 1] = suite.name or ""
      for _, command in ipairs(suite.commands) do commands = commands + (command.hidden and 0 or 1) end
      for _, class in ipairs(suite.classes) do classes = classes + (class.hidden and 0 or 1) end
    end
  end
  return suites, commands, classes
end


---@param args {appBundleId: string}
local function run(args)
  local app, err, code = library.find(args.appBundleId)
  if not app then return nil, err, code end
  local model
  model, err, code = library.model(app)
  if not model then return nil, err, code end
  local suites, commands, classes = counts_of(model)
  return json.object({ bundleId = app.id, name = app.name, version = app.version, path = app.path,
    running = running.is(app), scriptable = true, suites = suites, commands = commands, classes = classes, uri = views.uri(app),
    source = app.source, notes = #model.notes > 0 and json.array(model.notes) or nil },
    { "bundleId", "name", "version", "path", "running", "scriptable", "suites", "commands", "classes", "uri", "source" })
end


---@type Tool
return {
  title        = "Application details",
  description  = "Get details of a scriptable application. These are its version, whether it runs, and how much its dictionary "
              .. "has. get_app_capabilities has the commands.",
  inputSchema  = s.object {
    { "appBundleId", s.string("Its bundle ID, ID or name, as discover_apps lists it.", { minLength = 1, maxLength = 300 }) },
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  from        = "file",
  listed      = false,
  codes       = { not_found = "No such application describes itself; the message has the nearest IDs." },

  about = { appBundleId = "application" },
  run = run,

  examples = {
    { "counts what its dictionary has",
      given = { ["dictionary.library.find"] = { id = "com.apple.finder", name = "Finder", version = "14.1", source = "sdef" },
                ["dictionary.running.is"] = true,
                ["dictionary.library.model"] = { notes = {}, suites = { { name = "Finder Basics", classes = { { name = "file" } },
                  commands = { { name = "empty" }, { name = "erase", hidden = true } } } } } },
      args  = { appBundleId = "com.apple.finder" },
      want  = { name = "Finder", running = true, scriptable = true, suites = { "Finder Basics" }, commands = 1, classes = 1,
                uri = "osa://apps/com.apple.finder/dictionary" } },

    { "names the nearest",
      given = { ["dictionary.library.find"] = { n = 3, false, "No application; did you mean com.apple.finder?", "not_found" } },
      args  = { appBundleId = "com.apple.findr" },
      err   = "did you mean com.apple.finder?", code = "not_found" },
  },
}
