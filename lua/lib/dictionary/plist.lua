--- Reads property lists, the files of settings on a Mac: the binary ones and those in XML.

local xml = require "sys.xml"

local M = {}

local MOST = 100000     -- objects of a binary list
local DEPTH = 64


-- --- XML ------------------------------------------------------------------------------

local element_value

local function dictionary_of(element)
  local values, key = {}, nil
  for _, child in ipairs(element.children) do
    if type(child) == "table" then
      if child.name == "key" then
        key = child.children[1] or ""
      elseif key then
        values[key], key = element_value(child), nil
      end
    end
  end
  return values
end


local function list_of(element)
  local values = {}
  for _, child in ipairs(element.children) do
    if type(child) == "table" then values[#values + 1] = element_value(child) end
  end
  return values
end


function element_value(element)
  local text = element.children[1]
  if element.name == "dict" then return dictionary_of(element) end
  if element.name == "array" then return list_of(element) end
  if element.name == "true" or element.name == "false" then return element.name == "true" end
  if element.name == "integer" then return math.tointeger(tonumber(text)) end
  if element.name == "real" then return tonumber(text) end
  return type(text) == "string" and text or ""
end


local function read_xml(bytes)
  local root, err, code = xml.parse(bytes)
  if not root then return nil, err, code end
  for _, child in ipairs(root.children) do
    if type(child) == "table" then return element_value(child) end
  end
  return nil, "it holds no value", "malformed"
end


-- --- binary -----------------------------------------------------------------------------

local Reader = {}
Reader.__index = Reader


local TOO_MUCH = "it has too many objects, or they contain one another"

local function fail(why) error({ plist = why }, 0) end


--- A big-endian number of `size` bytes.
function Reader:number(at, size)
  if at < 1 or at + size - 1 > #self.bytes or size < 1 or size > 8 then fail "a number lies outside of it" end
  return (">I" .. size):unpack(self.bytes, at)
end


--- The count of an object, and the place behind it. Large counts are objects of their own.
function Reader:count(at, low)
  if low < 15 then return low, at + 1 end
  local size = 1 << (self:number(at + 1, 1) & 15)
  local count = self:number(at + 2, size)
  if count < 0 or count > #self.bytes then fail "a count is too large" end
  return count, at + 2 + size
end


function Reader:text(at, count, wide)
  local length = wide and count * 2 or count
  if at + length - 1 > #self.bytes then fail "a string lies outside of it" end
  if not wide then return self.bytes:sub(at, at + length - 1) end
  local codes, i = {}, at
  while i < at + length do
    local code = (">I2"):unpack(self.bytes, i)
    i = i + 2
    if code >= 0xD800 and code < 0xDC00 and i < at + length then
      code, i = 0x10000 + ((code & 0x3FF) << 10) + ((">I2"):unpack(self.bytes, i) & 0x3FF), i + 2
    end
    codes[#codes + 1] = utf8.char(code)
  end
  return table.concat(codes)
end


function Reader:items(at, count, depth)
  local values = {}
  for i = 0, count - 1 do values[i + 1] = self:object(self:number(at + i * self.ref, self.ref), depth) end
  return values
end


--- The place of the object of a number, and its first byte.
function Reader:find(number)
  self.left = self.left - 1
  if self.left < 0 then fail(TOO_MUCH) end
  if number >= self.objects then fail "it refers to an object that it does not have" end
  local at = self:number(self.offsets + number * self.offset_size, self.offset_size) + 1
  return at, self:number(at, 1)
end


--- The object of a number.
function Reader:object(number, depth)
  if depth > DEPTH then fail(TOO_MUCH) end
  local at, mark = self:find(number)
  local kind, low = mark >> 4, mark & 15
  if mark == 8 or mark == 9 then return mark == 9 end
  if kind == 1 then return self:number(at + 1, math.min(1 << low, 8)) end
  if kind == 2 then
    if low ~= 2 and low ~= 3 or at + (1 << low) > #self.bytes then fail "it has a number of another size" end
    return (low == 2 and ">f" or ">d"):unpack(self.bytes, at + 1)
  end
  if kind == 3 or kind == 8 then return "" end        -- a date, a reference: nobody here reads them
  local count, from = self:count(at, low)
  if kind == 4 or kind == 5 then return self:text(from, count, false) end
  if kind == 6 then return self:text(from, count, true) end
  if kind == 10 then return self:items(from, count, depth + 1) end
  if kind ~= 13 then fail "it has an object of an unknown kind" end
  local keys, values = self:items(from, count, depth + 1), self:items(from + count * self.ref, count, depth + 1)
  local map = {}
  for i, key in ipairs(keys) do
    if type(key) == "string" then map[key] = values[i] end
  end
  return map
end


--- One member of the dictionary of a number; nil if it has none.
function Reader:member(number, name)
  local at, mark = self:find(number)
  if mark >> 4 ~= 13 then fail "it is not a dictionary" end
  local count, from = self:count(at, mark & 15)
  for i = 0, count - 1 do
    if self:object(self:number(from + i * self.ref, self.ref), 2) == name then
      return self:object(self:number(from + (count + i) * self.ref, self.ref), 2)
    end
  end
  return nil
end


--- Opens a binary list, and calls a function of the reader for its top object.
local function read_binary(bytes, read, ...)
  if #bytes < 40 then return nil, "it is too short", "malformed" end
  local reader = setmetatable({ bytes = bytes, left = MOST }, Reader)
  local at = #bytes - 31      -- the trailer
  reader.offset_size, reader.ref = reader:number(at + 6, 1), reader:number(at + 7, 1)
  reader.objects = reader:number(at + 8, 8)
  reader.offsets = reader:number(at + 24, 8) + 1
  local ok, value = pcall(read, reader, reader:number(at + 16, 8), ...)
  if ok then return value end
  if type(value) == "table" and value.plist then return nil, value.plist, "malformed" end
  error(value, 0)
end


---@param bytes string
---@return any value
---@return string? err
---@return string? code  "malformed", or those of sys.xml.read()
function M.read(bytes)
  if bytes:sub(1, 8) == "bplist00" then return read_binary(bytes, Reader.object, 1) end
  return read_xml(bytes)
end


--- Reads one member of the dictionary that a list is. A binary list may have very many others: they are not read.
---@param bytes string
---@param name string
---@return any value     nil without a message: it has no such member
---@return string? err
---@return string? code  as read()
function M.member(bytes, name)
  if bytes:sub(1, 8) == "bplist00" then return read_binary(bytes, Reader.member, name) end
  local value, err, code = read_xml(bytes)
  if err then return nil, err, code end
  if type(value) ~= "table" then return nil, "it is not a dictionary", "malformed" end
  return value[name]
end


return M
