--- Stop tracking an application without quitting it.

local apps       = require "desktop.apps"
local beginnings = require "desktop.beginnings"
local fail       = require "desktop.fail"
local names      = require "desktop.names"
local s          = require "schema"


--- The process ID. The application need not run anymore.
local function pid_of(name)
  local parsed = names.parse(name)
  if parsed and parsed.kind == "application" then return parsed.pid end
  local found, err, code = names.find_application(name)
  if not found then return nil, err, code end
  return found.pid
end


---@param args {application: string}
---@param call Call
local function run(args, call)
  local pid, err, code = pid_of(args.application)
  if not pid then return fail.with(err, code) end
  local name = ("applications/%d"):format(pid)
  if not apps.forget(pid) then
    return fail.with(("%s is not tracked. Call list_applications to see the tracked applications."):format(name),
      "app_not_found")
  end
  return call:result {
    content = { { type = "text", text = ("%s is no longer tracked. It keeps running."):format(name) } },
    structuredContent = { name = name, tracked = false },
  }
end


---@type Tool
return {
  title        = "Stop tracking an application",
  description  = "Stop tracking an application without quitting it. To quit it, use quit_application.",
  inputSchema  = s.object { apps.parameter },
  outputSchema = s.object { { "name", s.string "Resource name." }, { "tracked", s.boolean "Always false." } },
  annotations = { readOnlyHint = false, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  listed       = false,

  about = { application = "application" },
  run = beginnings.run(run),

  examples = {
    { "refuses one that is not tracked",
      args = { application = "applications/7" },
      err  = "applications/7 is not tracked. Call list_applications to see the tracked applications.",
      code = "APP_NOT_FOUND" },
    { "forgets one that runs on", given = { ["desktop.apps.forget"] = true }, args = { application = "applications/7" },
      has  = { "applications/7 is no longer tracked. It keeps running." }, want = { name = "applications/7", tracked = false } },
  },
}
