--- Find commands of applications by what they do.

local example_text = require "dictionary.example_text"
local json         = require "sys.json"
local library      = require "dictionary.library"
local lookup       = require "dictionary.lookup"
local s            = require "schema"

local KEYS = { "bundleId", "app", "kind", "command", "description", "args", "score", "example", "checked" }


local function result(found)
  return json.object({ bundleId = found.id, app = found.app, kind = found.kind, command = found.name,
    description = found.description, args = json.array(found.args), score = math.floor(found.score * 100 + 0.5) / 100,
    example = found.example and example_text.of(found.example, found.id), checked = found.checked }, KEYS)
end


---@param args {query: string, appBundleId?: string, limit?: integer}
local function run(args)
  if not args.query:find "%S" then
    return nil, "The query is empty. Describe in a few words what the command should do.", "bad_argument"
  end
  local app, err, code
  if args.appBundleId then
    app, err, code = library.find(args.appBundleId)
    if not app then return nil, err, code end
  end
  local found, problems = lookup.search(args.query, { app = app and app.id, limit = args.limit or 10 })
  local results = json.array {}
  for i, one in ipairs(found) do results[i] = result(one) end
  return json.object({ results = results, problems = #problems > 0 and json.array(problems) or nil }, { "results", "problems" })
end


---@type Tool
return {
  title        = "Search commands",
  description  = "Search the commands, properties and actions of all applications by what they do, best match first. Pass "
              .. "appBundleId if you know the application. Run a result with execute_applescript, or on Linux with call_dbus; "
              .. "example shows how.",
  inputSchema  = s.object {
    { "query", s.string("What the command should do, in a few words.", { maxLength = 1000 }) },
    { "appBundleId", s.string("Search one application: its bundle ID, ID or name, as discover_apps lists it.",
      { optional = true, minLength = 1, maxLength = 300 }) },
    { "limit", s.integer("Maximum number of results.", { optional = true, minimum = 1, maximum = 100, default = 10 }) },
  },
  outputSchema = s.object {
    { "results", s.array(s.object {
      { "bundleId", s.string("The application.") },
      { "app", s.string("Its name.") },
      { "kind", s.enum({ "command", "property", "action" }, "A property is read or set: class.property.") },
      { "command", s.string("Its name, as a script or call_dbus uses it.") },
      { "description", s.string("Empty if the dictionary has none.") },
      { "args", s.array(s.string(), "In calling order; optional ones in brackets.") },
      { "score", s.number("Only the order means something.") },
      { "example", s.string("A script that does a similar task, or arguments of call_dbus.", { optional = true }) },
      { "checked", s.enum({ "dictionary", "structure" }, "How the example was checked: against the application's dictionary, or "
        .. "only its form.", { optional = true }) },
    }) },
    { "problems", s.array(s.string(), "Dictionaries and files of examples that cannot be read.", { optional = true }) },
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  from        = "file",
  listed      = false,
  codes       = { bad_argument = "The query is empty.",
                  not_found    = "No such application describes itself; the message has the nearest IDs." },

  about = { appBundleId = "application" },
  run   = run,

  examples = {
    { "finds a command of Finder",
      given = { ["dictionary.lookup.search"] = { n = 2,
        { { id = "com.apple.finder", app = "Finder", kind = "command", name = "make", score = 21.004,
            description = "Make a new element", args = { "new type", "at location specifier" },
            checked = "dictionary", example = { script = 'tell application "Finder" to make new folder at desktop' } } }, {} } },
      args  = { query = "make a new folder" },
      want  = { results = { { bundleId = "com.apple.finder", app = "Finder", kind = "command", command = "make", score = 21,
        description = "Make a new element", args = { "new type", "at location specifier" },
        checked = "dictionary", example = 'tell application "Finder" to make new folder at desktop' } } } },

    { "rejects an empty query",
      args  = { query = " " },
      err   = "Describe in a few words what the command should do.", code = "bad_argument" },
  },
}
