--- Reads what an application says of its App Intents: the file extract.actionsdata that Xcode puts into its bundle.
--
-- Apple does not document it. Members were seen in the bundles of macOS 15 and in public readers of it; what is not known is kept
-- as its number. No public function runs an intent: only a shortcut does, so these commands are described and not called.

local json = require "sys.json"

local M = {}

M.PATH = "/Metadata.appintents/extract.actionsdata"     -- among the resources of a bundle
M.BYTES = 16 * 1024 * 1024

--- Numbers of primitive types. Other kinds of values count by numbers of their own.
local PRIMITIVES = { [0] = "text", [1] = "boolean", [2] = "integer", [7] = "real", [8] = "date", [9] = "date components",
                     [10] = "location", [11] = "URL", [12] = "attributed text" }
local FILE = 12         -- among the types of "intents"
local DEPTH = 8
local BACKGROUND, FOREGROUND = 1, 2     -- of supportedModes, which came after openAppWhenRun
local DEFAULT = "LNValueTypeSpecificMetadataKeyDefaultValue"


local function map_of(value) return type(value) == "table" and value or {} end

local function number_of(value) return math.tointeger(tonumber(value)) end


--- A text that is written as such, and no key of one (DOWNLOAD_TITLE).
local function written(text)
  return type(text) == "string" and text ~= "" and not text:find "^%u[%u%d]*[_.-][%u%d_.-]+$" and text or nil
end


--- A text. The texts of keys are in tables of the bundle, or beside the key.
local function text_of(value, texts)
  local map = map_of(value)
  if type(map.key) ~= "string" or map.key == "" then return nil end
  return written(map.key) or texts and texts(map.key, map.table) or written(map.defaultValue)
end


local type_of

--- A function for each kind of value, which gets what is in its wrapper.
local KINDS = {
  primitive = function(value)
    local number = number_of(value.typeIdentifier)
    return { name = PRIMITIVES[number] or ("primitive %s"):format(number or "?"), list = false }
  end,
  entity = function(value) return { name = tostring(value.typeName or "entity"), list = false } end,
  linkEnumeration = function(value) return { name = tostring(value.identifier or "enumeration"), list = false } end,
  intents = function(value)
    local number = number_of(value.typeIdentifier)
    return { name = number == FILE and "file" or ("intents %s"):format(number or "?"), list = false }
  end,
  array = function(value, depth)
    local inner = type_of(map_of(value.memberValueType), depth + 1)
    return { name = inner.name, list = true, of = inner.list and { inner } or nil }
  end,
}


--- The type of a value: a table with one member, its kind.
function type_of(value, depth)
  local kind, payload = next(value)
  local read = KINDS[kind]
  if not read or depth > DEPTH then return { name = tostring(kind or "any"), list = false } end
  return read(map_of(map_of(payload).wrapper), depth)
end


local function types_of(value)
  local several = map_of(map_of(map_of(value).alternative).wrapper).memberValueTypes
  if type(several) ~= "table" then return { type_of(map_of(value), 1) } end
  local types = {}
  for i, one in ipairs(several) do types[i] = type_of(map_of(one), 1) end
  return types
end


--- Kinds of default values, and the type that Lua has for each.
local DEFAULTS = { string = "string", int = "number", double = "number", bool = "boolean" }

--- The default of a parameter, from a flat list of keys and values. One of another kind is left out.
local function default_of(raw, types)
  local list, value = map_of(raw.typeSpecificMetadata), nil
  for i = 1, #list - 1, 2 do
    if list[i] == DEFAULT then value = map_of(list[i + 1]) end
  end
  local kind, payload = next(value or {})
  local default = map_of(payload).wrapper
  if not DEFAULTS[kind] or type(default) ~= DEFAULTS[kind] or not json.encode(default) then return nil end
  local is_boolean = #types == 1 and types[1].name == "boolean" and not types[1].list
  if is_boolean and (default == 0 or default == 1) then return default == 1 end     -- written as an "int"
  return default
end


local function parameter_of(raw, texts)
  local title, about, types = text_of(raw.title, texts), text_of(raw.parameterDescription, texts), types_of(raw.valueType)
  return { name = tostring(raw.name or ""), types = types, required = raw.isOptional ~= true,
           description = about or title, default = default_of(raw, types) }
end


--- Whether an intent opens its application when it runs, and the number of its modes if it is none of those that are known.
local function modes_of(raw)
  local modes = number_of(raw.supportedModes)
  if modes == BACKGROUND or modes == FOREGROUND then return modes == FOREGROUND or nil end
  return raw.openAppWhenRun == true or nil, modes
end


--- True if one of a list's members, each a name or a table with one, contains the word.
local function has_protocol(list, word)
  for _, one in ipairs(map_of(list)) do
    local name = type(one) == "table" and (one.identifier or one.name) or one
    if tostring(name):find(word, 1, true) then return true end
  end
  return false
end


local function command_of(key, raw, texts)
  local title, about = text_of(raw.title, texts), text_of(map_of(raw.descriptionMetadata).descriptionText, texts)
  local shown = map_of(raw.visibilityMetadata).isDiscoverable
  if shown == nil then shown = raw.isDiscoverable end
  local opens_app, modes = modes_of(raw)
  local command = { name = tostring(raw.identifier or key), title = title, parameters = {},
                    description = about or title, hidden = shown == false or nil,
                    destructive = has_protocol(raw.systemProtocols, "DeleteEntity") or nil,
                    deprecated = raw.deprecationMetadata ~= nil and raw.deprecationMetadata ~= json.null or nil,
                    opens_app = opens_app, modes = modes }
  for i, one in ipairs(map_of(raw.parameters)) do command.parameters[i] = parameter_of(map_of(one), texts) end
  if type(raw.outputType) == "table" and next(raw.outputType) then command.result = { types = types_of(raw.outputType) } end
  return command
end


local function class_of(key, raw, texts)
  local class = { name = tostring(raw.typeName or key), description = text_of(raw.displayTypeName, texts), properties = {},
                  elements = {} }
  for _, one in ipairs(map_of(raw.properties)) do
    one = map_of(one)
    class.properties[#class.properties + 1] = { name = tostring(one.identifier or one.name or ""),
      types = types_of(one.valueType), access = "r", description = text_of(one.title, texts) }
  end
  return class
end


local function enumeration_of(raw, texts)
  local enumeration = { name = tostring(raw.identifier or ""), description = text_of(raw.displayTypeName, texts), values = {} }
  for _, one in ipairs(map_of(raw.cases)) do
    one = map_of(one)
    enumeration.values[#enumeration.values + 1] = { name = tostring(one.identifier or ""),
      description = text_of(map_of(one.displayRepresentation).title, texts) or text_of(one.title, texts) }
  end
  return enumeration
end


--- Makes an item of each member of an object, sorted by name.
local function each(object, make, texts)
  local list, keys = {}, {}
  for key, value in pairs(map_of(object)) do
    if type(key) == "string" and type(value) == "table" then keys[#keys + 1] = key end
  end
  table.sort(keys)
  for i, key in ipairs(keys) do list[i] = make(key, object[key], texts) end
  return list
end


--- Those of the actions that say which application they appear under, and that it is this one.
local function actions_of(actions, id)
  local own = {}
  for key, raw in pairs(map_of(actions)) do
    local of = map_of(raw).attributionBundleIdentifier
    if type(of) == "string" and of:lower() == id:lower() then own[key] = raw end
  end
  return own
end


--- Adds the names of types to a set.
local function name_types(types, names)
  for _, one in ipairs(types) do
    names[one.name] = true
    name_types(one.of or {}, names)
  end
end


--- Leaves out the classes and enumerations that nothing in the suite names, beginning at its commands.
local function drop_unnamed(suite)
  local names, kept = {}, {}
  for _, command in ipairs(suite.commands) do
    for _, parameter in ipairs(command.parameters) do name_types(parameter.types, names) end
    name_types(command.result and command.result.types or {}, names)
  end
  local again = true
  while again do
    again = false
    for _, class in ipairs(suite.classes) do
      if names[class.name] and not kept[class] then
        kept[class], again = true, true
        for _, property in ipairs(class.properties) do name_types(property.types, names) end
      end
    end
  end
  for _, kind in ipairs { "classes", "enumerations" } do
    local list = {}
    for _, one in ipairs(suite[kind]) do
      if names[one.name] then list[#list + 1] = one end
    end
    suite[kind] = list
  end
end


---@class dictionary.IntentsOptions
---@field texts? fun(key: string, table?: any): string?  the text of a key; default: there is none
---@field of? string  only what is of this application, by its ID; default: all

---@param bytes string
---@param options? dictionary.IntentsOptions
---@return dictionary.Suite? suite
---@return string? err
---@return string? code  "malformed"
function M.read(bytes, options)
  local root, err = json.decode(bytes)
  if type(root) ~= "table" then return nil, err or "it is not a JSON object", "malformed" end
  local texts, of = options and options.texts, options and options.of
  local actions = of and actions_of(root.actions, of) or root.actions
  local suite = { name = "App Intents", source = "intents", commands = each(actions, command_of, texts),
                  classes = each(root.entities, class_of, texts), enumerations = {}, records = {}, events = {}, values = {},
                  description = "Actions of the Shortcuts app. Nothing but a shortcut can run them." }
  for i, one in ipairs(map_of(root.enums)) do suite.enumerations[i] = enumeration_of(map_of(one), texts) end
  if of then drop_unnamed(suite) end
  return suite
end


--- The IDs of the applications that a file says its actions appear under, in lower case. Most files name none.
---@param bytes string
---@return table<string, boolean>
function M.hosts(bytes)
  local ids = {}
  local root = bytes:find('"attributionBundleIdentifier"', 1, true) and json.decode(bytes)
  for _, raw in pairs(map_of(map_of(root).actions)) do
    local id = map_of(raw).attributionBundleIdentifier
    if type(id) == "string" and id ~= "" then ids[id:lower()] = true end
  end
  return ids
end


--- Adds to a suite what another one of the same application has more: a framework and the application may say the same.
---@param suite dictionary.Suite
---@param other dictionary.Suite
---@return dictionary.Suite suite
function M.join(suite, other)
  for _, kind in ipairs { "commands", "classes", "enumerations" } do
    local list, known = suite[kind], {}
    for _, one in ipairs(list) do known[one.name] = true end
    for _, one in ipairs(other[kind]) do
      if not known[one.name] then list[#list + 1] = one end
    end
  end
  return suite
end


return M
