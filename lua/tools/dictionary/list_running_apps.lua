--- The running applications, and which of them describe what they can do.

local fail    = require "desktop.fail"
local json    = require "sys.json"
local quoting = require "desktop.quoting"
local running = require "dictionary.running"
local s       = require "schema"


---@param _ table
---@param call Call
local function run(_, call)
  local list, err, code = running.list()
  if not list then return fail.with(err, code) end
  local apps = json.array {}
  local lines = { ("Found %d running application%s%s"):format(#list, #list == 1 and "" or "s", #list == 0 and "." or ":") }
  for i, one in ipairs(list) do
    local id = one.described and one.described.id or one.app.id:gsub("%.desktop$", "")
    apps[i] = json.object({ bundleId = id, name = one.app.name, pid = one.app.pid, active = one.app.active,
      scriptable = one.described ~= nil }, { "bundleId", "name", "pid", "active", "scriptable" })
    lines[i + 1] = ("- %s (%s), pid %d%s%s"):format(quoting.name(one.app.name), id ~= "" and quoting.plain(id) or "no ID",
      one.app.pid, one.app.active and ", active" or "", one.described and ", scriptable" or "")
  end
  return call:result { content = { { type = "text", text = table.concat(lines, "\n") } }, structuredContent = { apps = apps } }
end


---@type Tool
return {
  title        = "Running scriptable applications",
  description  = "List the running applications, and whether each describes what it can do. list_applications also has their "
              .. "windows.",
  inputSchema  = s.object {},
  outputSchema = s.object {
    { "apps", s.array(s.object {
      { "bundleId", s.string "Bundle ID, or on Linux the ID of its desktop entry; empty if it has none." },
      { "name", s.string "The name that users see." },
      { "pid", s.integer "Process ID." },
      { "active", s.boolean "True if it owns the focused window." },
      { "scriptable", s.boolean "True if get_app_capabilities has its commands." },
    }, "The active one first, then by name.") },
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  from        = "screen",
  listed      = false,
  codes       = fail.meanings(),

  about = { "every" },
  run = run,

  examples = {
    { "says which are scriptable",
      given = { ["sys.app.list"] = { { pid = 7, started = 1, name = "Mousepad", id = "org.xfce.mousepad.desktop", path = "",
                  icon = "", active = true, hidden = false, windows = 1 } },
                ["dictionary.library.apps"] = { { { id = "org.xfce.mousepad", name = "Mousepad", version = "",
                  source = "dbus" } } } },
      args  = {},
      has   = { "Found 1 running application:\n- Mousepad (org.xfce.mousepad), pid 7, active, scriptable" },
      want  = { apps = { { bundleId = "org.xfce.mousepad", name = "Mousepad", pid = 7, active = true, scriptable = true } } } },

    { "reports that there is no display",
      given = { ["sys.app.list"] = { n = 3, false, "the display server does not respond", "timeout" } },
      args  = {}, err = "does not respond", code = "TIMEOUT" },
  },
}
