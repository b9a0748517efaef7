--- Applications as the tools report them, and the tracked ones among them.
--
-- An application is tracked once a tool has opened it or asked about it, until delete_application or until it ends.

local app     = require "sys.app"
local names   = require "desktop.names"
local quoting = require "desktop.quoting"
local s       = require "schema"
local state   = require "sys.state"

local M = {}


--- The schema of the result of M.facts().
M.schema = s.object({
  { "name", s.string("Resource name: applications/PID; absent if it is not running.", { optional = true }) },
  { "display_name", s.string "The name that users see." },
  { "id", s.string("Desktop entry or bundle ID.", { optional = true }) },
  { "path", s.string("Path of its program.", { optional = true }) },
  { "icon", s.string("Icon name in the icon theme, or the path of an icon.", { optional = true }) },
  { "pid", s.integer("Process ID.", { optional = true }) },
  { "active", s.boolean "True if it owns the focused window." },
  { "hidden", s.boolean "True if all its windows are minimized or hidden." },
  { "windows", s.integer "Number of windows." },
  { "tracked", s.boolean "True if these tools opened or looked up the application." },
}, "An application.")


--- The parameter of tools that do something with one running application.
M.parameter = { "application", s.also_called("name", s.string("Resource name, name or ID.",
  { minLength = 1, maxLength = 1024 })) }


-- --- tracking ------------------------------------------------------------------------

--- The start times of tracked processes, by process ID.
local function tracked()
  local mine = state.open "desktop"
  mine.tracked = mine.tracked or {}
  return mine.tracked
end


---@param which {pid: integer, started: integer}
function M.track(which)
  tracked()[which.pid] = which.started
end


---@param which {pid: integer, started: integer}
---@return boolean
function M.is_tracked(which)
  return which.pid ~= 0 and tracked()[which.pid] == which.started
end


--- Stops tracking. True if the process was tracked; it need not run anymore.
---@param pid integer
---@return boolean
function M.forget(pid)
  local was = tracked()[pid] ~= nil
  tracked()[pid] = nil
  return was
end


--- The tracked applications that run without a window. Forgets those that have ended.
---@param listed sys.app.App[]  the applications with windows
---@return sys.app.App[]
function M.windowless(listed)
  local shown, found = {}, {}
  for _, a in ipairs(listed) do shown[a.pid] = true end
  for pid, started in pairs(tracked()) do
    if not shown[pid] then
      local a, _, code = app.get { pid = pid, started = started }
      if a then found[#found + 1] = a end
      if code == "app_not_found" then tracked()[pid] = nil end
    end
  end
  table.sort(found, function(a, b) return a.pid < b.pid end)
  return found
end


-- --- words ----------------------------------------------------------------------------

local function filled(text)
  return text ~= "" and quoting.plain(text) or nil
end


---@param a sys.app.App
---@return table
function M.facts(a)
  local runs = a.pid ~= 0
  return {
    name         = runs and names.application(a) or nil,
    display_name = quoting.plain(a.name),
    id           = filled(a.id),
    path         = filled(a.path),
    icon         = filled(a.icon),
    pid          = runs and a.pid or nil,
    active       = a.active,
    hidden       = a.hidden,
    windows      = a.windows,
    tracked      = M.is_tracked(a),
  }
end


--- "Text Editor (applications/12), org.perigee.TextEditor, 2 windows, active"
---@param facts table  the result of M.facts()
---@return string
function M.line(facts)
  local parts = { quoting.name(facts.display_name) }
  if facts.name then parts[1] = ("%s (%s)"):format(parts[1], facts.name) end
  parts[2] = facts.id and quoting.name(facts.id)
  if facts.name then parts[#parts + 1] = ("%d window%s"):format(facts.windows, facts.windows == 1 and "" or "s") end
  for _, key in ipairs { "active", "hidden", "tracked" } do
    if facts[key] then parts[#parts + 1] = key end
  end
  return table.concat(parts, ", ")
end


return M
