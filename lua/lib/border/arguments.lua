--- Arguments that do not fit a tool's inputSchema as they came: each step reads them as what their sender can only have meant.
--- src/registry/call/arguments.c calls this before anybody else sees them, and checks the result against the schema after each
--- step. Arguments that fit never come here.

local json   = require "sys.json"
local schema = require "schema"

local DEEP, NAMES, NAME, SHOWN = 8, 300, 60, 80   -- levels of references; bytes


local function get(object, key)
  return type(object) == "table" and object[key] or nil
end


local function has(list, name)
  for _, each in ipairs(type(list) == "table" and list or {}) do
    if each == name then return true end
  end
  return false
end


-- Other names ---------------------------------------------------------------------

local function shown(value)
  local text = json.encode(value) or ""
  return #text > SHOWN and "a long value" or text
end


--- Gives arguments under the other name of a parameter its own one.
local function rename(given)
  local args, changed = given.args, false
  for other, own in pairs(schema.other_names(given.schema)) do
    local value, known = args[other], args[own]
    if value ~= nil then
      if known == nil or known == json.null then   -- serializers write null for what is not set
        args[own] = value
      elseif value ~= json.null and not json.check({ const = known }, value) then
        return nil, ("%s is %s and %s is %s, but both name the same parameter. Pass only %s"):format(own, shown(known), other,
          shown(value), own), "invalid_arguments"
      end
      args[other], changed = nil, true
    end
  end
  return changed
end


-- null ----------------------------------------------------------------------------

--- True if this is sure: what a reference or a condition says is left to the check.
local function refuses_null(property)
  local kind = get(property, "type")
  if type(kind) == "table" then return json.is_array(kind) and not has(kind, "null") end
  return type(kind) == "string" and kind ~= "null"
end


--- Takes out each null for an optional property that cannot be null: serializers and models write it for what is not there.
local function without_nulls(value, of)
  local is_list, changed = json.is_array(value), false
  for key, each in pairs(value) do
    local property
    if is_list then property = get(of, "items") else property = get(get(of, "properties"), key) end
    if property ~= nil and not is_list and each == json.null and refuses_null(property) and not has(get(of, "required"), key) then
      value[key], changed = nil, true
    elseif property ~= nil and type(each) == "table" then
      changed = without_nulls(each, property) or changed
    end
  end
  return changed
end


-- JSON in strings -----------------------------------------------------------------
-- Several clients and models send "[1,2]" for [1,2] and "3" for 3, and a model cannot help what its client does. Where a string
-- is allowed, it stays one: nobody knows better than the sender.

local function kind_of(value)
  if value == json.null then return "null" end
  if type(value) == "table" then return json.is_array(value) and "array" or "object" end
  return type(value)
end


--- The schema that this one refers to, within its document; itself if it does not.
local function resolved(root, of)
  for _ = 1, DEEP do
    local ref = get(of, "$ref")
    local group, name = (type(ref) == "string" and ref or ""):match "^#/([%w$]+)/([^/]*)$"
    if group ~= "$defs" and group ~= "definitions" then break end
    of = get(root[group], name)
  end
  return of
end


local function names_kind(name, kind)
  return name == kind or kind == "number" and name == "integer"
end


--- True if one of the list fits; also if there is no list.
local function any(list, fits)
  if type(list) ~= "table" or not json.is_array(list) then return true end
  for _, each in ipairs(list) do
    if fits(each) then return true end
  end
  return false
end


--- True if a value of this kind might fit: only what the schema says plainly rules it out.
local function allows(root, of, kind, depth)
  of = resolved(root, of)
  if depth > DEEP or kind_of(of) ~= "object" then return true end
  local function is_of_kind(each) return kind_of(each) == kind end
  local function allowed(each) return allows(root, each, kind, depth + 1) end
  local names = of.type
  if type(names) ~= "table" then names = json.array { names } end
  if of.type ~= nil and not any(names, function(name) return names_kind(name, kind) end) then return false end
  if of.const ~= nil and not is_of_kind(of.const) then return false end
  if not (any(of.enum, is_of_kind) and any(of.anyOf, allowed) and any(of.oneOf, allowed)) then return false end
  for _, each in ipairs(type(of.allOf) == "table" and of.allOf or {}) do
    if not allowed(each) then return false end
  end
  return true
end


local read_value


local function note(given, path)
  local names = given.names
  if #(names or "") <= NAMES then given.names = (names and names .. ", " or "") .. path end
end


--- Reads the string at `key` of a table as what the schema wants in its place.
local function read_string(given, at, key, of, path)
  local text = at[key]
  if allows(given.schema, of, "string", 0) then return end
  local value = json.decode(text)
  if value == nil or type(value) == "string" or not allows(given.schema, of, kind_of(value), 0) then return end
  json.put(at, key, text)
  note(given, path)
end


--- The keys of an object, in the order in which they came where that is known.
local function keys(given, object)
  local order = {}
  for key in pairs(object) do order[#order + 1] = key end
  table.sort(order)
  return object == given.args and given.order or order
end


local function read_members(given, value, of, path)
  if json.is_array(value) then
    for i = 1, #value do
      local first = get(get(of, "prefixItems"), i)
      if first == nil then first = get(of, "items") end
      read_value(given, value, i, first, ("%s[%d]"):format(path, i - 1))
    end
    return
  end
  for _, key in ipairs(keys(given, value)) do
    local inner = get(get(of, "properties"), key)
    if inner == nil then inner = get(of, "additionalProperties") end
    read_value(given, value, key, inner, (path == "" and "" or path .. ".") .. key:sub(1, NAME))
  end
end


function read_value(given, at, key, of, path)
  local value = at[key]
  of = resolved(given.schema, of)
  if kind_of(of) ~= "object" then return end
  if type(value) == "string" then return read_string(given, at, key, of, path) end
  if type(value) == "table" then read_members(given, value, of, path) end
end


local function read_texts(given)
  if not given.client then return false end
  read_members(given, given.args, resolved(given.schema, given.schema), "")
  return given.names ~= nil
end


-- The steps -----------------------------------------------------------------------

--- Each gets what was given and returns whether it changed the arguments; or nil, a message and its code.
---@type (fun(given: border.Given): boolean?, string?, string?)[]
local STEPS = {
  function(given)
    local renamed, problem, code = rename(given)
    if renamed == nil then return nil, problem, code end
    return without_nulls(given.args, given.schema) or renamed
  end,
  read_texts,
}

---@class border.Given
---@field args table
---@field order? string[]  the names of the arguments, as they came
---@field schema table     the tool's inputSchema
---@field caller? table    who calls, as the policy is told; nil: the engine itself
---@field client boolean   a client or a model wrote them, not code
---@field names? string    of the arguments that were read from JSON in strings

--- Takes the steps from this one on, until one changes the arguments.
---@param step integer
---@param given border.Given
---@return table|false|nil args   the changed ones; false: nothing is left to try; nil: they cannot be meant
---@return integer|string? next   the next step; or the message
---@return string? names          or its code
return function(step, given)
  for i = step, #STEPS do
    local changed, problem, code = STEPS[i](given)
    if changed == nil then return nil, problem, code end
    if changed then return given.args, i + 1, given.names end
  end
  return false
end
