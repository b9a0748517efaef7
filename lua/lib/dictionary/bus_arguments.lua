--- The arguments of a call over D-Bus: a list, or an object by their names, checked against the signature.

local json      = require "sys.json"
local nearest   = require "nearest"
local signature = require "dbus.signature"

local M = {}


local function is_list(args) return json.is_array(args) or next(args) == nil end


--- "urgency: an integer from 0 to 255"
local function expected(parameters, kinds)
  local list = {}
  for i, kind in ipairs(kinds) do list[i] = ("%s (%s)"):format(parameters[i] and parameters[i].name or "arg" .. i, kind) end
  return #list == 0 and "none" or table.concat(list, ", ")
end


local function by_name(args, parameters, kinds)
  local list, names, known = {}, {}, {}
  for i, each in ipairs(parameters) do
    if known[each.name] then
      return nil, ("two arguments are called %s. Give the arguments as a list"):format(each.name), "bad_argument"
    end
    names[i], known[each.name] = each.name, i
  end
  for name in pairs(args) do
    if not known[name] then
      local near = nearest.question(tostring(name), names, "; ")
      return nil, ("there is no argument %q%s Expected: %s"):format(name, near ~= "" and near or ".",
        expected(parameters, kinds)), "bad_argument"
    end
  end
  for i, each in ipairs(parameters) do
    if args[each.name] == nil then
      return nil, ("the argument %s is missing. Expected: %s"):format(each.name, expected(parameters, kinds)), "bad_argument"
    end
    list[i] = args[each.name]
  end
  return list
end


--- Brings the arguments into the form that sys.dbus takes.
---@param args? any[]|table<string, any>  as sys.json decodes them
---@param wanted string  the signature
---@param parameters {name: string}[]
---@return any[]? converted
---@return string? err
---@return string? code  "bad_argument"
function M.convert(args, wanted, parameters)
  local kinds, list = signature.types(wanted), args or {}
  if not is_list(list) then
    local err, code
    list, err, code = by_name(list, parameters, kinds)
    if not list then return nil, err, code end
  end
  if #list ~= #kinds then
    return nil, ("expected %d argument%s, not %d: %s"):format(#kinds, #kinds == 1 and "" or "s", #list,
      expected(parameters, kinds)), "bad_argument"
  end
  local converted = {}
  for i, kind in ipairs(kinds) do
    local value, err, code = signature.convert(kind, list[i], ("argument %d (%s)"):format(i, parameters[i] and parameters[i].name
      or "arg" .. i))
    if value == nil then return nil, err, code end
    converted[i] = value
  end
  return converted
end


return M
