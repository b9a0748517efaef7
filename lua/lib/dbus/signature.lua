--- Values of JSON for arguments of D-Bus: each is checked against its type and brought into the form that sys.dbus takes.
--
-- JSON has fewer types than D-Bus. A whole number beyond 2^53 is a string of digits, bytes (`ay`) are {"base64": "..."} or a
-- text, which gets the NUL that ends it, a dictionary is an object or a list of pairs, and a variant takes the type that its
-- value has in JSON, or {"type": "u", "value": 3}.

local crypto = require "sys.crypto"
local json   = require "sys.json"

local M = {}

local DEPTH = 32                  -- containers in one another, as D-Bus allows for arrays and for structs
local EXACT = 1 << 53             -- up to it, numbers of JSON are exact
local SHOWN = 60                  -- bytes of a value that an error quotes
local RANGES = {
  y = { 0, 255 }, n = { -32768, 32767 }, q = { 0, 65535 }, i = { -2147483648, 2147483647 }, u = { 0, 4294967295 },
  x = { math.mininteger, math.maxinteger }, t = { 0, math.maxinteger },
}
local MOST_T = "18446744073709551615"
local NAMES = { s = "a string", b = "true or false", d = "a number", o = "an object path", g = "a signature",
  h = "a file descriptor", v = "any value", ay = 'bytes: {"base64": "..."} or a string' }


-- --- signatures -------------------------------------------------------------------------------------

local BASIC = { y = true, b = true, n = true, q = true, i = true, u = true, x = true, t = true, d = true, s = true, o = true,
  g = true, h = true }


--- Returns the place behind the complete type at `at`; nil if there is none.
local function after_type(text, at, arrays, structs)
  local first = text:sub(at, at)
  if BASIC[first] or first == "v" then return at + 1 end
  if first == "a" then
    if arrays >= DEPTH then return nil end
    if text:sub(at + 1, at + 1) ~= "{" then return after_type(text, at + 1, arrays + 1, structs) end
    local value = BASIC[text:sub(at + 2, at + 2)] and structs < DEPTH and after_type(text, at + 3, arrays + 1, structs + 1)
    return value and text:sub(value, value) == "}" and value + 1 or nil
  end
  if first ~= "(" or structs >= DEPTH or text:sub(at + 1, at + 1) == ")" then return nil end
  at = at + 1
  while text:sub(at, at) ~= ")" do
    local past = after_type(text, at, arrays, structs + 1)
    if not past then return nil end
    at = past
  end
  return at + 1
end


--- True if the text is a signature: complete types, one behind the other.
---@param text string
---@param single? boolean  true: of one type
---@return boolean
function M.is_valid(text, single)
  local at, count = 1, 0
  if #text > 255 then return false end
  while at and at <= #text do
    at, count = after_type(text, at, 0, 0), count + 1
  end
  return at ~= nil and (not single or count == 1)
end


--- Splits a signature into its complete types: "sa{sv}i" has three. What is none is the last one.
---@param text string
---@return string[]
function M.types(text)
  local types, at = {}, 1
  while at <= #text do
    local past = after_type(text, at, 0, 0) or #text + 1
    types[#types + 1] = text:sub(at, past - 1)
    at = past
  end
  return types
end


--- True if the text is the path of an object.
---@param text string
---@return boolean
function M.is_path(text)
  return text == "/" or text:find "^/" ~= nil and not text:find "[^%w_/]" and not text:find "//" and not text:find "/$"
end


--- The type in words: "an integer from 0 to 255".
---@param kind string  the signature of one type
---@return string
function M.named(kind)
  local range = RANGES[kind]
  if range then
    local most, long = kind == "t" and MOST_T or range[2], kind == "x" or kind == "t"
    return ("an integer from %d to %s%s"):format(range[1], most, long and " (beyond 2^53 as a string)" or "")
  end
  if NAMES[kind] then return NAMES[kind] end
  if kind:find "^a{" then return kind:find "^a{[sog]" and "an object" or "an object, or a list of pairs" end
  if kind:find "^a" then return "a list" end
  return ("a list of %d values"):format(#M.types(kind:sub(2, -2)))
end


-- --- values -----------------------------------------------------------------------------------------

local function shown(value)
  if value == nil or value == json.null then return "null" end
  local text = json.encode(value) or tostring(value)
  if #text <= SHOWN then return text end
  return text:sub(1, utf8.offset(text, 0, SHOWN + 1) - 1) .. "..."
end


--- Ends the conversion with an error, which M.convert() catches.
local function misfit(where, expected, value)
  error({ misfit = ("%s: expected %s, not %s"):format(where, expected, shown(value)) }, 0)
end


local function is_list(value) return type(value) == "table" and (json.is_array(value) or next(value) == nil) end

local function is_object(value) return type(value) == "table" and (not json.is_array(value) or next(value) == nil) end


--- A whole number that is written with digits; it may be larger than an integer of Lua.
local function of_digits(text, kind)
  if (kind ~= "x" and kind ~= "t") or not text:find "^%-?%d+$" then return nil end
  local whole = math.tointeger(tonumber(text))
  if whole and tostring(whole) == text then return (kind == "x" or whole >= 0) and whole or nil end
  local fits = kind == "t" and not text:find "^0." and (#text < #MOST_T or #text == #MOST_T and text <= MOST_T)
  return fits and not text:find "^%-" and text or nil
end


local function integer(kind, value, where)
  local range, whole = RANGES[kind], nil
  if type(value) == "string" then
    whole = of_digits(value, kind)
  elseif type(value) == "number" then
    whole = math.tointeger(value)
    -- a float that large has lost digits that its sender may have meant
    if math.type(value) == "float" and (value > EXACT or value < -EXACT) then whole = nil end
    if whole and (whole < range[1] or whole > range[2]) then whole = nil end
  end
  if whole == nil then misfit(where, M.named(kind), value) end
  return whole
end


local function text(kind, value, where)
  local fits = type(value) == "string" and not value:find("\0", 1, true) and utf8.len(value)
  if fits and kind == "o" then fits = M.is_path(value) end
  if fits and kind == "g" then fits = M.is_valid(value) end
  if not fits then misfit(where, kind == "s" and type(value) == "string" and "UTF-8 without NUL" or M.named(kind), value) end
  return value
end


--- The bytes of `ay` as a list; nil: the value is none of its two short forms.
local function bytes(value, where)
  local raw
  if type(value) == "string" then
    raw = value:find "%z$" and value or value .. "\0"
  elseif is_object(value) and type(value.base64) == "string" and next(value, next(value)) == nil then
    raw = crypto.unbase64(value.base64)
    if not raw then misfit(where, "base64 that is valid", value.base64) end
  else
    return nil
  end
  local list = json.array {}
  for from = 1, #raw, 4096 do table.move({ raw:byte(from, from + 4095) }, 1, 4096, from, list) end
  return list
end


local convert


--- The signature that a value of JSON has by itself.
local function own_type(value, where)
  if type(value) == "string" then return "s" end
  if type(value) == "boolean" then return "b" end
  if math.type(value) == "integer" then return value >= RANGES.i[1] and value <= RANGES.i[2] and "i" or "x" end
  if type(value) == "number" then
    local whole = math.abs(value) <= EXACT and math.tointeger(value)
    return whole and own_type(whole) or "d"
  end
  if type(value) ~= "table" then misfit(where, M.named "v", value) end
  if not json.is_array(value) and next(value) ~= nil then return "a{sv}" end
  for _, item in ipairs(value) do
    if type(item) ~= "string" then return "av" end
  end
  return json.is_array(value) and "as" or "a{sv}"
end


local function variant(value, where, depth)
  local kind = nil
  if is_object(value) and type(value.type) == "string" and value.value ~= nil then
    local count = 0
    for _ in pairs(value) do count = count + 1 end
    kind = count == 2 and value.type or nil
  end
  if not kind then
    kind = own_type(value, where)
    return json.array { kind, convert(kind, value, where, depth + 1) }
  end
  if not M.is_valid(kind, true) then misfit(where .. ".type", "the signature of one type", kind) end
  return json.array { kind, convert(kind, value.value, where .. ".value", depth + 1) }
end


--- A dictionary with keys of strings as an object, any other as a list of pairs.
local function dictionary(kind, value, where, depth)
  local key_kind, value_kind = kind:sub(3, 3), kind:sub(4, -2)
  local pairs_of = {}
  if is_object(value) then
    for key, item in pairs(value) do pairs_of[#pairs_of + 1] = { key, item } end
    table.sort(pairs_of, function(a, b) return tostring(a[1]) < tostring(b[1]) end)
  elseif is_list(value) then
    for i, pair in ipairs(value) do
      if not is_list(pair) or #pair ~= 2 then misfit(("%s[%d]"):format(where, i), "a pair of key and value", pair) end
      pairs_of[i] = pair
    end
  else
    misfit(where, M.named(kind), value)
  end
  local out = key_kind == "s" and json.object {} or json.array {}
  for _, pair in ipairs(pairs_of) do
    local key, there = pair[1], where .. "." .. shown(pair[1])
    -- keys of an object are strings, whatever their type
    if type(key) == "string" and RANGES[key_kind] then key = math.tointeger(tonumber(key)) or key end
    if type(key) == "string" and key_kind == "d" then key = tonumber(key) or key end
    if key_kind == "b" and (key == "true" or key == "false") then key = key == "true" end
    key = convert(key_kind, key, "the key " .. there, depth + 1)
    local item = convert(value_kind, pair[2], there, depth + 1)
    if key_kind == "s" then out[key] = item else out[#out + 1] = json.array { key, item } end
  end
  return out
end


local function list(kind, value, where, depth)
  if not is_list(value) then misfit(where, M.named(kind), value) end
  local out, item_kind = json.array {}, kind:sub(2)
  for i, item in ipairs(value) do out[i] = convert(item_kind, item, ("%s[%d]"):format(where, i), depth + 1) end
  return out
end


local function struct(kind, value, where, depth)
  local kinds = M.types(kind:sub(2, -2))
  if not is_list(value) or #value ~= #kinds then misfit(where, M.named(kind), value) end
  local out = json.array {}
  for i, each in ipairs(kinds) do out[i] = convert(each, value[i], ("%s[%d]"):format(where, i), depth + 1) end
  return out
end


function convert(kind, value, where, depth)
  if depth > 2 * DEPTH then misfit(where, "fewer values in one another", value) end
  if value == nil or value == json.null then misfit(where, M.named(kind), nil) end
  if RANGES[kind] then return integer(kind, value, where) end
  if kind == "s" or kind == "o" or kind == "g" then return text(kind, value, where) end
  if kind == "v" then return variant(value, where, depth) end
  if kind == "h" then error({ misfit = where .. ": a file descriptor cannot be sent. Choose another method" }, 0) end
  if kind == "b" or kind == "d" then
    if type(value) ~= (kind == "b" and "boolean" or "number") or value ~= value then misfit(where, M.named(kind), value) end
    return value
  end
  if kind == "ay" then
    local raw = bytes(value, where)
    if raw then return raw end
    if not is_list(value) then misfit(where, M.named(kind), value) end
  end
  if kind:find "^a{" then return dictionary(kind, value, where, depth) end
  if kind:find "^a" then return list(kind, value, where, depth) end
  return struct(kind, value, where, depth)
end


--- Brings a value of JSON into the form of one type.
---@param kind string   the signature of one type
---@param value any     as sys.json decodes it
---@param where string  for errors: "argument 2 (urgency)"
---@return any? converted
---@return string? err  names the argument, the type that is expected and what was given
---@return string? code "bad_argument"
function M.convert(kind, value, where)
  local ok, made = pcall(convert, kind, value, where, 0)
  if ok then return made end
  if type(made) == "table" and made.misfit then return nil, made.misfit, "bad_argument" end
  error(made, 0)
end


-- --- answers ----------------------------------------------------------------------------------------

--- Bytes as a text if they are one with the NUL that ends it; else as base64.
local function told_bytes(octets)
  local parts = {}
  for from = 1, #octets, 200 do parts[#parts + 1] = string.char(table.unpack(octets, from, math.min(from + 199, #octets))) end
  local raw = table.concat(parts)
  local plain = raw:match "^([^%z]*)%z$"
  if plain and utf8.len(plain) and plain ~= "" then return plain end
  return { base64 = crypto.base64(raw) }
end


local tell

local function tell_loose(value, depth)
  if math.type(value) == "integer" and (value > EXACT or value < -EXACT) then return tostring(value) end
  if type(value) == "number" and (value ~= value or value == math.huge or value == -math.huge) then return tostring(value) end
  if type(value) ~= "table" or depth > 2 * DEPTH then return value end
  local out = json.is_array(value) and json.array {} or json.object {}
  for key, item in pairs(value) do out[key] = tell_loose(item, depth + 1) end
  return out
end


function tell(kind, value, depth)
  if type(value) ~= "table" then return tell_loose(value, depth) end
  if kind == "ay" then return told_bytes(value) end
  if kind:find "^a{" and kind:sub(3, 3) == "s" then
    local out, item_kind = json.object {}, kind:sub(4, -2)
    for key, item in pairs(value) do out[key] = tell(item_kind, item, depth + 1) end
    return out
  elseif kind:find "^a{" then
    local out, item_kind = json.array {}, kind:sub(4, -2)
    for i, pair in ipairs(value) do out[i] = json.array { tell_loose(pair[1], depth), tell(item_kind, pair[2], depth + 1) } end
    return out
  elseif kind:find "^a" then
    local out, item_kind = json.array {}, kind:sub(2)
    for i, item in ipairs(value) do out[i] = tell(item_kind, item, depth + 1) end
    return out
  elseif kind:find "^%(" then
    local out = json.array {}
    for i, each in ipairs(M.types(kind:sub(2, -2))) do out[i] = tell(each, value[i], depth + 1) end
    return out
  end
  return tell_loose(value, depth)
end


--- Brings a value of an answer into JSON: bytes become a text or {"base64": "..."}, and whole numbers beyond 2^53 strings.
---@param kind string  the signature of one type
---@param value any    as sys.dbus returns it
---@return any
function M.told(kind, value) return tell(kind, value, 0) end


return M
