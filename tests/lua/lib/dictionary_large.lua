--- As many rows as a well-equipped Mac has: real applications of the bus, and generated ones that use the words of these.

local bus = require "dictionary_bus"
local own = require "dictionary_own"

local M = {}

local COMMANDS, PROPERTIES, CLASSES = 40, 12, 10   -- of a generated application


--- Numbers that look random and are the same each time.
local function numbers(seed)
  return function(most)
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed // 65536 % most + 1
  end
end


--- All words of the names and descriptions of some dictionaries, as often as they have them.
local function vocabulary(models)
  local list = {}
  local function add(text)
    for word in (text or ""):gsub("(%l)(%u)", "%1 %2"):lower():gmatch "%a+" do list[#list + 1] = word end
  end
  for _, model in ipairs(models) do
    for _, suite in ipairs(model.suites) do
      for _, command in ipairs(suite.commands) do
        add(command.name)
        add(command.description)
      end
      for _, class in ipairs(suite.classes) do
        for _, property in ipairs(class.properties) do
          add(property.name)
          add(property.description)
        end
      end
    end
  end
  return list
end


local function phrase(words, random, least, most)
  local list = {}
  for i = 1, least + random(most - least + 1) - 1 do list[i] = words[random(#words)] end
  return table.concat(list, " ")
end


local function generated(number, words, random)
  local suite = { name = "Suite", commands = {}, classes = {}, enumerations = {}, records = {} }
  for i = 1, COMMANDS do
    suite.commands[i] = { name = phrase(words, random, 1, 3), description = phrase(words, random, 4, 12), parameters = {
      { name = phrase(words, random, 1, 2), types = { { name = "text", list = false } }, required = true } } }
  end
  for i = 1, CLASSES do
    local class = { name = phrase(words, random, 1, 2), properties = {}, elements = {} }
    for k = 1, PROPERTIES do
      class.properties[k] = { name = phrase(words, random, 1, 3), types = { { name = "text", list = false } }, access = "rw",
        description = phrase(words, random, 4, 10) }
    end
    suite.classes[i] = class
  end
  return { id = "com.example.generated" .. number, name = "Generated " .. number, version = "1", source = "sdef", suites = { suite },
    notes = {} }
end


---@param rows integer  at least so many
---@return table[] models
function M.models(rows)
  local models = bus.models()
  models[#models + 1], models[#models + 2] = own.postbox, own.darkroom
  local words, random, count = vocabulary(models), numbers(7), 400
  while count < rows do
    models[#models + 1] = generated(#models, words, random)
    count = count + COMMANDS + CLASSES * PROPERTIES
  end
  return models
end


return M
