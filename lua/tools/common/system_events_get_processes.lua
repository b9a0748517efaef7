--- List the applications that run.

local common    = require "common.told"
local json      = require "sys.json"
local processes = require "common.processes"
local s         = require "schema"


---@param _ table
---@param call Call
local function run(_, call)
  local list, err, code = processes.list()
  if not list then return nil, err, code end
  local lines = { ("%d application%s%s"):format(#list, #list == 1 and "" or "s", #list == 0 and "." or ":") }
  for i, each in ipairs(list) do
    lines[i + 1] = ("%s (%s), pid %d%s%s"):format(each.name, each.id ~= "" and each.id or "no ID", each.pid,
      each.frontmost and ", frontmost" or "", each.visible and "" or ", hidden")
  end
  return common.told(call, table.concat(lines, "\n"), { processes = json.array(list) })
end


---@type Tool
return {
  title        = "List processes",
  description  = "List the applications that run, the frontmost first, as System Events on a Mac reports them. list_applications "
              .. "also has their windows and the applications that are installed.",
  inputSchema  = s.object {},
  outputSchema = s.object {
    { "processes", s.array(s.object {
      { "name", s.string "Name that users see." },
      { "pid", s.integer "Process ID." },
      { "id", s.string "Bundle ID, or ID of the desktop entry; empty if it has none." },
      { "frontmost", s.boolean "True if it has the keyboard focus." },
      { "visible", s.boolean "True if a window of it may be seen." },
    }, "The frontmost first, then by name.") },
  },
  annotations  = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  from         = "screen",
  common       = "com.apple.systemevents",
  codes        = common.codes(),

  about = { "every" },
  run = run,

  examples = {
    { "reads what System Events says",
      given = { ["common.system.is_mac"] = true,
                ["sys.osascript.run"] = "9\31com.apple.TextEdit\31false\31true\31TextEdit\030"
                  .. "7\31\31true\31true\31Odd: name\030" },
      args  = {},
      has   = { "2 applications:\nOdd: name (no ID), pid 7, frontmost\nTextEdit (com.apple.TextEdit), pid 9" },
      want  = { processes = { { name = "Odd: name", pid = 7, id = "", frontmost = true, visible = true },
                              { name = "TextEdit", pid = 9, id = "com.apple.TextEdit", frontmost = false } } } },

    { "and elsewhere what the desktop says",
      given = { ["common.system.is_mac"] = false,
                ["sys.app.list"] = { { pid = 7, started = 1, name = "Mousepad", id = "org.xfce.mousepad.desktop", path = "",
                  icon = "", active = true, hidden = false, windows = 1 } } },
      args  = {},
      want  = { processes = { { name = "Mousepad", pid = 7, id = "org.xfce.mousepad", frontmost = true, visible = true } } } },
  },
}
