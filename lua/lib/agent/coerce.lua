--- Reads one parameter of a text protocol as the type that its JSON Schema requires.
--
-- Strings stay exactly as the model wrote them. Only the other types may be padded or quoted, because models do that and
-- nothing can be lost.

local json    = require "sys.json"
local strings = require "agent.strings"

local coerce = {}

local LARGEST = 2 ^ 53

--- Parameters with these names are places on a slide or screen, which are whole numbers.
local COORDINATES = {
  x = true, y = true, width = true, height = true, left = true, top = true, right = true, bottom = true,
}

local function is_coordinate(name)
  return COORDINATES[name] or name:match "^[xy]%d+$" or name:match "_[xy]%d*$"
end


local function bare(text)
  text = text:match "^%s*(.-)%s*$"
  return text:match '^"(.*)"$' or text:match "^'(.*)'$" or text:match "^`(.*)`$" or text
end


local function decimal(text)
  local digits = bare(text):match "^[+-]?[%d.]+[eE]?[+-]?%d*$"
  local value = digits and tonumber(digits)
  return value and value == value and math.abs(value) < math.huge and value or nil
end


local function from_json(text, want)
  local value = json.decode(text)
  local fits = type(value) == "table" and (next(value) == nil or json.is_array(value) == (want == "array"))
  return fits and value or nil
end


local TRUTH = {
  ["true"] = true, yes = true, on = true, ["1"] = true,
  ["false"] = false, no = false, off = false, ["0"] = false,
}

--- Each takes the text and the parameter's name and returns the value, or nil and a description of what was expected.
local readers = {
  string = function(text) return text end,

  integer = function(text)
    local value = decimal(text)
    local whole = value and math.abs(value) <= LARGEST and math.tointeger(value)
    if whole then return whole end
    return nil, "a whole number"
  end,

  number = function(text, name)
    local value = decimal(text)
    if not value then return nil, "a number" end
    if not is_coordinate(name) then return value end
    return math.tointeger(value < 0 and math.ceil(value) or math.floor(value)) or value
  end,

  boolean = function(text)
    local value = TRUTH[bare(text):lower()]
    if value ~= nil then return value end
    return nil, "true or false"
  end,

  null = function(text)
    local word = bare(text):lower()
    if word == "" or word == "null" or word == "none" then return json.null end
    return nil, "null"
  end,

  array = function(text)
    local value = from_json(text, "array")
    if value then return json.array(value) end
    return nil, 'a JSON array, such as [1, 2] or ["a"]'
  end,

  object = function(text)
    local value = from_json(text, "object")
    if value then return json.object(value) end
    return nil, 'a JSON object, such as {"key": "value"}'
  end,
}

--- The order in which the types of a union are tried: the type that the fewest strings can be read as comes first.
local STRICTEST_FIRST = { "integer", "number", "boolean", "null", "array", "object", "string" }

local function shown(value)
  return type(value) == "string" and value or json.encode(value) or tostring(value)
end


local function from_enum(text, options)
  for _, option in ipairs(options) do
    if shown(option) == text then return option end
  end
  local word = bare(text):lower()
  for _, option in ipairs(options) do
    if shown(option):lower() == word then return option end
    if type(option) == "number" and decimal(text) == option then return option end
  end
  local names = {}
  for i, option in ipairs(options) do names[i] = shown(option) end
  return nil, "one of " .. table.concat(names, ", ")
end


--- Follows `$ref` into the definitions of the tool's own schema.
local function resolved(schema, root)
  for _ = 1, 8 do
    local ref = type(schema) == "table" and schema["$ref"]
    local group, name = (type(ref) == "string" and ref or ""):match "^#/([%w$]+)/(.+)$"
    if not group then break end
    schema = type(root[group]) == "table" and root[group][name]
  end
  return type(schema) == "table" and schema or {}
end


local function types_of(schema)
  if type(schema.type) == "table" then
    local named = {}
    for _, name in ipairs(schema.type) do named[name] = true end
    local ordered = {}
    for _, name in ipairs(STRICTEST_FIRST) do
      if named[name] then ordered[#ordered + 1] = name end
    end
    return ordered
  end
  if schema.type then return { schema.type } end
  if schema.properties then return { "object" } end
  if schema.items or schema.prefixItems then return { "array" } end
  return { "array", "object", "string" }
end


local function read(text, schema, name, root)
  schema = resolved(schema, root)
  if schema.const ~= nil then return from_enum(text, { schema.const }) end
  if schema.enum then return from_enum(text, schema.enum) end

  local branches = schema.anyOf or schema.oneOf
  local expected
  for _, branch in ipairs(branches or types_of(schema)) do
    local value, want
    if branches then
      value, want = read(text, branch, name, root)
    else
      value, want = (readers[branch] or readers.string)(text, name)
    end
    if value ~= nil then return value end
    expected = expected or want
  end
  return nil, expected
end


--- Reads one parameter.
---@param text string
---@param schema table   the schema of this parameter
---@param name string    the name of this parameter
---@param root? table    the whole schema, for `$ref`
---@return any value
---@return string? problem  a sentence that names the parameter
function coerce.text(text, schema, name, root)
  local value, expected = read(text, schema, name, root or {})
  if value ~= nil then return value end
  return nil, ('%s must be %s, got "%s".'):format(name, expected, strings.cut(text, 60))
end


--- Names the type that a parameter's schema requires, in a word or two.
---@param schema table
---@param root? table
---@return string
function coerce.type_name(schema, root)
  schema = resolved(schema, root or {})
  local options = schema.enum
  if options then
    local names = {}
    for i, option in ipairs(options) do names[i] = shown(option) end
    return table.concat(names, "/")
  end
  local names = {}
  local branches = schema.anyOf or schema.oneOf
  if branches then
    for i, branch in ipairs(branches) do names[i] = coerce.type_name(branch, root) end
  elseif type(schema.type) == "table" then
    for i, name in ipairs(schema.type) do names[i] = name end
  else
    local known = types_of(schema)
    names[1] = #known == 1 and known[1] or "any"
  end
  for i = #names, 1, -1 do
    if names[i] == "null" then table.remove(names, i) end
  end
  return table.concat(names, " or ")
end


return coerce
