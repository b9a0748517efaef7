--- The checker's view of a scripting dictionary (SDEF): the classes, commands, enumerations and records of an application by
--- their names.
--
-- If a dictionary includes Cocoa's standard suite, our own table replaces that file, which does not exist without a Mac. If a
-- class occurs twice, is extended, or inherits from its own name, all of it becomes one class. Hidden things count: scripts may
-- use them.

local standard = require "applescript.standard"
local suites   = require "applescript.suites"

local M = {}

---@class applescript.Type
---@field name string   lower case
---@field list boolean

---@class applescript.Property
---@field name string
---@field types applescript.Type[]   the value has any of these
---@field access "r"|"rw"|"w"

---@class applescript.Class
---@field name string
---@field plural? string
---@field inherits? string
---@field properties table<string, applescript.Property>  by name in lower case
---@field elements table<string, true>  the classes of its elements, in lower case
---@field contents? applescript.Property  is asked for what the class itself lacks
---@field partial? boolean  parts of it are not known

---@class applescript.Parameter
---@field name string
---@field types applescript.Type[]
---@field optional boolean

---@class applescript.Command
---@field name string
---@field parameters table<string, applescript.Parameter>  by name in lower case
---@field direct? {types: applescript.Type[], optional: boolean}
---@field result applescript.Type[]

---@class applescript.Dictionary
---@field title string
---@field classes table<string, applescript.Class>
---@field commands table<string, applescript.Command>
---@field enumerations table<string, {name: string, values: table<string, string>}>
---@field records table<string, applescript.Class>
---@field notes string[]  the parts that were not understood


--- The entry of a name. It is made if it does not exist.
local function entry(map, name, fields)
  local key = name:lower()
  if not map[key] then
    fields.name = name
    map[key] = fields
  end
  return map[key]
end


--- Appends types, with their names in lower case.
local function add_types(list, declared)
  for _, kind in ipairs(declared) do list[#list + 1] = { name = kind.name:lower(), list = kind.list } end
  return list
end


--- Notes other names of a thing; they become keys when all things are there.
local function note_synonyms(dictionary, declared, thing)
  for _, synonym in ipairs(declared.synonyms or {}) do
    if synonym.name then dictionary.synonyms[#dictionary.synonyms + 1] = { synonym.name:lower(), thing } end
  end
end


local function add_class(dictionary, map, declared)
  local class = entry(map, declared.name, { properties = {}, elements = {} })
  if not declared.extends then
    class.declared = true
    class.plural = class.plural or declared.plural and declared.plural:lower()
    local parent = declared.inherits and declared.inherits:lower()
    if parent and parent ~= class.name:lower() then class.inherits = parent end
  end
  for _, property in ipairs(declared.properties) do
    local one = { name = property.name, types = add_types({}, property.types), access = property.access }
    class.properties[property.name:lower()] = one
    if property.contents then class.contents = one end
    note_synonyms(dictionary, property, one)
  end
  for _, element in ipairs(declared.elements) do class.elements[element.type:lower()] = true end
  note_synonyms(dictionary, declared, class)
end


--- Adds a command. One that occurs twice has the parameters of both; it requires what both require.
local function add_command(dictionary, declared)
  local known = dictionary.commands[declared.name:lower()]
  local command = known or entry(dictionary.commands, declared.name, { parameters = {}, result = {} })
  local said = {}
  for _, parameter in ipairs(declared.parameters) do
    if parameter.name and parameter.name ~= "" then
      local key = parameter.name:lower()
      local one = entry(command.parameters, parameter.name, { types = {}, optional = known ~= nil })
      add_types(one.types, parameter.types)
      one.optional = one.optional or not parameter.required
      said[key] = true
    end
  end
  for key, parameter in pairs(command.parameters) do parameter.optional = parameter.optional or not said[key] end
  if declared.direct then
    local direct = command.direct or { types = {}, optional = known ~= nil }
    add_types(direct.types, declared.direct.types)
    direct.optional = direct.optional or not declared.direct.required
    command.direct = direct
  elseif command.direct then
    command.direct.optional = true
  end
  if declared.result then add_types(command.result, declared.result.types) end
  note_synonyms(dictionary, declared, command)
end


local function add_enumeration(dictionary, declared)
  local enumeration = entry(dictionary.enumerations, declared.name, { values = {} })
  for _, value in ipairs(declared.values) do
    enumeration.values[value.name:lower()] = value.name
    for _, synonym in ipairs(value.synonyms or {}) do
      if synonym.name then enumeration.values[synonym.name:lower()] = synonym.name end
    end
  end
  note_synonyms(dictionary, declared, enumeration)
end


---@param read applescript.Suites
local function gathered(read)
  local dictionary = { title = read.title, classes = {}, commands = {}, enumerations = {}, records = {}, synonyms = {},
                       notes = read.notes, partial = read.partial, includes = read.includes }
  for _, suite in ipairs(read.suites) do
    for _, class in ipairs(suite.classes) do add_class(dictionary, dictionary.classes, class) end
    for _, record in ipairs(suite.records) do add_class(dictionary, dictionary.records, record) end
    for _, command in ipairs(suite.commands) do add_command(dictionary, command) end
    for _, event in ipairs(suite.events) do add_command(dictionary, event) end
    for _, enumeration in ipairs(suite.enumerations) do add_enumeration(dictionary, enumeration) end
  end
  return dictionary
end


--- Adds the standard suite below the application's own terms. An application that does not include the suite may use its names
--- for other things, so then none of its properties count as read-only.
local function underlay(dictionary)
  local included = dictionary.includes
  local base = standard.suite()
  for _, kind in ipairs { "classes", "records" } do
    for key, class in pairs(base[kind]) do
      local own = entry(dictionary[kind], class.name, { properties = {}, elements = {} })
      if not included and not own.declared then own.partial = true end
      own.plural, own.inherits = own.plural or class.plural, own.inherits or class.inherits
      for name, property in pairs(class.properties) do
        if not included then property.access = "rw" end
        own.properties[name] = own.properties[name] or property
      end
      if included and included.class and included.class[key] then own.partial = true end
    end
  end
  for key, command in pairs(base.commands) do
    local out = included and included.command and included.command[key]
    if not dictionary.commands[key] and not out then dictionary.commands[key] = command end
  end
  for key, enumeration in pairs(base.enumerations) do
    dictionary.enumerations[key] = dictionary.enumerations[key] or enumeration
  end
end


--- Adds synonyms as further keys of the same thing.
local function add_synonyms(dictionary)
  for _, synonym in ipairs(dictionary.synonyms) do
    local name, thing = synonym[1], synonym[2]
    for _, map in ipairs { dictionary.classes, dictionary.commands, dictionary.enumerations, dictionary.records } do
      if map[thing.name:lower()] == thing then map[name] = map[name] or thing end
    end
    for _, map in ipairs { dictionary.classes, dictionary.records } do
      for _, class in pairs(map) do
        if class.properties[thing.name:lower()] == thing then class.properties[name] = class.properties[name] or thing end
      end
    end
  end
  dictionary.synonyms = nil
end


--- Marks classes that are known only in part: those of a partial dictionary, and those that inherit from an unknown class.
local function mark_partial(dictionary)
  for _, class in pairs(dictionary.classes) do
    if dictionary.partial then class.partial = true end
    if class.inherits and not dictionary.classes[class.inherits] then class.partial = true end
  end
end


--- The view of what was read.
---@param read applescript.Suites
---@return applescript.Dictionary
function M.view(read)
  local dictionary = gathered(read)
  underlay(dictionary)
  add_synonyms(dictionary)
  mark_partial(dictionary)
  return dictionary
end


---@param bytes string  the content of a .sdef file, UTF-8 or UTF-16
---@return applescript.Dictionary? dictionary
---@return string? err   the fault, with its line
---@return string? code  as suites.read()
function M.read(bytes)
  local read, err, code = suites.read(bytes)
  if not read then return nil, err, code end
  return M.view(read)
end


return M
