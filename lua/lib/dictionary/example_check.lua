--- Checks a curated example: against the dictionary of its application where that is known, otherwise only its structure.

local check = require "applescript.check"

local M = {}

--- By the name of a type of D-Bus in a dictionary: whether a value of Lua is of it.
local IS = {
  byte = function(value) return math.type(value) == "integer" and value >= 0 and value < 256 end,
  boolean = function(value) return type(value) == "boolean" end,
  integer = function(value) return math.type(value) == "integer" end,
  number = function(value) return type(value) == "number" end,
  string = function(value) return type(value) == "string" end,
  ["object path"] = function(value) return type(value) == "string" and value:find "^/" ~= nil end,
  object = function(value) return type(value) == "table" end,
}


local function is_of(value, kind)
  if kind.list then
    if type(value) ~= "table" then return false end
    for _, item in ipairs(value) do
      if not is_of(item, { name = kind.name, list = false }) then return false end
    end
    return true
  end
  return not IS[kind.name] or IS[kind.name](value)
end


--- Finds a method, an action or a property of a model, with the interface that has it.
local function member(model, call)
  local wanted = call.member or call.action or call.property
  for _, suite in ipairs(model.suites) do
    local things = {}
    for _, command in ipairs(suite.commands or {}) do things[#things + 1] = command end
    for _, class in ipairs(suite.classes or {}) do
      table.move(class.properties, 1, #class.properties, #things + 1, things)
    end
    for _, thing in ipairs(things) do
      if thing.name == wanted and (not call.interface or suite.name == call.interface) then return thing end
    end
  end
  return nil
end


--- "a string", "a list of strings"
local function described(kind)
  if kind.list then return ("a list of %ss"):format(kind.name) end
  return (kind.name:find "^[aeiou]" and "an " or "a ") .. kind.name
end


--- An action's state, and a state to set: both of a kind, if it has one.
local function fault_of_state(call, action)
  if not action.stateful then return call.action .. " has no state" end
  if action.state == nil or type(call.state) == type(action.state) then return nil end
  return ("the state of %s is a %s, not a %s"):format(call.action, type(action.state), type(call.state))
end


local function fault_of_values(call, thing)
  if call.property then
    if call.value == nil then return nil end
    if thing.access == "r" then return call.property .. " cannot be set" end
    return not is_of(call.value, thing.types[1]) and ("%s is not %s"):format(call.property, described(thing.types[1])) or nil
  end
  if call.state ~= nil then return fault_of_state(call, thing.call or {}) end
  local args, wanted = call.args or {}, thing.parameters or {}
  if #args ~= #wanted then return ("%s takes %d arguments, not %d"):format(thing.name, #wanted, #args) end
  for i, parameter in ipairs(wanted) do
    if not is_of(args[i], parameter.types[1]) then
      return ("argument %d of %s is not %s"):format(i, thing.name, described(parameter.types[1]))
    end
  end
  return nil
end


local function check_call(call, model)
  if not model then return "structure" end
  local thing = member(model, call)
  if not thing then return nil, ("%s has no %s"):format(model.id, call.member or call.action or call.property) end
  local fault = fault_of_values(call, thing)
  if fault then return nil, fault end
  return "dictionary"
end


local function check_script(script, dictionaries)
  local report = check.run(script, { dictionaries = dictionaries })
  local first = report.findings[1]
  if first then return nil, ("line %d: %s"):format(first.line, first.message) end
  for _, how in ipairs(report.checked) do
    if how == "dictionary" then return "dictionary" end
  end
  return "structure"
end


---@param example dictionary.Example
---@param known {model?: table, dictionaries?: applescript.Dictionaries}  the application's, if they are at hand
---@return "dictionary"|"structure"|nil checked
---@return string? err  the fault
function M.run(example, known)
  if example.call then return check_call(example.call, known.model) end
  return check_script(example.script, known.dictionaries)
end


return M
