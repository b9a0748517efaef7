--- Reads a scripting dictionary (SDEF): the classes, commands, enumerations and records of an application.
--
-- Only names, types and access are kept. If a dictionary includes Cocoa's standard suite, our own table replaces that file,
-- which does not exist without a Mac. If a class occurs twice, is extended, or inherits from its own name, all of it becomes
-- one class.

local encoding = require "applescript.encoding"
local standard = require "applescript.standard"
local xml      = require "applescript.xml"

local M = {}

local XINCLUDE = { ["http://www.w3.org/2003/XInclude"] = true, ["http://www.w3.org/2001/XInclude"] = true }

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
---@field partial? boolean  parts of it are not known

---@class applescript.Command
---@field name string
---@field parameters table<string, {name: string, types: applescript.Type[]}>
---@field result applescript.Type[]

---@class applescript.Dictionary
---@field title string
---@field classes table<string, applescript.Class>
---@field commands table<string, applescript.Command>
---@field enumerations table<string, {name: string, values: table<string, string>}>
---@field records table<string, applescript.Class>
---@field notes string[]  the parts that were not understood


local function new_dictionary()
  return { title = "", classes = {}, commands = {}, enumerations = {}, records = {}, synonyms = {}, notes = {} }
end


--- The entry of a name. It is made if it does not exist.
local function entry(map, name, fields)
  local key = name:lower()
  if not map[key] then
    fields.name = name
    map[key] = fields
  end
  return map[key]
end


local function types_of(attributes)
  local types = {}
  if (attributes.type or "") ~= "" then types[1] = { name = attributes.type:lower(), list = attributes.list == "yes" } end
  return types
end


-- Each function gets the dictionary, the attributes and the result of the parent, and returns the table to which its children
-- add.
local BUILD = {}

function BUILD.class(dictionary, a)
  local class = entry(dictionary.classes, a.name, { properties = {} })
  class.declared = true
  class.plural = class.plural or a.plural and a.plural:lower()
  if a.inherits and a.inherits:lower() ~= class.name:lower() then class.inherits = a.inherits:lower() end
  return class
end

BUILD["class-extension"] = function(dictionary, a)
  if a.extends then return entry(dictionary.classes, a.extends, { properties = {} }) end
end

BUILD["record-type"] = function(dictionary, a) return entry(dictionary.records, a.name, { properties = {} }) end

function BUILD.enumeration(dictionary, a) return entry(dictionary.enumerations, a.name, { values = {} }) end

function BUILD.enumerator(_, a, parent)
  if parent and parent.values then parent.values[a.name:lower()] = a.name end
end

function BUILD.property(_, a, parent)
  if not (parent and parent.properties) then return end
  local property = { name = a.name, types = types_of(a), access = a.access or "rw" }
  parent.properties[a.name:lower()] = property
  return property
end

function BUILD.contents(dictionary, a, parent)
  return BUILD.property(dictionary, { name = a.name or "contents", type = a.type, access = a.access }, parent)
end

function BUILD.command(dictionary, a)
  return entry(dictionary.commands, a.name, { parameters = {}, result = {} })
end
BUILD.event = BUILD.command

function BUILD.parameter(_, a, parent)
  if not (parent and parent.parameters) then return end
  local known = parent.parameters[a.name:lower()] or { name = a.name, types = {} }
  for _, kind in ipairs(types_of(a)) do known.types[#known.types + 1] = kind end
  parent.parameters[a.name:lower()] = known
  return known
end

function BUILD.result(_, a, parent)
  if not (parent and parent.parameters) then return end
  for _, kind in ipairs(types_of(a)) do parent.result[#parent.result + 1] = kind end
  return { types = parent.result }
end

function BUILD.type(_, a, parent)
  if parent and parent.types and a.type then
    parent.types[#parent.types + 1] = { name = a.type:lower(), list = a.list == "yes" }
  end
end

function BUILD.synonym(dictionary, a, parent)
  if a.name and parent and parent.name then
    dictionary.synonyms[#dictionary.synonyms + 1] = { a.name:lower(), parent }
  end
end

--- Elements that have no meaning without a name.
local NAMED = { class = true, ["record-type"] = true, enumeration = true, enumerator = true, property = true,
                command = true, event = true, parameter = true }


--- The names that an xpointer excludes, by element: `/dictionary/suite/node()[not(self::command and ((@name='delete') ...))]`.
local function left_out(xpointer)
  local names = {}
  for kind, name in xpointer:gmatch "self::([%w-]*)()" do
    names[kind] = names[kind] or {}
    local rest = xpointer:sub(name)
    rest = rest:sub(1, (rest:find("self::", 1, true) or 0) - 1)
    for excluded in rest:gmatch "@name%s*=%s*['\"]([^'\"]+)['\"]" do names[kind][excluded:lower()] = true end
  end
  return names
end


local function include(dictionary, a)
  local pointer = a.xpointer or "xpointer(/dictionary/suite)"
  local plain = pointer == "xpointer(/dictionary/suite)"
  local parts = pointer:find("/dictionary/suite/node()[not(", 1, true) ~= nil
  if (a.href or ""):match "[^/]*$" ~= "CocoaStandard.sdef" or not (plain or parts) then
    dictionary.partial = true
    dictionary.notes[#dictionary.notes + 1] = ("the include of %s was not followed"):format((a.href or "nothing"):sub(1, 200))
    return
  end
  dictionary.includes = parts and left_out(pointer) or {}
end


local function handler_for(dictionary)
  local made, depth = {}, 0
  local function open(name, attributes, namespace)
    depth = depth + 1
    made[depth] = false
    if depth == 1 then
      if name ~= "dictionary" then error({ sdef = ("the root element is %s, not dictionary"):format(name) }, 0) end
      dictionary.title = attributes.title or ""
    elseif XINCLUDE[namespace] then
      if name == "include" then include(dictionary, attributes) end
    elseif BUILD[name] and not (NAMED[name] and (attributes.name or "") == "") then
      made[depth] = BUILD[name](dictionary, attributes, made[depth - 1]) or false
    end
  end
  return { open = open, close = function() depth = depth - 1 end }
end


--- Adds the standard suite below the application's own terms. An application that does not include the suite may use its names
--- for other things, so then none of its properties count as read-only.
local function underlay(dictionary)
  local included = dictionary.includes
  local base = standard.suite()
  for _, kind in ipairs { "classes", "records" } do
    for key, class in pairs(base[kind]) do
      local own = entry(dictionary[kind], class.name, { properties = {} })
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


---@param bytes string  the content of a .sdef file, UTF-8 or UTF-16
---@return applescript.Dictionary? dictionary
---@return string? err   the fault, with its line
---@return string? code  "malformed", "entity", "too_large", "encoding", "not_sdef"
function M.read(bytes)
  if #bytes > xml.MAX_BYTES then
    return nil, ("it has %d bytes; at most %d are read"):format(#bytes, xml.MAX_BYTES), "too_large"
  end
  local text, how = encoding.read(bytes)
  if not text or how == "MacRoman" then return nil, "it is neither UTF-8 nor UTF-16", "encoding" end
  local dictionary = new_dictionary()
  local done, ok, err, code = pcall(xml.read, text, handler_for(dictionary))
  if not done then
    if type(ok) == "table" and ok.sdef then return nil, ok.sdef, "not_sdef" end
    error(ok, 0)
  end
  if not ok then return nil, err, code end
  underlay(dictionary)
  add_synonyms(dictionary)
  mark_partial(dictionary)
  return dictionary
end


return M
