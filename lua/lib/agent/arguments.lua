--- A tool's arguments: its parameters in order, and how a model's text or JSON becomes the arguments of the call.

local coerce     = require "agent.coerce"
local json       = require "sys.json"
local references = require "sessions.references"
local schemas    = require "schema"
local strings    = require "agent.strings"

local arguments = {}

local function properties_of(tool)
  local schema = tool.inputSchema
  return type(schema) == "table" and type(schema.properties) == "table" and schema.properties or {}
end


--- The parameters by position. JSON objects have no order once they are Lua tables, so it is taken from what has one: the
-- tool's own `_meta`, then `required`, then the order on the wire. The rest follow by name. (`required` goes before the wire
-- because servers that build their schema from a hash table, as ours does, shuffle the rest.)
---@param tool agent.Tool
---@return string[]
function arguments.order(tool)
  local properties = properties_of(tool)
  local meta = type(tool._meta) == "table" and tool._meta["perigee/parameterOrder"]
  local names, seen = {}, {}
  local function take(list)
    for _, name in ipairs(type(list) == "table" and list or {}) do
      if properties[name] ~= nil and not seen[name] then
        seen[name] = true
        names[#names + 1] = name
      end
    end
  end
  take(meta)
  take(tool.inputSchema and tool.inputSchema.required)
  take(tool.parameter_order)

  local rest = {}
  for name in pairs(properties) do rest[#rest + 1] = name end
  table.sort(rest)
  take(rest)
  return names
end


---@param tool agent.Tool
---@return table<string, boolean>
function arguments.required(tool)
  local set = {}
  for _, name in ipairs(type(tool.inputSchema) == "table" and tool.inputSchema.required or {}) do set[name] = true end
  return set
end


--- Returns "draw_rectangle|x|y|width|height", with [brackets] around optional parameters.
---@param tool agent.Tool
---@return string
function arguments.usage(tool)
  local required, parts = arguments.required(tool), { tool.name }
  for _, name in ipairs(arguments.order(tool)) do
    parts[#parts + 1] = required[name] and name or "[" .. name .. "]"
  end
  return table.concat(parts, "|")
end


--- The server replaces references to results, and checks the arguments then.
local function refers(value) return type(value) == "string" and references.may_have(value) end


--- True if a reference is anywhere in a value.
local function refers_within(value)
  if type(value) ~= "table" then return refers(value) end
  for _, each in pairs(value) do
    if refers_within(each) then return true end
  end
  return false
end


local function checked(tool, values)
  if refers_within(values) then return values end
  local ok, why = json.check(tool.inputSchema or {}, values)
  if ok then return values end
  return nil, ("%s: %s"):format(tool.name, why)
end


--- Reads the parameters of a FUNCTION_CALL line, by position.
---@param tool agent.Tool
---@param parameters string[]
---@return table? values
---@return string? problem  for the model; it names the parameter and what to write
function arguments.from_line(tool, parameters)
  local order, required, properties = arguments.order(tool), arguments.required(tool), properties_of(tool)
  local count = #parameters
  if count == 1 and #order == 0 and parameters[1]:match "^%s*$" then count = 0 end

  if count > #order then
    local takes = #order == 0 and "no parameters" or #order == 1 and "1 parameter" or #order .. " parameters"
    return nil, ("%s takes %s, got %d. Write: FUNCTION_CALL: %s (write ¦ instead of | inside a parameter).")
      :format(tool.name, takes, count, arguments.usage(tool))
  end

  local values = json.object({}, order)
  for i, name in ipairs(order) do
    local text = i <= count and parameters[i] or nil
    local absent = text == nil or (text == "" and not required[name])
    if absent and required[name] then
      return nil, ("%s requires %s. Write: FUNCTION_CALL: %s"):format(tool.name, name, arguments.usage(tool))
    end
    if not absent then
      local value, problem = text, nil
      if not refers(text) then value, problem = coerce.text(text, properties[name], name, tool.inputSchema) end
      if value == nil then return nil, ("%s: %s"):format(tool.name, problem) end
      values[name] = value
    end
  end
  return checked(tool, values)
end


--- Checks the arguments of a native tool call. Common mistakes ("384" for 384) are corrected; the others are reported to the
-- model.
---@param tool agent.Tool
---@param given table
---@return table? values
---@return string? problem
function arguments.from_call(tool, given)
  local properties, values = properties_of(tool), json.object({}, arguments.order(tool))
  local own = schemas.other_names { properties = properties }
  for said, value in pairs(given) do
    local name = own[said]
    if not name or given[name] ~= nil and given[name] ~= value then name = said end
    local schema = properties[name]
    if type(value) == "string" and type(schema) == "table" and not refers(value) and not json.check(schema, value) then
      local better = coerce.text(value, schema, name, tool.inputSchema)
      if better ~= nil then value = better end
    end
    values[name] = value
  end
  local ok, problem = checked(tool, values)
  if ok then return ok end
  return nil, problem .. " Parameters: " .. arguments.signature(tool)
end


--- Returns "draw_rectangle(x: integer, y: integer, label?: string)".
---@param tool agent.Tool
---@return string
function arguments.signature(tool)
  local required, properties, parts = arguments.required(tool), properties_of(tool), {}
  for i, name in ipairs(arguments.order(tool)) do
    local kind = coerce.type_name(properties[name], tool.inputSchema)
    parts[i] = ("%s%s: %s"):format(name, required[name] and "" or "?", kind)
  end
  return ("%s(%s)"):format(tool.name, table.concat(parts, ", "))
end


--- Shows a call as one line, in whatever protocol the model made it: "draw_rectangle|384|378|1152|324".
---@param tool agent.Tool
---@param values table
---@return string
function arguments.line(tool, values)
  local parts, last, rest = { tool.name }, 1, json.object()
  for name, value in pairs(values) do rest[name] = value end
  for i, name in ipairs(arguments.order(tool)) do
    local value = values[name]
    parts[i + 1] = type(value) == "string" and value or value ~= nil and json.encode(value) or ""
    if value ~= nil then last = i + 1 end
    rest[name] = nil
  end
  local line = table.concat(parts, "|", 1, last)
  if next(rest) ~= nil then line = line .. "|" .. json.encode(rest) end
  return strings.one_line(line)
end


return arguments
