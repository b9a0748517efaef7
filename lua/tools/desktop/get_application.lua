--- One application, as it is now.

local apps       = require "desktop.apps"
local beginnings = require "desktop.beginnings"
local fail       = require "desktop.fail"
local names      = require "desktop.names"
local s          = require "schema"


---@param args {application: string}
---@param call Call
local function run(args, call)
  local found, err, code = names.find_application(args.application)
  if not found then return fail.with(err, code) end
  apps.track(found)
  local facts = apps.facts(found)
  return call:result { content = { { type = "text", text = apps.line(facts) } }, structuredContent = facts }
end


---@type Tool
return {
  title        = "Get an application",
  description  = "Get one running application's ID, program and number of windows. For all of them, use list_applications. The "
              .. "application is tracked from then on: list_applications shows it even when it has no windows.",
  inputSchema  = s.object { apps.parameter },
  outputSchema = apps.schema,
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  listed       = false,
  codes       = fail.meanings("AMBIGUOUS_APP_IDENTIFIER", "APP_NOT_FOUND", "INVALID_ARGUMENT"),

  about = { application = "application" },
  run = beginnings.run(run),

  examples = {
    { "reports its facts",
      given = { ["sys.app.get"] = {
          pid = 7, started = 1, name = "Text Editor", id = "org.perigee.TextEditor", path = "/usr/bin/edit", icon = "",
          active = true, hidden = false, windows = 2 } },
      args  = { application = "applications/7" },
      has   = { "Text Editor (applications/7), org.perigee.TextEditor, 2 windows, active, tracked" },
      want  = { name = "applications/7", display_name = "Text Editor", tracked = true },
      did   = { "app.get pid=7 started=0" } },

    { "reports that it has exited",
      given = { ["sys.app.get"] = { n = 3, false, "process 7 has exited", "app_not_found" } },
      args  = { application = "applications/7" },
      err   = "applications/7 has exited or never existed. Call list_applications",
      code  = "APP_NOT_FOUND" },
  },
}
