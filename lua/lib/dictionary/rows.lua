--- The commands, properties and actions of a dictionary as rows for the search, each with its words. Hidden ones are none.

local kinds = require "dictionary.kinds"
local words = require "dictionary.words"

local M = {}

---@class dictionary.Row
---@field id string           of the application
---@field app string          its name
---@field kind "command"|"property"|"action"
---@field name string         "make", "folder.unread count", "edit.convert.to-uppercase"
---@field description string
---@field args string[]       in calling order, as a script writes them: "file", "to folder"


local function append(list, text)
  for _, word in ipairs(words.of(text or "")) do list[#list + 1] = word end
  return list
end


--- The last part of an interface's or a type's name.
local function last_part(name)
  return name:match "[^.]*$"
end


--- The other names of a command or a property.
local function synonym_words(thing)
  local list = {}
  for _, synonym in ipairs(thing.synonyms or {}) do append(list, synonym.name) end
  return list
end


local function type_words(types, enums)
  local list = {}
  for _, one in ipairs(types or {}) do
    local values = enums[one.name:lower()]
    list[#list + 1] = values and table.concat(values, " ") or one.name
  end
  return table.concat(list, " ")
end


--- The arguments in the order of a call, optional ones in brackets.
local function arguments(command)
  local list = {}
  local function add(parameter)
    if parameter.hidden then return end
    local text = kinds.text(parameter.types) .. kinds.default(parameter)
    if parameter.name then text = parameter.name .. " " .. text end
    list[#list + 1] = parameter.required and text or ("[%s]"):format(text)
  end
  if command.direct then add(command.direct) end
  for _, parameter in ipairs(command.parameters or {}) do add(parameter) end
  return list
end


local function is_action(command)
  return command.call ~= nil and command.call.kind ~= "method"
end


--- The words of the parameters and the result, and of their descriptions.
local function parameter_words(command, enums)
  local names, described = {}, {}
  for _, parameter in ipairs(command.parameters or {}) do
    if not parameter.hidden then
      append(names, parameter.name .. " " .. type_words(parameter.types, enums))
      append(described, parameter.description)
    end
  end
  for _, other in ipairs { command.direct or {}, command.result or {} } do
    append(names, type_words(other.types, enums))
    append(described, other.description)
  end
  return names, described
end


--- An action has only its name, with words before the last dot that say of what it is.
local function action_parts(command)
  local before, last = command.name:match "^(.-)([^.]+)$"
  local name = words.of(last)
  return { { 7, name }, { 5, words.of(before) }, { 4, append({}, command.description) } }, name
end


local function command_parts(command, suite, enums)
  local name = words.of(command.name)
  local parameters, described = parameter_words(command, enums)
  append(parameters, last_part(suite.name or ""))
  return { { 7, name }, { 5, synonym_words(command) }, { 4, append({}, command.description) },
           { 2, parameters }, { 1, described } }, name
end


local function property_parts(property, class, enums)
  local name = words.of(property.name)
  return { { 7, name }, { 5, synonym_words(property) },
           { 4, append(append({}, last_part(class.name)), property.description) },
           { 2, append({}, type_words(property.types, enums)) }, { 1, append({}, class.description) } }, name
end


local function each_property(class, visit)
  if class.hidden then return end
  for _, property in ipairs(class.properties) do
    if not property.hidden then visit((class.name or class.extends) .. "." .. property.name, property) end
  end
end


--- Calls visit for everything visible in a dictionary.
---@param model dictionary.Model
---@param visit fun(row: dictionary.Row, parts: rank.Part[], name: string[], common: boolean)  the words of its name; whether it
---                                                                  is of a suite that all applications share
function M.each(model, visit)
  local enums = kinds.enumerations(model)
  local function row(kind, name, thing, args)
    return { id = model.id, app = model.name, kind = kind, name = name, description = thing.description or "", args = args }
  end
  for _, suite in ipairs(model.suites) do
    local common = suite.name == "Standard Suite" or suite.name == "Text Suite"
    for _, command in ipairs(suite.hidden and {} or suite.commands or {}) do
      if not command.hidden then
        local kind = is_action(command) and "action" or "command"
        local parts, name = (kind == "action" and action_parts or command_parts)(command, suite, enums)
        visit(row(kind, command.name, command, arguments(command)), parts, name, common)
      end
    end
    for _, list in ipairs { suite.classes or {}, suite.records or {} } do
      for _, class in ipairs(suite.hidden and {} or list) do
        each_property(class, function(name, property)
          local parts, own = property_parts(property, class, enums)
          visit(row("property", name, property, {}), parts, own, common)
        end)
      end
    end
  end
end


return M
