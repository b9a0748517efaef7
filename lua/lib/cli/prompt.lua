--- What `perigee repl` leaves to Lua: what Tab offers, and how values look.

local engine  = require "sys.engine"
local files   = require "sys.files"
local inspect = require "inspect"
local text    = require "cli.text"

local M = {}

local KEYWORDS = { "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
  "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while" }


-- --- completion -----------------------------------------------------------------------

--- The last brace that is open at the end of a text, looking no further into strings than it must.
local function open_brace(line)
  local stack, at = {}, 1
  while at <= #line do
    local c = line:sub(at, at)
    if c == '"' or c == "'" then
      local stop = at + 1
      while stop <= #line and line:sub(stop, stop) ~= c do
        stop = stop + (line:sub(stop, stop) == "\\" and 2 or 1)
      end
      if stop > #line then return nil end -- within a string
      at = stop
    elseif c == "{" or c == "(" or c == "[" then
      stack[#stack + 1] = at
    elseif c == "}" or c == ")" or c == "]" then
      stack[#stack] = nil
    end
    at = at + 1
  end
  local last = stack[#stack]
  return last and line:sub(last, last) == "{" and last or nil
end


--- The tool whose arguments are being written: `tools.NAME{ a = 1, ` or `tools.NAME({`.
local function tool_at(line)
  local brace = open_brace(line)
  local before = brace and line:sub(1, brace - 1):gsub("%s*%(?%s*$", "")
  return before and (before:match "tools%.([%w_]+)$" or before:match "tools%[[\"']([^\"']+)[\"']%]$")
end


local function add(found, seen, name, start, suffix)
  if type(name) ~= "string" or seen[name] or name:sub(1, #start) ~= start then return end
  if not name:find "^[%a_][%w_]*$" then return end
  seen[name] = true
  found[#found + 1] = name .. (suffix or "")
end


local function add_parameters(found, seen, tool, start)
  for _, name in ipairs(files.parameters(tool) or {}) do add(found, seen, name, start, " = ") end
end


local function add_fields(found, seen, value, start, only_functions)
  if type(value) == "string" then value = string end
  if type(value) ~= "table" then return end
  local ok = pcall(function()
    for name, field in pairs(value) do
      if not only_functions or type(field) == "function" then add(found, seen, name, start) end
    end
  end)
  return ok
end


--- What `a.b.c` stands for, without calling anything.
local function value_of(env, path)
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


local function is_tools(env, value)
  return rawequal(value, rawget(env, "tools")) or rawequal(value, rawget(env, "perigee") and env.perigee.tools)
end


--- What may stand at the end of a line instead of its last `replace` bytes.
---@param env table   the prompt's globals
---@param line string what stands before the cursor
---@return string[] choices
---@return integer replace
function M.complete(env, line)
  local word = line:match "[%w_%.:]*$"
  local path, start = word:match "^(.*)[%.:]([^%.:]*)$"
  local found, seen = {}, {}
  if path then
    local value = value_of(env, path)
    if value ~= nil and is_tools(env, value) then
      for _, tool in ipairs(engine.tools()) do add(found, seen, tool.name, start) end
    else
      add_fields(found, seen, value, start, word:sub(#path + 1, #path + 1) == ":")
    end
  else
    start = word
    local tool = tool_at(line)
    if tool then add_parameters(found, seen, tool, start) end
    if not tool or (start ~= "" and #found == 0) then
      for _, keyword in ipairs(KEYWORDS) do add(found, seen, keyword, start) end
      add_fields(found, seen, env, start)
    end
  end
  table.sort(found)
  return found, #start
end


-- --- help -----------------------------------------------------------------------------------

local HELP = [[
tools                      the names of all tools
tools.NAME { a = 1 }       calls one; _ is the last value
help(tools.NAME)           what a tool does, and its parameters; help "NAME" does the same
require "perigee"          the program's own functions; docs/scripts.md has all modules
Tab completes, Ctrl-C stops what runs, exit or Ctrl-D leaves.]]


local function tool_help(name)
  local tool = engine.tool(name)
  if not tool then
    local names = {}
    for i, other in ipairs(engine.tools()) do names[i] = other.name end
    local near = require("nearest").question(name, names, "; ")
    return ("There is no tool %q%s\nThe word tools shows the names of all tools."):format(name, near ~= "" and near or ".")
  end
  local lines = {}
  require("cli.detail").print(tool, { color = false, print = function(_, line) lines[#lines + 1] = line end })
  return table.concat(lines, "\n")
end


--- Gives the prompt's globals `help`.
---@param env table
---@param tool_of fun(value: any): string?  the name of the tool that a function of `tools` calls
function M.equip(env, tool_of)
  rawset(env, "help", setmetatable({}, {
    __tostring = function() return HELP end,
    __call = function(_, ...)
      local what = ...
      if select("#", ...) == 0 then return HELP end
      local name = type(what) == "string" and what or tool_of(what)
      if name then return tool_help(name) end
      if is_tools(env, what) then return tostring(what) end
      return "That is a " .. type(what) .. ". " .. HELP
    end,
  }))
end


-- --- showing ------------------------------------------------------------------------------

--- Values as lines of text. A text of several lines, alone, is shown as it is.
---@param env table  gets the first value as `_`
---@param colour boolean
---@param width integer
---@param ... any
---@return string
function M.show(env, colour, width, ...)
  local lines = {}
  rawset(env, "_", (...))
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    local ours = type(value) == "table" and (is_tools(env, value) or rawequal(value, rawget(env, "help")))
    if ours then value = tostring(value) end
    if type(value) == "string" and value:find "\n" and select("#", ...) == 1 then
      lines[i] = text.clean((value:gsub("\n$", "")))
    else
      local shown = inspect(value, { width = width, measure = text.width })
      lines[i] = text.paint(colour, type(value) == "nil" and "dim" or "green", text.clean(shown))
    end
  end
  return table.concat(lines, "\n")
end


return M
