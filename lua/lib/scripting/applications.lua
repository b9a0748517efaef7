--- The applications that a script names, compared with one that is known by its bundle ID.

local app     = require "sys.app"
local bundles = require "dictionary.bundles"

local M = {}


--- All applications that are installed, run or describe themselves, as the Finder does, which is in no list of installed ones.
---@return {id: string, name: string, path: string}[]
local function all()
  local list = {}
  for _, each in ipairs(app.installed() or {}) do list[#list + 1] = each end
  for _, each in ipairs(app.list() or {}) do list[#list + 1] = each end
  for _, each in ipairs(bundles.apps()) do list[#list + 1] = { id = each.id, name = each.name, path = each.path or "" } end
  return list
end


--- True if a target of a script may be this application: by its ID, by its name, or by a path that leads into it.
---@param target applescript.Target
---@param one {id: string, name: string, path?: string}
---@return boolean
function M.is_named(target, one)
  if target.by_id then return target.name:lower() == one.id:lower() end
  if target.name:find("/", 1, true) then
    local folder = target.name:gsub("/+$", "") .. "/"
    return ((one.path or "") .. "/"):sub(1, #folder) == folder
  end
  return one.name ~= "" and target.name:gsub("%.app$", ""):lower() == one.name:lower()
end


--- The IDs of all applications that a target may be, in lower case.
local function ids_of(target, list)
  local ids = {}
  for _, each in ipairs(list) do
    if each.id ~= "" and M.is_named(target, each) then ids[each.id:lower()] = true end
  end
  return ids
end


--- True if the target is this application and cannot be another one.
local function is_it(target, id, list)
  if target.by_id then return target.name:lower() == id:lower() end
  local ids = ids_of(target, list)
  local only = ids[id:lower()] and next(ids)
  return only and next(ids, only) == nil or false
end


local function has_id(list, id)
  for _, each in ipairs(list) do
    if each.id:lower() == id:lower() then return true end
  end
  return false
end


--- The first application in a script that is not this one, or may be another one.
---@param targets applescript.Targets
---@param id string  the bundle ID
---@return applescript.Target? other
---@return boolean? sure  false: the application is not on this machine, so its names are not known
function M.other(targets, id)
  local list
  for _, target in ipairs(targets.list) do
    list = list or not target.by_id and all() or nil
    if not is_it(target, id, list or {}) then return target, target.by_id or has_id(list, id) end
  end
end


--- For each target, its name and the names and IDs of all applications that it may be; nil: one of them is not known.
---@param targets applescript.Targets
---@return string[][]?
function M.names(targets)
  local known, list = targets.list[1] and all() or {}, {}
  for i, target in ipairs(targets.list) do
    local names = { target.name }
    for _, each in ipairs(known) do
      if M.is_named(target, each) then table.move({ each.name, each.id }, 1, 2, #names + 1, names) end
    end
    if not names[2] then return nil end
    list[i] = names
  end
  return list
end


--- True if all applications that a script names are there: to compile a script with another one would open a dialog.
---@param targets applescript.Targets
---@return boolean
function M.are_installed(targets)
  local list = targets.list[1] and all() or {}
  for _, target in ipairs(targets.list) do
    local found = false
    for _, each in ipairs(list) do found = found or M.is_named(target, each) end
    if not found then return false end
  end
  return true
end


return M
