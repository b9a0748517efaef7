--- Builders of JSON Schema, so that a tool's parameters read like a list.
--
--   local s = require "schema"
--
--   local inputSchema = s.object {
--     { "x", s.integer "Left edge, in points." },
--     { "text", s.string("What to write.", { optional = true, maxLength = 10000 }) },
--   }
--
-- Each builder returns a plain table, so a literal schema can be used in its place. Any keyword of JSON Schema can be passed as
-- an option. A field with a `default` is optional, and run() gets that value.

local json = require "sys.json"

local M = {}


--- Returns a schema of this type, with a description and further keywords.
local function typed(kind, description, options)
  local schema = { type = kind, description = description }
  for key, value in pairs(options or {}) do schema[key] = value end
  return schema
end


---@param description? string
---@param options? table  keywords, and `optional = true`
---@return table
function M.string(description, options) return typed("string", description, options) end

--- A whole number.
---@param description? string
---@param options? table
---@return table
function M.integer(description, options) return typed("integer", description, options) end

--- A number.
---@param description? string
---@param options? table
---@return table
function M.number(description, options) return typed("number", description, options) end

--- True or false.
---@param description? string
---@param options? table
---@return table
function M.boolean(description, options) return typed("boolean", description, options) end


--- Any JSON value.
---@param description string
---@param options? table
---@return table
function M.any(description, options) return typed(nil, description, options) end


--- One of the given strings.
---@param values string[]
---@param description? string
---@param options? table
---@return table
function M.enum(values, description, options)
  local schema = typed("string", description, options)
  schema.enum = values
  return schema
end


--- A list.
---@param items table  the schema of each element
---@param description string
---@param options? table
---@return table
function M.array(items, description, options)
  local schema = typed("array", description, options)
  schema.items = items
  return schema
end


--- Any object, its members free.
---@param description string
---@param options? table
---@return table
function M.map(description, options) return typed("object", description, options) end


--- Returns {name, schema} pairs, in order. A table by name is sorted, so that the result is always the same.
local function pairs_of(fields)
  local list = {}
  for _, field in ipairs(fields) do list[#list + 1] = field end
  if #list > 0 then return list end
  for name, schema in pairs(fields) do list[#list + 1] = { name, schema } end
  table.sort(list, function(a, b) return a[1] < b[1] end)
  return list
end


--- An object. Fields without `optional = true` or a `default` are required; other fields are refused unless
--- `additionalProperties` says otherwise.
---@param fields table  a list of {name, schema}, or schemas by name
---@param description? string
---@param options? table
---@return table
function M.object(fields, description, options)
  local properties, required, order = {}, {}, {}
  for _, field in ipairs(pairs_of(fields)) do
    local name, given = field[1], field[2]
    local schema = {}
    for key, value in pairs(given) do
      if key ~= "optional" then schema[key] = value end
    end
    properties[name] = json.object(schema, { "type", "description" })
    order[#order + 1] = name
    if not given.optional and given.default == nil then required[#required + 1] = name end
  end
  local schema = typed("object", description, options)
  schema.properties = json.object(properties, order)
  if #required > 0 then schema.required = required end
  if schema.additionalProperties == nil then schema.additionalProperties = false end
  return json.object(schema, { "type", "description", "properties", "required" })
end


--- A parameter that is rarely used: lists of tools omit it, describe_tool has it.
---@param schema table
---@return table
function M.rare(schema)
  schema["$comment"] = "not listed"       -- src/registry/listing.h
  return schema
end


--- A parameter that callers may also pass under another name, for example one that it had before. Lists show it once, under its
--- own name, and the tool gets it under that; so do policies, whose rules may use either.
---@param other string
---@param schema table
---@return table
function M.also_called(other, schema)
  schema["x-also-called"] = other         -- src/json/schema/schema.h
  return schema
end


--- Returns the own names of parameters by their other ones.
---@param schema table  of a tool's parameters
---@return table<string, string>
function M.other_names(schema)
  local properties, own = type(schema.properties) == "table" and schema.properties or {}, {}
  for name, property in pairs(properties) do
    local other = type(property) == "table" and property["x-also-called"]
    if type(other) == "string" and properties[other] == nil then own[other] = name end
  end
  return own
end


--- An object of a tool's parameters that lists of tools show without its members, which are described elsewhere.
---@param schema table
---@return table
function M.brief(schema)
  schema["$comment"] = "listed short"     -- src/registry/listing.h
  return schema
end


--- A prompt's arguments: { {name, description, optional = true}, ... }
---@param list table[]
---@return table[]
function M.arguments(list)
  local arguments = {}
  for i, item in ipairs(list) do
    arguments[i] = { name = item[1], description = item[2], required = not item.optional }
  end
  return arguments
end


--- Removes the indentation of the first line from every line, and blank space at both ends.
local function unindent(text)
  local indent = text:match("^%s*\n([ \t]+)") or text:match("^([ \t]+)") or ""
  local lines = {}
  for line in (text .. "\n"):gmatch("(.-)\n") do
    if line:sub(1, #indent) == indent then line = line:sub(#indent + 1) end
    lines[#lines + 1] = line
  end
  return (table.concat(lines, "\n"):gsub("^%s+", ""):gsub("%s+$", ""))
end


--- A prompt's render function, from text with {name} or {name|text for a missing name}.
---@param template string
---@return fun(args: table): string
function M.text(template)
  local text = unindent(template)
  return function(args)
    return (text:gsub("{([%w_]+)|?([^{}]*)}", function(name, absent)
      local value = args[name]
      if value == nil or value == "" then return absent end
      return tostring(value)
    end))
  end
end


return M
