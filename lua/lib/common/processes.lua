--- The applications that run: by System Events on a Mac, elsewhere by sys.app.

local app     = require "sys.app"
local fail    = require "desktop.fail"
local quoting = require "desktop.quoting"
local script  = require "common.script"
local system  = require "common.system"

local M = {}

local ROW = "\30"     -- ends a process; "\31" is between its fields


---@class common.Process
---@field name string
---@field pid integer
---@field id string        the bundle ID, or that of the desktop entry; "" if it has none
---@field frontmost boolean
---@field visible boolean

local function of_row(row)
  local pid, id, front, shown, name = row:match "^(%d+)\31([^\31]*)\31(%a+)\31(%a+)\31(.*)$"
  return pid and { name = quoting.plain(name), pid = math.tointeger(tonumber(pid)), id = id, frontmost = front == "true",
    visible = shown == "true" }
end


local function of_system_events()
  local said, err, code = script.run("system_events_get_processes", {}, 25)
  if not said then return nil, err, code end
  local list = {}
  for i, row in ipairs(script.split(said, ROW)) do
    list[i] = of_row(row)
    if not list[i] then return script.strange("system_events_get_processes", row) end
  end
  return list
end


--- Returns the running applications, the frontmost first.
---@return common.Process[]? list
---@return string? err
---@return string? code
function M.list()
  local list, err, code
  if system.is_mac() then
    list, err, code = of_system_events()
    if not list then return nil, err, code end
  else
    local apps
    apps, err, code = app.list()
    if not apps then return fail.with(err, code) end
    list = {}
    for i, each in ipairs(apps) do
      list[i] = { name = quoting.plain(each.name), pid = each.pid, id = quoting.plain((each.id:gsub("%.desktop$", ""))),
        frontmost = each.active, visible = each.windows > 0 and not each.hidden }
    end
  end
  table.sort(list, function(a, b)
    if a.frontmost ~= b.frontmost then return a.frontmost end
    if a.name ~= b.name then return a.name < b.name end
    return a.pid < b.pid
  end)
  return list
end


return M
