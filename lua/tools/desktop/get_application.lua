--- One application, as it is now.

local apps  = require "desktop.apps"
local fail  = require "desktop.fail"
local names = require "desktop.names"
local s     = require "schema"


---@param args {name: string}
---@param call Call
local function run(args, call)
  local found, err, code = names.find_application(args.name)
  if not found then return fail.with(err, code) end
  apps.track(found)
  local facts = apps.facts(found)
  return call:result { content = { { type = "text", text = apps.line(facts) } }, structuredContent = facts }
end


---@type Tool
return {
  title        = "Get an application",
  description  = "Tell whether one application runs, its windows, id and program; it is tracked from then on.",
  inputSchema  = s.object { apps.name_parameter },
  outputSchema = apps.schema,
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  listed       = false,
  codes       = fail.told("AMBIGUOUS_APP_IDENTIFIER", "APP_NOT_FOUND", "INVALID_ARGUMENT"),

  run = run,

  examples = {
    { "tells its facts",
      given = { ["sys.app.get"] = {
          pid = 7, started = 1, name = "Text Editor", id = "org.perigee.TextEditor", path = "/usr/bin/edit", icon = "",
          active = true, hidden = false, windows = 2 } },
      args  = { name = "applications/7" },
      has   = { "applications/7  Text Editor (org.perigee.TextEditor), 2 windows, active, tracked" },
      want  = { name = "applications/7", display_name = "Text Editor", tracked = true },
      did   = { "app.get pid=7 started=0" } },

    { "says so when it has ended",
      given = { ["sys.app.get"] = { n = 3, false, "process 7 has ended", "app_not_found" } },
      args  = { name = "applications/7" },
      err   = "applications/7 has ended, or never ran: call list_applications",
      code  = "APP_NOT_FOUND" },
  },
}
