--- Reads key=value words into the arguments of a tool or prompt, by its JSON Schema.
--
-- The schema is read as far as words need it: for the types that a value may have. Keywords that are not understood allow
-- nothing in particular. Whether the arguments fit is checked when they are sent.

local json = require "sys.json"

local M = {}

local BYTES = 10 * 1024 * 1024
local DEPTH = 16
local PARTS = { "allOf", "anyOf", "oneOf" }


local function wrong(message, ...)
  error({ wrong = select("#", ...) > 0 and message:format(...) or message }, 0)
end


-- --- the schema ---------------------------------------------------------------------------

--- Follows the `$ref` of a schema within the document; returns {} if it leads to nothing.
local function resolve(root, schema)
  for _ = 1, DEPTH do
    local ref = type(schema) == "table" and schema["$ref"]
    if type(ref) ~= "string" or ref:sub(1, 1) ~= "#" then break end
    schema = root
    for name in ref:gmatch "/([^/]*)" do
      name = name:gsub("~1", "/"):gsub("~0", "~")
      schema = type(schema) == "table" and (schema[name] or schema[(tonumber(name) or -1) + 1]) or nil
    end
  end
  return type(schema) == "table" and schema or {}
end


local function type_of(value)
  if value == json.null then return "null" end
  if type(value) == "table" then return json.is_array(value) and "array" or "object" end
  return type(value)
end


--- The types that a value may have, as a set. An empty set means that the schema does not say.
local function types_of(root, schema, depth)
  schema = resolve(root, schema)
  local types = {}
  if type(schema.type) == "string" then types[schema.type] = true end
  for _, name in ipairs(type(schema.type) == "table" and schema.type or {}) do types[name] = true end
  if next(types) then return types end
  for _, value in ipairs(type(schema.enum) == "table" and schema.enum or {}) do types[type_of(value)] = true end
  if schema.const ~= nil then types[type_of(schema.const)] = true end
  for _, key in ipairs(PARTS) do
    if next(types) or depth > DEPTH then break end
    for _, part in ipairs(type(schema[key]) == "table" and schema[key] or {}) do
      for name in pairs(types_of(root, part, depth + 1)) do types[name] = true end
    end
  end
  return types
end


--- Returns schema.OUTER, or schema.OUTER.INNER: the schema's own, otherwise that of the first of its parts that has one.
local function first_below(root, schema, outer, inner, depth)
  schema = resolve(root, schema)
  local found = schema[outer]
  if inner then found = type(found) == "table" and found[inner] or nil end
  for _, key in ipairs(PARTS) do
    if found ~= nil or depth > DEPTH then break end
    for _, part in ipairs(type(schema[key]) == "table" and schema[key] or {}) do
      found = first_below(root, part, outer, inner, depth + 1)
      if found ~= nil then break end
    end
  end
  return found
end


local function items_of(root, schema)
  return first_below(root, schema, "items", nil, 1)
end


--- Returns the schema of a member, even of one that only additionalProperties describes.
---@param root table
---@param schema? table
---@param name string
---@return table?
function M.property(root, schema, name)
  local found = first_below(root, schema, "properties", name, 1)
  if found == nil then found = first_below(root, schema, "additionalProperties", nil, 1) end
  return type(found) == "table" and found or nil
end


-- --- one value -------------------------------------------------------------------------------

local TRUTH = {
  ["true"] = true, yes = true, on = true, ["1"] = true,
  ["false"] = false, no = false, off = false, ["0"] = false,
}

--- Reads a plain decimal number, as people write it: 5, -0.5, .5, 1e3.
local function read_number(text)
  local number = text:find "^[%d%.eE+-]+$" and tonumber(text)
  return number and (math.tointeger(number) or number)
end


local coerce

--- Sets object[key] to the value that `text` was read as. A float also keeps its digits, because it may not hold them all and
-- code that only passes it on needs them.
local function place(object, key, value, text)
  object[key] = value
  if math.type(value) == "float" then json.put(object, key, text) end
end


--- Splits a,b,c into a list, each item read by the schema of the items.
local function split(root, schema, text)
  local items, list = items_of(root, schema), json.array()
  if text == "" then return list end
  for part in (text .. ","):gmatch "(.-)," do place(list, #list + 1, coerce(root, items, part), part) end
  return list
end


--- Reads text that opens like JSON of an allowed type; nil if it does not, or is not JSON.
local function read_json(types, text)
  local first = text:sub(1, 1)
  if not (first == "[" and types.array or first == "{" and types.object) then return nil end
  return (json.decode(text))
end


function coerce(root, schema, text)
  local types = types_of(root, schema, 1)
  local value = read_json(types, text)
  if value ~= nil then return value end
  if types.number or types.integer then
    value = read_number(text)
    if value then return value end
  end
  if types.boolean and TRUTH[text:lower()] ~= nil then return TRUTH[text:lower()] end
  if types.string then return text end
  if types.null and text == "null" then return json.null end
  if types.array then return split(root, schema, text) end
  return text
end


-- --- place in the arguments ------------------------------------------------------------------

--- Returns the object in which `a.b.c` sets c, created if needed, and the key and the schema of that object.
local function descend(root, object, key)
  local schema = root
  while true do
    local name, rest = key:match "^([^.]+)%.(.+)$"
    if not name or first_below(root, schema, "properties", key, 1) ~= nil then return object, key, schema end
    if object[name] == nil then object[name] = json.object() end
    local inner = object[name]
    if type(inner) ~= "table" or json.is_array(inner) then
      wrong("%s has a value that is not an object, so %s.%s cannot be set", name, name, rest)
    end
    object, key, schema = inner, rest, M.property(root, schema, name)
  end
end


--- Sets a key from its text. The second `key=b` of a list adds an item to it.
local function put_text(root, object, key, schema, text)
  local known = object[key]
  if json.is_array(known) and types_of(root, schema, 1).array and text:sub(1, 1) ~= "[" then
    place(known, #known + 1, coerce(root, items_of(root, schema), text), text)
  else
    place(object, key, coerce(root, schema, text), text)
  end
end


--- Ends with a message that says what the user could have meant.
local function not_a_pair(root, word)
  local shown = word:sub(1, 60)
  if word:sub(1, 1) == "{" then wrong("'%s' is not key=value; JSON stands after --args", shown) end
  local name, other = next(type(root.properties) == "table" and root.properties or {})
  if name and next(root.properties, name) == nil and other and word:sub(1, 1) ~= "=" then
    wrong("'%s' is not key=value; write %s='%s'", shown, name, shown)
  end
  wrong("'%s' is not key=value", shown)
end


local function add(root, object, word)
  if not utf8.len(word) then wrong "an argument is not valid UTF-8" end
  local key, colon, text = word:match "^([^=]-)(:?)=(.*)$"
  if not key or key == "" then not_a_pair(root, word) end
  local value, err
  if colon == ":" then
    value, err = json.decode(text)
    if value == nil then wrong("%s:= is not JSON: %s", key, err) end
  end
  local inner, name, schema = descend(root, object, key)
  if colon == ":" then
    place(inner, name, value, text)
  else
    put_text(root, inner, name, M.property(root, schema, name), text)
  end
end


--- Reads the object of --args: JSON, @FILE, or - for stdin.
local function read_base(source, io)
  local text, err = source
  if source == "-" or source:sub(1, 1) == "@" then
    text, err = io:read(source == "-" and source or source:sub(2), BYTES)
    if not text then wrong("%s", err) end
  end
  local object
  object, err = json.decode((text:gsub("^\xEF\xBB\xBF", ""))) -- some editors begin a file with this mark
  if object == nil then wrong("--args is not JSON: %s", err) end
  if type(object) ~= "table" or json.is_array(object) then
    wrong '--args is not a JSON object. Give one, for example --args \'{"key": "value"}\''
  end
  return object
end


---@param schema table      the JSON Schema of the arguments, an object
---@param words string[]    key=value, key:=JSON, a.b=value
---@param base? string      the value of --args; the words are set on top of it
---@param io perigee.IO
---@return table? arguments
---@return string? err
function M.read(schema, words, base, io)
  local ok, result = pcall(function()
    local object = base and read_base(base, io) or json.object()
    for _, word in ipairs(words) do add(schema, object, word) end
    return object
  end)
  if ok then return result end
  if type(result) ~= "table" or not result.wrong then error(result, 0) end
  return nil, result.wrong
end


return M
