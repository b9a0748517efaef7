--- Completion with Tab at a prompt: names, fields, tools, modules, arguments and their values.

local context = require "repl.context"
local engine  = require "sys.engine"
local files   = require "sys.files"
local stubs   = require "stubs"

local M = {}

local KEYWORDS = { "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
  "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while" }


---@class repl.Found
---@field list string[]
---@field seen table<string, true>
---@field start string

local function add(found, name, suffix)
  if type(name) ~= "string" or found.seen[name] or name:sub(1, #found.start) ~= found.start then return end
  found.seen[name] = true
  found.list[#found.list + 1] = name .. (suffix or "")
end


local function add_word(found, name, suffix)
  if type(name) == "string" and name:find "^[%a_][%w_]*$" then add(found, name, suffix) end
end


local function add_fields(found, value, only_functions)
  if type(value) == "string" then value = string end
  if type(value) ~= "table" then return end
  pcall(function()
    for name, field in pairs(value) do
      if not only_functions or type(field) == "function" then add_word(found, name) end
    end
  end)
end


--- Returns the value of `a.b.c`, without calling any code of the user.
---@param env table
---@param path string
---@return any
function M.value_of(env, path)
  local value = env
  for name in path:gmatch "[^%.:]+" do
    if type(value) == "string" then value = string end
    if type(value) ~= "table" then return nil end
    local container = value
    local ok, field = pcall(function() return container[name] end)
    if not ok then return nil end
    value = field
  end
  return value
end


-- --- arguments ------------------------------------------------------------------------------

local function enum_of(schema)
  if type(schema) ~= "table" then return {} end
  if type(schema.items) == "table" then schema = schema.items end
  return type(schema.enum) == "table" and schema.enum or {}
end


--- Returns the literal strings of a type: "a"|"b"
local function literals(kind)
  local values = {}
  for value in (kind or ""):gmatch '"(.-)"' do values[#values + 1] = value end
  return values
end


---@return string? name
local function tool_name(session, path)
  return path and session.tool_of(M.value_of(session.env, path))
end


--- Returns the fields that the table of an argument may have.
local function fields_of(stub, fn, index)
  local param = fn.params[index]
  return param and stub.classes[(param.type or ""):gsub("%?$", "")] or {}
end


--- Adds the names of arguments within the table of a call.
local function add_arguments(found, session, here)
  local tool = tool_name(session, here.call)
  if tool then
    for _, name in ipairs(files.parameters(tool) or {}) do add_word(found, name, " = ") end
    return
  end
  local stub, fn = session:declared(M.value_of(session.env, here.call))
  for _, field in ipairs(fn and fields_of(stub, fn, here.index) or {}) do add_word(found, field.name, " = ") end
end


--- Adds the possible values within a string that is an argument.
local function add_values(found, session, here)
  if not here.call then return end
  local tool = tool_name(session, here.call)
  local values
  if tool and here.key then
    local known = engine.tool(tool)
    values = enum_of(known and (known.inputSchema.properties or {})[here.key])
  else
    local stub, fn = session:declared(M.value_of(session.env, here.call))
    local param = fn and fn.params[here.index]
    for _, field in ipairs(here.key and fn and fields_of(stub, fn, here.index) or {}) do
      if field.name == here.key then param = field end
    end
    values = literals(param and param.type)
  end
  for _, value in ipairs(values) do add(found, value) end
end


--- Describes the argument that is to be written.
local function hint_of(session, here)
  local tool = tool_name(session, here.call)
  if tool then
    local known = engine.tool(tool)
    return known and ("tools.%s { %s }"):format(tool, table.concat(files.parameters(tool) or {}, ", "))
  end
  local stub, fn = session:declared(M.value_of(session.env, here.call))
  if not fn then return nil end
  local param = fn.params[here.index]
  local about = param and param.type and ("\n  %s  %s%s"):format(param.name, param.type,
    param.about and "  " .. param.about or "") or ""
  return stubs.signature(stub, fn) .. about
end


-- --- words ----------------------------------------------------------------------------------

local function add_modules(found)
  for _, name in ipairs(files.modules()) do add(found, name) end
  add(found, "perigee")
  for _, file in ipairs(files.list()) do
    if file.kind == "lib" and not file.name:find "^sys%." then add(found, file.name) end
  end
end


local function is_require(before) return before:find "require%s*%(?%s*$" ~= nil end


local function in_string(session, here)
  local found = { list = {}, seen = {}, start = here.quoted }
  if is_require(here.before) then add_modules(found) else add_values(found, session, here) end
  return found
end


local function in_path(session, word)
  local path, separator, start = word:match "^(.*)([%.:])([^%.:]*)$"
  if not path then return nil end
  local found = { list = {}, seen = {}, start = start }
  local value = M.value_of(session.env, path)
  if value ~= nil and session:is_tools(value) then
    for _, tool in ipairs(engine.tools()) do add_word(found, tool.name) end
  else
    add_fields(found, value, separator == ":")
  end
  return found
end


--- Returns the texts that may replace the last `replace` bytes of a line.
---@param session repl.Session
---@param line string  the text before the cursor
---@return string[] choices
---@return integer replace
---@return string? hint  a text to show if there is no choice
function M.at(session, line)
  local here = context.of(line)
  local found = here.quoted and in_string(session, here) or in_path(session, here.word)
  local hint
  if not found then
    found = { list = {}, seen = {}, start = here.word }
    if here.call and here.braces and not here.key then add_arguments(found, session, here) end
    if here.call and here.word == "" and #found.list == 0 then
      hint = hint_of(session, here)
    elseif not here.braces or here.key or here.word ~= "" and #found.list == 0 then
      for _, keyword in ipairs(KEYWORDS) do add(found, keyword) end
      add_fields(found, session.env)
    end
  end
  table.sort(found.list)
  return found.list, #found.start, hint
end


return M
