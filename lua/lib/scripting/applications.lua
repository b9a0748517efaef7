--- The applications that a script names, compared with one that is known by its bundle ID.

local app = require "sys.app"

local M = {}

-- Applications of the system that are in no list of installed ones, and may not run yet.
local OF_SYSTEM = { ["com.apple.finder"] = "Finder", ["com.apple.systemevents"] = "System Events",
  ["com.apple.imageevents"] = "Image Events", ["com.apple.databaseevents"] = "Database Events" }


--- All applications that are installed or run, each with `id`, `name` and `path`.
local function all()
  local list = {}
  for _, each in ipairs(app.installed() or {}) do list[#list + 1] = each end
  for _, each in ipairs(app.list() or {}) do list[#list + 1] = each end
  for id, name in pairs(OF_SYSTEM) do list[#list + 1] = { id = id, name = name, path = "" } end
  return list
end


--- True if a name or a path in a script means this application: "Safari", "Safari.app" or "/Applications/Safari.app".
local function means(name, each)
  if name:find("/", 1, true) then
    local folder = name:gsub("/+$", "") .. "/"
    return each.path:sub(1, #folder) == folder
  end
  return each.name ~= "" and name:gsub("%.app$", ""):lower() == each.name:lower()
end


--- The IDs of all applications that a name may mean, in lower case.
local function ids_of(name, list)
  local ids = {}
  for _, each in ipairs(list) do
    if each.id ~= "" and means(name, each) then ids[each.id:lower()] = true end
  end
  return ids
end


--- True if the target is this application and cannot be another one.
local function is_it(target, id, list)
  if target.by_id then return target.name:lower() == id:lower() end
  local ids = ids_of(target.name, list)
  local only = ids[id:lower()] and next(ids)
  return only and next(ids, only) == nil or false
end


--- The first application in a script that is not this one, or may be another one.
---@param targets applescript.Targets
---@param id string  the bundle ID
---@return applescript.Target?
function M.other(targets, id)
  local list
  for _, target in ipairs(targets.list) do
    list = list or not target.by_id and all() or nil
    if not is_it(target, id, list or {}) then return target end
  end
end


local function is_in(target, list)
  for _, each in ipairs(list) do
    local is = target.by_id and each.id:lower() == target.name:lower() or not target.by_id and means(target.name, each)
    if is then return true end
  end
  return false
end


--- True if all applications that a script names are there: to compile a script with another one would open a dialog.
---@param targets applescript.Targets
---@return boolean
function M.are_installed(targets)
  local list = targets.list[1] and all() or {}
  for _, target in ipairs(targets.list) do
    if not is_in(target, list) then return false end
  end
  return true
end


return M
