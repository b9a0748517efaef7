--- The running ones among the applications that describe themselves.

local app     = require "sys.app"
local library = require "dictionary.library"

local M = {}


--- The key by which a running application and one that describes itself are the same.
local function key_of(id) return (id:lower():gsub("%.desktop$", "")) end


--- True if the application runs now; false also if no desktop says so.
---@param one dictionary.App
---@return boolean
function M.is(one)
  if one.pid then return true end
  for _, each in ipairs(app.list() or {}) do
    if key_of(each.id) == key_of(one.id) then return true end
  end
  return false
end


--- The running applications, the active one first, each with the application that describes it.
---@return {app: sys.app.App, described?: dictionary.App}[]? list
---@return string? err
---@return string? code
function M.list()
  local found, err, code = app.list()
  if not found then return nil, err, code end
  local described, by_pid = {}, {}
  for _, one in ipairs(library.apps()) do
    described[key_of(one.id)] = one
    if one.pid then by_pid[one.pid] = one end
  end
  local list = {}
  for i, each in ipairs(found) do list[i] = { app = each, described = described[key_of(each.id)] or by_pid[each.pid] } end
  return list
end


return M
