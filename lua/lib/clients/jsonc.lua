--- Edits one entry in a JSON file of settings, and leaves every other byte as it is: comments, trailing commas, order.

local json = require "sys.json"

local M = {}


local function wrong(message, ...) error({ wrong = message:format(...) }, 0) end


-- --- reading ------------------------------------------------------------------------------

local function line_of(text, at)
  local _, lines = text:sub(1, at):gsub("\n", "")
  return lines + 1
end


--- Returns the place behind blanks and comments.
local function skip(text, at)
  while true do
    at = text:find("[^ \t\r\n]", at) or #text + 1
    local two = text:sub(at, at + 1)
    if two == "//" then
      at = text:find("\n", at, true) or #text + 1
    elseif two == "/*" then
      local _, stop = text:find("*/", at + 2, true)
      if not stop then wrong("the comment on line %d does not end", line_of(text, at)) end
      at = stop + 1
    else
      return at
    end
  end
end


--- Returns the place behind the string that begins here.
local function string_end(text, at)
  local stop = at + 1
  while true do
    local found = text:find('["\\\n]', stop)
    local c = found and text:sub(found, found)
    if c == '"' then return found + 1 end
    if c ~= "\\" then wrong("the string on line %d does not end", line_of(text, at)) end
    stop = found + 2
  end
end


local value_end

---@class clients.jsonc.Member
---@field name string
---@field from integer   the first byte of its name
---@field value integer  the first byte of its value
---@field stop integer   the last byte of its value

---@class clients.jsonc.Object
---@field open integer
---@field close integer
---@field members clients.jsonc.Member[]
---@field comma? integer  the place of a trailing comma

---@return clients.jsonc.Object
local function read_object(text, open)
  local object = { open = open, members = {} }
  local at = skip(text, open + 1)
  while text:sub(at, at) ~= "}" do
    if text:sub(at, at) ~= '"' then wrong("line %d: a name in quotes is expected", line_of(text, at)) end
    local name_end = string_end(text, at)
    local colon = skip(text, name_end)
    if text:sub(colon, colon) ~= ":" then wrong("line %d: ':' is expected", line_of(text, colon)) end
    local value = skip(text, colon + 1)
    local stop = value_end(text, value)
    object.members[#object.members + 1] =
      { name = json.decode(text:sub(at, name_end - 1)), from = at, value = value, stop = stop - 1 }
    at, object.comma = skip(text, stop), nil
    if text:sub(at, at) == "," then
      object.comma = at
      at = skip(text, at + 1)
    elseif text:sub(at, at) ~= "}" then
      wrong("line %d: ',' or '}' is expected", line_of(text, at))
    end
  end
  object.close = at
  return object
end


local function array_end(text, open)
  local at = skip(text, open + 1)
  while text:sub(at, at) ~= "]" do
    at = skip(text, value_end(text, at))
    if text:sub(at, at) == "," then
      at = skip(text, at + 1)
    elseif text:sub(at, at) ~= "]" then
      wrong("line %d: ',' or ']' is expected", line_of(text, at))
    end
  end
  return at + 1
end


function value_end(text, at)
  local c = text:sub(at, at)
  if c == "{" then return read_object(text, at).close + 1 end
  if c == "[" then return array_end(text, at) end
  if c == '"' then return string_end(text, at) end
  local stop = text:match("^[%w%+%-%.]+()", at)
  if not stop then wrong("line %d: a value is expected", line_of(text, at)) end
  return stop
end


--- Returns the member of this name. Ends with a message if there are two, because readers differ in which one they use.
local function member(object, name)
  local one, index
  for i, found in ipairs(object.members) do
    if found.name == name then
      if one then wrong("%q is there twice", name) end
      one, index = found, i
    end
  end
  return one, index
end


-- --- writing --------------------------------------------------------------------------------

--- Returns the blanks before a place, if there is nothing else before it on its line; otherwise those of that line's beginning.
local function indent_at(text, at)
  local start = at
  while start > 1 and text:sub(start - 1, start - 1) ~= "\n" do start = start - 1 end
  return text:sub(start, at - 1):match "^[ \t]*$" or text:sub(start):match "^[ \t]*"
end


--- Returns the indentation of one level in this file.
local function step_of(text)
  return text:match "\n(\t)" or text:match "\n( +)%S" or "  "
end


local function pretty(value, indent, step)
  local encoded = assert(json.encode(value, { pretty = true }))
  return (encoded:gsub("\n( *)", function(blanks) return "\n" .. indent .. step:rep(#blanks // 2) end))
end


--- Returns the text with a member added at the end of the object.
local function add(text, object, name, value, step)
  local last = object.members[#object.members]
  local indent = last and indent_at(text, last.from) or indent_at(text, object.open) .. step
  local line = "\n" .. indent .. json.encode(name) .. ": " .. pretty(value, indent, step)
  if not last then
    local outer = indent_at(text, object.open)
    local within = text:sub(object.open + 1, object.close - 1):gsub("%s+$", "")
    return text:sub(1, object.open) .. within .. line .. "\n" .. outer .. text:sub(object.close)
  end
  if object.comma then return text:sub(1, object.comma) .. line .. "," .. text:sub(object.comma + 1) end
  return text:sub(1, last.stop) .. "," .. line .. text:sub(last.stop + 1)
end


--- Returns the text without the last member. The text behind the one before it stays, including its comment, and so does a
--- comma at the end of all.
local function remove_last(text, object, before, gone)
  local between = text:sub(before.stop + 1, gone.from - 1)
  local rest = text:sub((object.comma or gone.stop) + 1)
  if not object.comma then
    local comma = skip(text, before.stop + 1) - before.stop
    between = between:sub(1, comma - 1) .. between:sub(comma + 1)
  end
  local alone = not between:find "/" or rest:find "^[ \t]*\r?\n"
  return text:sub(1, before.stop) .. (alone and between:gsub("%s+$", "") or between) .. rest
end


--- Returns the text without a member and its comma.
local function remove(text, object, index)
  local gone, before, after = object.members[index], object.members[index - 1], object.members[index + 1]
  if after then return text:sub(1, gone.from - 1) .. text:sub(after.from) end
  if before then return remove_last(text, object, before, gone) end
  local stop = object.comma or gone.stop
  return text:sub(1, object.open) .. text:sub(stop + 1, object.close - 1):gsub("^%s+$", "") .. text:sub(object.close)
end


local function root_of(text)
  local open = skip(text, 1)
  if text:sub(open, open) ~= "{" then wrong("line %d: an object is expected", line_of(text, open)) end
  local root = read_object(text, open)
  if skip(text, root.close + 1) <= #text then
    wrong("line %d: nothing is expected behind the object", line_of(text, skip(text, root.close + 1)))
  end
  return root
end


local function edit(text, key, name, value)
  if skip(text, 1) > #text then
    if not value then return text end
    text = text .. "{}\n"
  end
  local root = root_of(text)
  local outer, step = member(root, key), step_of(text)
  if outer and text:sub(outer.value, outer.value) ~= "{" then wrong("%q is not an object", key) end
  if not outer then return value and add(text, root, key, json.object { [name] = value }, step) or text end
  local servers = read_object(text, outer.value)
  local old, index = member(servers, name)
  if not value then return old and remove(text, servers, index) or text end
  if not old then return add(text, servers, name, value, step) end
  return text:sub(1, old.value - 1) .. pretty(value, indent_at(text, old.from), step) .. text:sub(old.stop + 1)
end


--- Returns the text with value at key.name, or without it.
---@param text string
---@param key string
---@param name string
---@param value? table
---@return string? text
---@return string? err   the place that was not understood
function M.set(text, key, name, value)
  local ok, result = pcall(edit, text, key, name, value)
  if ok then return result end
  if type(result) ~= "table" or not result.wrong then error(result, 0) end
  return nil, result.wrong
end


--- Returns the entry alone, as the file would have it.
---@param key string
---@param name string
---@param value table
---@return string
function M.snippet(key, name, value)
  return assert(json.encode(json.object { [key] = json.object { [name] = value } }, { pretty = true })) .. "\n"
end


return M
