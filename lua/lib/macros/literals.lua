--- Values as Lua text. In a string, ${name} stands for a parameter or for the result of an earlier step, ${name.member} for a
--- member of that, ${name.base} for the last name of a parameter that is a path, and $${ for the characters ${. All else is data:
--- no part of a string becomes code.

local keys      = require "keys"
local nearest   = require "nearest"
local set_of    = require("word_set").of
local tool_text = require "dictionary.tool_text"

local M = {}

local DEPTH = 20   -- levels of a value

local RESERVED = set_of [[and break do else elseif end false for function goto if in local nil not or repeat return then true
  until while]]

--- Meanings of the names in ${...}.
---@class macros.Scope
---@field parameters table<string, string>  the type of each parameter
---@field results table<string, true|"text">  the names of results of earlier steps; "text": its members are strings


--- True if a text is a name of Lua.
---@param text any
---@return boolean
function M.is_name(text) return type(text) == "string" and text:find "^[%a_][%w_]*$" ~= nil and not RESERVED[text] end


--- A member of a value: `args.name`, `args["end"]`, `list[2]`.
---@param base string
---@param name string
---@return string
function M.member(base, name)
  if M.is_name(name) then return ("%s.%s"):format(base, name) end
  if name:find "^[1-9]%d*$" and #name < 16 then return ("%s[%s]"):format(base, name) end
  return ("%s[%s]"):format(base, tool_text.quoted(name))
end


--- The expression that ${path} stands for, and whether it is text.
---@return string? expression
---@return boolean|string is_text_or_err
local function meant(path, scope)
  local name, rest = path:match "^([^.]*)(.*)$"
  if scope.parameters[name] and rest == "" then
    return M.member("args", name), scope.parameters[name] == "string"
  end
  if scope.parameters[name] == "string" and rest == ".base" then
    return ("macro.base(%s)"):format(M.member("args", name)), true
  end
  if not scope.results[name] then
    local known, results = keys.sorted(scope.parameters), keys.sorted(scope.results)
    table.move(results, 1, #results, #known + 1, known)
    return nil, ("${%s} means no parameter and no result of an earlier step%s. Write $${ for the characters ${"):format(
      path, nearest.question(name, known, "; "))
  end
  local text = name
  for part in rest:gmatch "%.([^.]*)" do text = M.member(text, part) end
  return text, scope.results[name] == "text"
end


--- The pieces of a string: { text = } and { path = }.
local function pieces_of(text)
  local list, plain, at = {}, {}, 1
  local function add(piece) plain[#plain + 1] = piece end
  local function close()
    if plain[1] then list[#list + 1] = { text = table.concat(plain) } end
    plain = {}
  end
  while at <= #text do
    local dollar = text:find("$", at, true) or #text + 1
    if dollar > at then add(text:sub(at, dollar - 1)) end
    local path = text:match("^%${([^{}]*)}", dollar)
    if text:sub(dollar, dollar + 2) == "$${" then
      add "${"
      at = dollar + 3
    elseif path then
      close()
      list[#list + 1] = { path = path }
      at = dollar + #path + 3
    else
      if dollar <= #text then add "$" end
      at = dollar + 1
    end
  end
  close()
  return list
end


local function of_string(text, scope)
  if not text:find("${", 1, true) then return tool_text.quoted(text) end
  local pieces, parts = pieces_of(text), {}
  for i, piece in ipairs(pieces) do
    if piece.text then
      parts[i] = tool_text.quoted(piece.text)
    else
      local expression, is_text = meant(piece.path, scope)
      if not expression then return nil, is_text end
      parts[i] = (is_text or #pieces == 1) and expression or ("tostring(%s)"):format(expression)
    end
  end
  return table.concat(parts, " .. ")
end


local function of_number(value)
  if value == math.mininteger and math.type(value) == "integer" then return "math.mininteger" end
  if math.type(value) == "integer" then return ("%d"):format(value) end
  if value ~= value or value == math.huge or value == -math.huge then return nil, "a number has to be finite" end
  local text = ("%.17g"):format(value)
  return text:find "[.e]" and text or text .. ".0"
end


local function is_list(value) return #value > 0 or next(value) == nil end


local function of_table(value, scope, depth)
  if depth > DEPTH then return nil, ("a value has more than %d levels"):format(DEPTH) end
  local parts = {}
  if is_list(value) then
    for i, each in ipairs(value) do
      local text, err = M.value(each, scope, depth)
      if not text then return nil, err end
      parts[i] = text
    end
  else
    for _, name in ipairs(keys.sorted(value)) do
      local text, err = M.value(value[name], scope, depth)
      if not text then return nil, err end
      local key = tostring(name)
      parts[#parts + 1] = ("%s = %s"):format(M.is_name(key) and key or ("[%s]"):format(tool_text.quoted(key)), text)
    end
  end
  return #parts == 0 and "{}" or ("{ %s }"):format(table.concat(parts, ", "))
end


--- A value of JSON as Lua.
---@param value any
---@param scope macros.Scope
---@param depth? integer
---@return string? text
---@return string? err
function M.value(value, scope, depth)
  if type(value) == "string" then return of_string(value, scope) end
  if type(value) == "number" then return of_number(value) end
  if type(value) == "boolean" then return tostring(value) end
  if type(value) == "table" then return of_table(value, scope, (depth or 0) + 1) end
  return nil, ("a value is %s, which no argument can be"):format(type(value) == "nil" and "missing" or "null or of another kind")
end


return M
