--- A dictionary as a list of commands and classes with their parameters and properties: the short form of the resources.

local json  = require "sys.json"
local kinds = require "dictionary.kinds"

local M = {}

local DIRECT = "target"     -- the name of a direct parameter that has none


local function parameters_of(command)
  local list = json.array {}
  local function add(parameter, name)
    if not parameter.hidden then
      list[#list + 1] = json.object({ name = name, type = kinds.text(parameter.types), required = parameter.required,
        default = parameter.default }, { "name", "type", "required", "default" })
    end
  end
  if command.direct then add(command.direct, command.direct.name or DIRECT) end
  for _, parameter in ipairs(command.parameters) do add(parameter, parameter.name or "") end
  return list
end


local function properties_of(class)
  local list = json.array {}
  for _, property in ipairs(class.properties) do
    if not property.hidden then
      list[#list + 1] = json.object({ name = property.name, type = kinds.text(property.types), access = property.access },
        { "name", "type", "access" })
    end
  end
  return list
end


---@param model dictionary.Model
---@return string json
function M.text(model)
  local commands, classes = json.array {}, json.array {}
  for _, suite in ipairs(model.suites) do
    for _, command in ipairs(suite.hidden and {} or suite.commands) do
      if not command.hidden then
        commands[#commands + 1] = json.object({ name = command.name, description = command.description,
          parameters = parameters_of(command), opensApp = command.opens_app, source = suite.source },
          { "name", "description", "parameters", "opensApp" })
      end
    end
    for _, class in ipairs(suite.hidden and {} or suite.classes) do
      if not class.hidden then
        classes[#classes + 1] = json.object({ name = class.name, properties = properties_of(class) }, { "name", "properties" })
      end
    end
  end
  return assert(json.encode(json.object({ commands = commands, classes = classes, version = model.version },
    { "commands", "classes" })))
end


return M
