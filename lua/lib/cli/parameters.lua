--- A tool's parameters as rows for people, read from its JSON Schema.

local json = require "sys.json"
local keys = require "keys"

local M = {}

local DEPTH = 4  -- levels of nested objects that are shown


local function resolve(root, schema)
  for _ = 1, 8 do
    local ref = type(schema) == "table" and schema["$ref"]
    if type(ref) ~= "string" or ref:sub(1, 1) ~= "#" then break end
    schema = root
    for name in ref:gmatch "/([^/]*)" do
      name = name:gsub("~1", "/"):gsub("~0", "~")
      schema = type(schema) == "table" and (schema[name] or schema[tonumber(name)]) or nil
    end
  end
  return type(schema) == "table" and schema or {}
end


local function each_joined(list, word, of)
  local parts = {}
  for i, item in ipairs(list) do parts[i] = of(item) end
  return table.concat(parts, word)
end


--- Names a type: "integer", "list of string", "string or null", ...
local function type_of(root, schema, depth)
  schema = resolve(root, schema)
  local kind = schema.type
  if kind == "array" and schema.items and depth < DEPTH then
    return "list of " .. type_of(root, schema.items, depth + 1)
  end
  if type(kind) == "table" then return table.concat(kind, " or ") end
  if kind then return kind end
  for _, key in ipairs { "anyOf", "oneOf" } do
    if schema[key] and depth < DEPTH then
      return each_joined(schema[key], " or ", function(part) return type_of(root, part, depth + 1) end)
    end
  end
  local first = schema.const == nil and schema.enum and schema.enum[1] or schema.const
  return first == nil and "any" or type(first)
end


local function range(schema, least, most, unit)
  local low, high = schema[least], schema[most]
  if low and high then return ("%s to %s%s"):format(low, high, unit) end
  if low then return ("at least %s%s"):format(low, unit) end
  if high then return ("at most %s%s"):format(high, unit) end
end


--- Lists the further conditions on a value.
local function limits(schema)
  local parts = {}
  local function add(text) parts[#parts + 1] = text end
  if schema.enum then add("one of " .. each_joined(schema.enum, ", ", json.encode)) end
  if schema.const ~= nil then add("always " .. json.encode(schema.const)) end
  -- In draft 4 these are true, beside the limit.
  add(math.type(schema.exclusiveMinimum) and "more than " .. schema.exclusiveMinimum)
  add(range(schema, "minimum", "maximum", ""))
  add(math.type(schema.exclusiveMaximum) and "less than " .. schema.exclusiveMaximum)
  add(range(schema, "minLength", "maxLength", " characters"))
  add(range(schema, "minItems", "maxItems", " items"))
  add(schema.pattern and "matches " .. schema.pattern)
  add(schema.format)
  return parts
end


--- Returns required, the other name, the limits and the default as one list.
local function about(row)
  local parts = { row.required and "required" or nil }
  parts[#parts + 1] = row.also and "also called " .. row.also
  table.move(row.limits, 1, #row.limits, #parts + 1, parts)
  parts[#parts + 1] = row.default and "default " .. row.default
  return parts
end


local function set_of(list)
  local set = {}
  for _, item in ipairs(list or {}) do set[item] = true end
  return set
end


local collect

--- Adds the rows for what lies within a value: the members of an object, or of each object in a list.
local function collect_inside(rows, root, schema, name, depth)
  if depth >= DEPTH then return end
  if type(schema.properties) == "table" then
    collect(rows, root, schema, keys.sorted(schema.properties), name .. ".", depth + 1)
  elseif schema.items then
    collect_inside(rows, root, resolve(root, schema.items), name .. "[]", depth)
  end
end


function collect(rows, root, schema, names, prefix, depth)
  local required = set_of(schema.required)
  for _, name in ipairs(names) do
    local property = resolve(root, schema.properties[name])
    local row = {
      name = prefix .. name, type = type_of(root, property, 1), limits = limits(property),
      description = property.description or "", required = required[name] or false,
      also = property["x-also-called"],
    }
    if property.default ~= nil then row.default = json.encode(property.default) end
    row.about = about(row)
    rows[#rows + 1] = row
    collect_inside(rows, root, property, row.name, depth)
  end
end


---@class cli.Parameter
---@field name string         dotted for members of an object, with [] for the items of a list
---@field type string
---@field required boolean
---@field limits string[]     "1 to 100", "one of ..."
---@field default? string     as JSON
---@field also? string        its other name
---@field about string[]      "required", limits, default
---@field description string

---@param schema table     the JSON Schema of an object
---@param names? string[]  its properties in order; default: sorted by name
---@return cli.Parameter[]
function M.rows(schema, names)
  local rows = {}
  if type(schema.properties) == "table" then
    collect(rows, schema, schema, names or keys.sorted(schema.properties), "", 1)
  end
  return rows
end


return M
