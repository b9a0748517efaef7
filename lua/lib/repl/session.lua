--- A prompt for Lua: code that is typed runs here, with globals of its own that stay. It is in this process for `perigee repl`,
--- and in a running engine for `perigee repl --attach`.

local complete = require "repl.complete"
local console  = require "sys.console"
local engine   = require "sys.engine"
local files    = require "sys.files"
local inspect  = require "inspect"
local keys     = require "keys"
local nearest  = require "nearest"
local stubs    = require "stubs"
local text     = require "terminal.text"

local M = {}

local HELP = [[
tools                      the names of all tools
tools.NAME { a = 1 }       calls one; _ is the last value
sys.window.list()          the program's own functions: sys.NAME is require "sys.NAME"
help(tools.NAME)           what a tool does, and its parameters; help "NAME" does the same
help(sys.window.move)      what a function does; help(sys.window) lists those of a module
Tab completes, Alt-Enter begins another line, Ctrl-C stops what runs, exit or Ctrl-D leaves.]]

---@class repl.Session
---@field env table                              the globals
---@field tool_of fun(value: any): string?       returns the name of the tool that a function of `tools` calls
---@field private prompt sys.console.Prompt
---@field private modules table<string, any>     the modules that were required, guarded
---@field private sys table
local Session = {}
Session.__index = Session


-- --- modules --------------------------------------------------------------------------------

--- Returns all fields of a module, even those of a Lua part that has not been loaded yet.
local function whole(name, module)
  local all, stub = {}, stubs.of(name)
  for key, value in pairs(module) do all[key] = value end
  for _, key in ipairs(stub and stub.order or {}) do
    if all[key] == nil then all[key] = module[key] end
  end
  return all
end


local function no_field(name, module, key)
  local names = keys.sorted(whole(name, module))
  error(("%s has no field %q%s"):format(name, tostring(key), nearest.question(tostring(key), names, "; ")), 3)
end


--- Guards a module: reading a field that it does not have raises an error that names the nearest one.
local function guarded(name, module)
  if type(module) ~= "table" then return module end
  return setmetatable({}, {
    __index = function(_, key)
      local value = module[key]
      if value == nil then no_field(name, module, key) end
      return value
    end,
    __newindex = function(_, key) error(("%s is read-only (field %q)"):format(name, tostring(key)), 2) end,
    __pairs = function() return pairs(whole(name, module)) end,
    __tostring = function() return inspect(whole(name, module)) end,
  })
end


--- Provides a `require` that guards the modules of sys, and `sys` with all of them.
local function give_modules(session)
  local real = session.env.require
  local function of(name)
    if session.modules[name] == nil then
      local ok, module = pcall(real, name)
      if not ok then error((tostring(module):gsub("^lib/repl/session%.lua:%d+: ", "")), 3) end
      session.modules[name] = guarded(name, module)
    end
    return session.modules[name]
  end
  rawset(session.env, "require", function(name)
    local ours = type(name) == "string" and name:find "^sys%."
    local module = (ours and of or real)(name)
    return module
  end)
  rawset(session.env, "sys", setmetatable({}, {
    __index = function(_, key)
      local module = of("sys." .. tostring(key))
      return module
    end,
    __newindex = function() error("sys is read-only", 2) end,
    __pairs = function()
      local names = {}
      for _, name in ipairs(files.modules()) do names[name:match "^sys%.(.+)$"] = true end
      return next, names
    end,
    __tostring = function() return table.concat(files.modules(), "\n") end,
  }))
end


--- Returns the name of the module that require returns as this value.
function Session:module_name(value)
  for name, module in pairs(self.modules) do
    if rawequal(module, value) then return name end
  end
end


--- Returns the declaration of a function of the sys modules.
---@param value any
---@return stubs.Stub? stub
---@return stubs.Function? fn
function Session:declared(value)
  if type(value) ~= "function" then return nil end
  for _, name in ipairs(keys.sorted(self.modules)) do
    local module = self.modules[name]
    for key, field in pairs(type(module) == "table" and module or {}) do
      local stub = rawequal(field, value) and stubs.of(name)
      if stub and stub.functions[key] then return stub, stub.functions[key] end
    end
  end
end


-- --- help -----------------------------------------------------------------------------------

local function tool_help(name)
  local tool = engine.tool(name)
  if not tool then
    local names = {}
    for i, other in ipairs(engine.tools()) do names[i] = other.name end
    local near = nearest.question(name, names, "; ")
    return ("There is no tool %q%s\nThe word tools shows the names of all tools."):format(name, near ~= "" and near or ".")
  end
  local lines = {}
  require("cli.detail").print(tool, { color = false, print = function(_, line) lines[#lines + 1] = line end })
  return table.concat(lines, "\n")
end


function Session:help(...)
  local what = ...
  if select("#", ...) == 0 then return HELP end
  if type(what) == "string" then return not engine.tool(what) and stubs.named(what) or tool_help(what) end
  local tool, module = self.tool_of(what), self:module_name(what)
  if tool then return tool_help(tool) end
  if module then return stubs.named(module) end
  local stub, fn = self:declared(what)
  if fn then return stubs.help(stub, fn) end
  if self:is_tools(what) or rawequal(what, self.env.sys) then return tostring(what) end
  return "That is a " .. type(what) .. ". " .. HELP
end


local function give_help(session)
  rawset(session.env, "help", setmetatable({}, {
    __tostring = function() return HELP end,
    __call = function(_, ...)
      local said = session:help(...)
      return said:find "\n" and said or said .. "\n" -- ends in a line break, so that it is shown as text and not as a string
    end,
  }))
end


-- --- showing --------------------------------------------------------------------------------

---@param value any
---@return boolean
function Session:is_tools(value)
  local env = self.env
  return rawequal(value, rawget(env, "tools")) or rawequal(value, rawget(env, "perigee") and env.perigee.tools)
end


--- True if a value is shown by a description of its own.
function Session:has_words(value)
  return type(value) == "table" and (self:is_tools(value) or rawequal(value, rawget(self.env, "help"))
    or rawequal(value, rawget(self.env, "sys")) or self:module_name(value) ~= nil)
end


--- Shows values as text. A nil is marked "nil", and a string of several lines, which is shown as it is if it is alone, "text".
--- The first value becomes `_`.
---@return {[1]: string, [2]?: "nil"|"text"}[]
function Session:show(options, ...)
  local shown, count = {}, select("#", ...)
  rawset(self.env, "_", (...))
  for i = 1, count do
    local value = select(i, ...)
    if self:has_words(value) then value = tostring(value) end
    if type(value) == "string" and value:find "\n" and count == 1 then
      shown[i] = { (value:gsub("\n$", "")), "text" }
    else
      shown[i] = { inspect(value, { width = options.width }), value == nil and "nil" or nil }
    end
  end
  return shown
end


--- Formats the result of show() for a terminal.
---@param shown {[1]: string, [2]?: "nil"|"text"}[]
---@param color boolean
---@return string
function M.painted(shown, color)
  local lines = {}
  for i, each in ipairs(shown) do
    lines[i] = each[2] == "text" and text.clean(each[1])
      or text.paint(color, each[2] == "nil" and "dim" or "green", each[1])
  end
  return table.concat(lines, "\n")
end


--- Removes from a traceback the lines about this file, and those of C that led there.
local function without_ours(message)
  local lines, c = {}, {}
  for line in (message .. "\n"):gmatch "(.-)\n" do
    if line:find "^\t%[C%]: in " then
      c[#c + 1] = line
    elseif line:find "^\tlib/repl/session%.lua:" then
      c = {}
    else
      lines = table.move(c, 1, #c, #lines + 1, lines)
      lines[#lines + 1], c = line, {}
    end
  end
  return table.concat(table.move(c, 1, #c, #lines + 1, lines), "\n")
end


--- Adds the nearest name to an error about a misspelled global, which is nil.
function Session:explained(message)
  message = without_ours(message)
  local name = message:match "%(global '([%w_]+)'%)"
  if not name or rawget(self.env, name) ~= nil then return message end
  local question = nearest.question(name, keys.sorted(self.env), "; ")
  if question == "" then return message end
  local first, rest = message:match "^([^\n]*)(.*)$"
  return first .. question .. rest
end


---@class repl.Options
---@field width? integer   columns in which a table is written on one line
---@field printed? fun(lines: string)  gets printed lines; default: they go where prints of this task go
---@field timeout? number  seconds
---@field memory? integer  bytes

--- Runs typed code, an expression or statements, and returns its values as text.
---@param typed string
---@param options repl.Options
---@return "shown"|"nothing"|"error" kind
---@return {[1]: string, [2]?: "nil"|"text"}[]|string|nil  the values, or the message
function Session:evaluate(typed, options)
  local limits = { printed = options.printed, timeout = options.timeout, memory = options.memory }
  local function after(ok, ...)
    if not ok then
      local kind, message = ...
      return "error", kind == "failed" and self:explained(message) or message
    end
    if select("#", ...) == 0 then return "nothing" end
    return "shown", self:show(options, ...)
  end
  return after(self.prompt:run(typed, limits))
end


--- Returns the completions of this text.
---@param line string
---@return string[] choices
---@return integer replace
---@return string? hint
function Session:complete(line) return complete.at(self, line) end


---@return repl.Session
function M.new()
  local prompt = console.prompt()
  local session = setmetatable({ prompt = prompt, env = prompt:globals(), tool_of = console.tool_of, modules = {} }, Session)
  give_modules(session)
  give_help(session)
  return session
end


return M
