--- Stand-in for sys.json: the same behaviour in plain Lua, without the limits.
local json = {}

local ARRAY, OBJECT = { kind = "array" }, { kind = "object" }

json.null = io.stderr  -- any userdata will do

function json.array(t) return setmetatable(t or {}, ARRAY) end
function json.object(t) return setmetatable(t or {}, OBJECT) end

function json.is_array(value)
  if type(value) ~= "table" then return false end
  local meta = getmetatable(value)
  if meta == ARRAY then return true end
  return meta ~= OBJECT and #value > 0
end

-- decoding --------------------------------------------------------------------

local ESCAPES = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", ['"'] = '"', ["\\"] = "\\", ["/"] = "/" }

local function fail(at, what) error({ json = ("%s at byte %d"):format(what, at) }, 0) end

local function space(text, at) return text:find("[^ \t\r\n]", at) or #text + 1 end

local function string_at(text, at)
  local parts, i = {}, at + 1
  while true do
    local stop = text:find('["\\%c]', i)
    if not stop or text:sub(stop, stop):match "%c" then fail(i, "unfinished string") end
    parts[#parts + 1] = text:sub(i, stop - 1)
    if text:sub(stop, stop) == '"' then return table.concat(parts), stop + 1 end
    local letter = text:sub(stop + 1, stop + 1)
    if letter == "u" then
      local code = tonumber(text:match("^%x%x%x%x", stop + 2) or fail(stop, "bad escape"), 16)
      i = stop + 6
      if code >= 0xD800 and code < 0xDC00 then
        local low = tonumber(text:match("^\\u(%x%x%x%x)", i) or fail(i, "lone surrogate"), 16)
        code, i = 0x10000 + (code - 0xD800) * 0x400 + (low - 0xDC00), i + 6
      end
      parts[#parts + 1] = utf8.char(code)
    else
      parts[#parts + 1] = ESCAPES[letter] or fail(stop, "bad escape")
      i = stop + 2
    end
  end
end

local value_at

local function members(text, at, close, each)
  at = space(text, at + 1)
  if text:sub(at, at) == close then return at + 1 end
  while true do
    at = space(text, each(at))
    local mark = text:sub(at, at)
    if mark == close then return at + 1 end
    if mark ~= "," then fail(at, "expected , or " .. close) end
    at = space(text, at + 1)
  end
end

local LITERALS = { ["true"] = true, ["false"] = false, null = json.null }

function value_at(text, at)
  at = space(text, at)
  local first = text:sub(at, at)
  if first == '"' then return string_at(text, at) end
  if first == "{" then
    local object = json.object()
    return object, members(text, at, "}", function(i)
      if text:sub(i, i) ~= '"' then fail(i, "expected a key") end
      local key, after = string_at(text, i)
      after = space(text, after)
      if text:sub(after, after) ~= ":" then fail(after, "expected :") end
      object[key], after = value_at(text, after + 1)
      return after
    end)
  end
  if first == "[" then
    local array, n = json.array(), 0
    return array, members(text, at, "]", function(i)
      local after
      n = n + 1
      array[n], after = value_at(text, i)
      return after
    end)
  end
  local number = text:match("^-?%d+%.?%d*[eE]?[+-]?%d*", at)
  if number then
    local value = tonumber(number) or fail(at, "bad number")
    return math.tointeger(value) or value, at + #number
  end
  local word = text:match("^%l+", at)
  if word and LITERALS[word] ~= nil then return LITERALS[word], at + #word end
  fail(at, "unexpected text")
end

function json.decode(text)
  local ok, value, after = pcall(value_at, text, 1)
  if ok and space(text, after) <= #text then ok, value = false, { json = "text after the value at byte " .. after } end
  if ok then return value end
  if type(value) ~= "table" then error(value, 0) end
  return nil, value.json, "json_syntax"
end

-- encoding --------------------------------------------------------------------

local function quoted(text)
  return '"' .. text:gsub('[%c"\\\127]', function(c)
    return c == '"' and '\\"' or c == "\\" and "\\\\" or c == "\n" and "\\n" or ("\\u%04x"):format(c:byte())
  end) .. '"'
end

local function encoded(value, path)
  if value == json.null or value == nil then return "null" end
  local kind = type(value)
  if kind == "string" then return quoted(value) end
  if kind == "boolean" then return tostring(value) end
  if kind == "number" then
    if value ~= value or math.abs(value) == math.huge then return "null" end
    return math.type(value) == "integer" and tostring(value)
      or math.tointeger(value) and ("%d"):format(value) or ("%.17g"):format(value)
  end
  if kind ~= "table" then error({ json = ("%s is a %s"):format(path, kind) }, 0) end
  local parts = {}
  if json.is_array(value) then
    for i, item in ipairs(value) do parts[i] = encoded(item, path .. "[" .. i .. "]") end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  local keys = {}
  for key in pairs(value) do
    if type(key) ~= "string" then error({ json = path .. " has keys of two kinds" }, 0) end
    keys[#keys + 1] = key
  end
  table.sort(keys)
  for i, key in ipairs(keys) do parts[i] = quoted(key) .. ":" .. encoded(value[key], path .. "." .. key) end
  return "{" .. table.concat(parts, ",") .. "}"
end

function json.encode(value)
  local ok, text = pcall(encoded, value, "value")
  if ok then return text end
  if type(text) ~= "table" then error(text, 0) end
  return nil, text.json, "json_value"
end

-- schema ----------------------------------------------------------------------

local function is_type(value, name)
  if name == "array" then return type(value) == "table" and (json.is_array(value) or next(value) == nil) end
  if name == "object" then return type(value) == "table" and not json.is_array(value) end
  if name == "integer" then return type(value) == "number" and math.tointeger(value) ~= nil end
  if name == "null" then return value == json.null end
  return type(value) == name
end

local function check(schema, value, path, problems)
  local function problem(...) problems[#problems + 1] = path .. " " .. string.format(...) end
  local types = type(schema.type) == "string" and { schema.type } or schema.type
  if types then
    local fits = false
    for _, name in ipairs(types) do fits = fits or is_type(value, name) end
    if not fits then return problem("must be %s", table.concat(types, " or ")) end
  end
  if schema.enum then
    local fits = false
    for _, option in ipairs(schema.enum) do fits = fits or option == value end
    if not fits then problem "is not one of the allowed values" end
  end
  if schema.anyOf then
    local fits = false
    for _, branch in ipairs(schema.anyOf) do fits = fits or check(branch, value, path, {}) end
    if not fits then problem "fits none of the alternatives" end
  end
  if type(value) == "number" then
    if schema.minimum and value < schema.minimum then problem("must be at least %s", schema.minimum) end
    if schema.maximum and value > schema.maximum then problem("must be at most %s", schema.maximum) end
  elseif type(value) == "table" and not json.is_array(value) then
    for _, name in ipairs(schema.required or {}) do
      if value[name] == nil then problem("lacks %s", name) end
    end
    for name, item in pairs(value) do
      local known = (schema.properties or {})[name]
      if known then check(known, item, path .. "." .. name, problems)
      elseif schema.additionalProperties == false then problem("has the unknown key %s", name) end
    end
  elseif type(value) == "table" and schema.items then
    for i, item in ipairs(value) do check(schema.items, item, path .. "[" .. i .. "]", problems) end
  end
  return #problems == 0
end

function json.check(schema, value)
  local problems = {}
  check(schema, value, "arguments", problems)
  if #problems == 0 then return true end
  table.sort(problems)
  return false, table.concat(problems, "; ")
end

return json
