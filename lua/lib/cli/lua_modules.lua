--- The modules that Lua can require, in the groups of the reference.

local files = require "sys.files"

local M = {}


---@class cli.Group
---@field title string
---@field about? string
---@field [integer] string  names of modules

local GROUPS = {
  { title = "The desktop", "sys.window", "sys.app", "sys.display", "sys.element", "sys.input", "sys.hotkey", "sys.clipboard",
    "sys.screen", "sys.ocr", "sys.picture", "sys.notify", "sys.menu", "sys.idle", "sys.power", "sys.awake", "sys.audio",
    "sys.permission", "sys.desktop" },
  { title = "Files, programs and networks", "sys.fs", "sys.app_files", "sys.path", "sys.process", "sys.http", "sys.webhook",
    "sys.mime", "sys.smtp", "sys.mcp", "sys.dbus", "sys.osascript", "sys.env", "sys.secrets" },
  { title = "Text and data", "sys.text", "sys.regex", "sys.json", "sys.csv", "sys.xml", "sys.url", "sys.crypto", "inspect",
    "schema" },
  { title = "Time and tasks", "sys.time", "sys.date", "sys.duration", "sys.ics", "sys.task", "handles", "events.source" },
  { title = "State and tools", "tools", "perigee", "sys.store", "sys.state", "sys.log", "observe", "agent" },
}

--- Modules that exist only for the objects that other functions return.
M.ONLY_TYPES = { handles = true, ["events.source"] = true }

M.MORE = "More"   -- the title of the modules that are in no group

local INSIDE = {
  title = "Inside", about = "What the files that come with Perigee use. They can change from version to version.", "sys.audit",
  "sys.console", "sys.engine", "sys.events", "sys.files", "sys.gateway", "sys.loopback", "sys.packs", "sys.picture_file",
  "sys.policy", "sys.python", "sys.taint", "sys.terminal", "sys.trace",
}


--- The modules of a group that this build has.
local function present(group, left)
  local list = { title = group.title, about = group.about }
  for _, name in ipairs(group) do
    if left[name] or not name:find "^sys%." then list[#list + 1] = name end
    left[name] = nil
  end
  return list
end


--- All groups, with the modules that this build has. A module of sys that no group names belongs to "More".
---@return cli.Group[]
function M.groups()
  local left, groups = {}, {}
  for _, name in ipairs(files.modules()) do left[name] = true end
  for i, group in ipairs(GROUPS) do groups[i] = present(group, left) end
  local inside, more = present(INSIDE, left), { title = M.MORE }
  for name in pairs(left) do more[#more + 1] = name end
  table.sort(more)
  if #more > 0 then groups[#groups + 1] = more end
  groups[#groups + 1] = inside
  return groups
end


---@return string[] names
function M.names()
  local names = {}
  for _, group in ipairs(M.groups()) do table.move(group, 1, #group, #names + 1, names) end
  return names
end


return M
