--- Stand-ins for the sys modules, and for the lib modules that an example names, so that the example can run anywhere: they
--- answer by its `given`, note every call, and refuse calls without an answer.
--
-- The form of an entry of `given` decides what it means:
--   a function          called with the arguments; returns the results
--   { n = 3, false, "no such file", "not_found" }   several results; a leading false means nil
--   a list              one entry for each call, in order; for functions that return a list (LISTS), the list itself
--   anything else       the result of every call

local files   = require "sys.files"
local handles = require "testing.standin_handles"
local store   = require "store"

local standin = {}
standin.__index = standin

--- Modules that examples run as they are, because they do not reach outside. sys.time does not wait: its monotonic clock goes on
--- by the time of each wait.
local REAL = {}
for _, name in ipairs { "csv", "date", "duration", "ics", "json", "log", "path", "regex", "task", "text", "url", "xml" } do
  REAL["sys." .. name] = true
end

--- Functions that return a list, for which a list in `given` is one answer.
local LISTS = { ["sys.engine.tools"] = true, ["sys.engine.prompts"] = true, ["sys.engine.services"] = true,
  ["sys.state.list"] = true, ["sys.fs.list"] = true,
  ["sys.app.installed"] = true, ["sys.app.list"] = true,
  ["sys.display.list"] = true, ["sys.window.list"] = true, ["sys.files.list"] = true, ["sys.files.parameters"] = true }


-- --- a call as text ----------------------------------------------------------------

local function plain(text)
  return text ~= "" and not text:find "[%s%c\"'{}]"
end


local describe

--- Writes a table as "a b key=value": first the list, then the keys in the order of their names.
local function describe_table(value)
  local parts, keys = {}, {}
  for i, item in ipairs(value) do parts[i] = describe(item) end
  for key in pairs(value) do
    if not (math.type(key) == "integer" and key >= 1 and key <= #value) then keys[#keys + 1] = key end
  end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for _, key in ipairs(keys) do parts[#parts + 1] = tostring(key) .. "=" .. describe(value[key]) end
  return table.concat(parts, " ")
end


function describe(value)
  if type(value) == "string" then return plain(value) and value or (("%q"):format(value):gsub("\\\n", "\\n")) end
  if type(value) == "table" then return "{" .. describe_table(value) .. "}" end
  if type(value) == "function" or type(value) == "userdata" then return type(value) end
  return tostring(value)
end


--- Writes a call as "process.run osascript - timeout=5".
local function described(name, ...)
  local parts = { (name:gsub("^sys%.", "")) }
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    local text = type(value) == "table" and describe_table(value) or describe(value)
    if text ~= "" then parts[#parts + 1] = text end
  end
  return table.concat(parts, " ")
end


-- --- answers ---------------------------------------------------------------------------

local function is_list(value)
  return type(value) == "table" and value.n == nil and #value > 0
end


local function results(answer, ...)
  if type(answer) == "function" then return answer(...) end
  if type(answer) == "table" and math.type(answer.n) == "integer" then
    local first = answer[1]
    if first == false then first = nil end
    return first, table.unpack(answer, 2, answer.n)
  end
  return answer
end


function standin:answer(name, ...)
  local call = described(name, ...)
  if not self.events or handles.acts(name) then self.calls[#self.calls + 1] = call end
  local answer = self.given[name]
  if answer == nil and self.events and handles.lasting(name) then
    local handle = handles.new(name, call, self.events, ...)
    self.handles[#self.handles + 1] = handle
    return handle
  end
  if answer == nil then
    local text = ("%s is called, and the example does not say what it answers: add given = { [%q] = ... }"):format(name, name)
    self.missing = self.missing or text
    error(text, 0)
  end
  if is_list(answer) and not (LISTS[name] and not is_list(answer[1])) then
    local count = (self.counts[name] or 0) + 1
    self.counts[name] = count
    if count > #answer then
      local text = ("%s is called %d times, and the example has %d answers"):format(name, count, #answer)
      self.missing = self.missing or text
      error(text, 0)
    end
    answer = answer[count]
  end
  return self:passing(name, table.pack(...), results(answer, ...))
end


local LONG = 10     -- seconds that a wait for windows or drawing has by default

--- Returns the seconds that a wait has.
local function patience(options, default)
  return options and options.wait or default
end

--- Seconds that a call waits, by its name, its first result and its arguments. A wait for an event that does not come takes all
--- the time that it has.
local WAITS = {
  ["sys.time.sleep"] = function(_, seconds) return seconds end,
  ["sys.element.changes"] = function(told, options) return told and #(told.events or {}) == 0 and patience(options, 0) or 0 end,
  ["sys.window.changed"] = function(mark, before, options) return mark and mark == before and patience(options, LONG) or 0 end,
  ["sys.screen.drawn"] = function(drawn, options) return drawn == false and patience(options, LONG) or 0 end,
}

--- Lets the time of a call with these arguments pass. Returns its results.
function standin:passing(name, arguments, ...)
  if WAITS[name] then self.passed = self.passed + WAITS[name]((...), table.unpack(arguments, 1, arguments.n)) end
  return ...
end


-- --- modules -----------------------------------------------------------------------------

--- Returns a table of fn's result for each field of the module. Modules of sys have fields that pairs() does not see: those of
--- the part that is Lua, which is loaded when one of them is read.
local function made_of(module, fn)
  local own = {}
  for key, value in pairs(module) do own[key] = fn(key, value) end
  return setmetatable(own, { __index = function(_, key)
    local value = module[key]
    if value == nil then return nil end
    value = fn(key, value)
    rawset(own, key, value)
    return value
  end })
end


--- Returns a module in which every function answers from the example; constants are as they are, or as given.
function standin:module(name, real)
  return made_of(real, function(key, value)
    local full = name .. "." .. key
    if type(value) == "function" then return function(...) return self:answer(full, ...) end end
    if self.given[full] ~= nil then return self.given[full] end
    return value
  end)
end


--- Returns a real module, except for the functions that the example gives or that last.
function standin:overlaid(name, real)
  return made_of(real, function(key, value)
    local full = name .. "." .. key
    if self.given[full] == nil and not (self.events and handles.lasting(full)) then return value end
    return type(value) == "function" and function(...) return self:answer(full, ...) end or self.given[full]
  end)
end


local special = {}

special["sys.time"] = function(self, real)
  local own = self:overlaid("sys.time", real)
  if self.given["sys.time.sleep"] == nil then
    own.sleep = function(seconds) self:passing("sys.time.sleep", { seconds, n = 1 }) end
  end
  if self.given["sys.time.monotonic"] == nil then own.monotonic = function() return real.monotonic() + self.passed end end
  return own
end

special["sys.env"] = function(self, real)
  local own = self:overlaid("sys.env", real)
  if self.given["sys.env.get"] == nil then
    own.get = function(name, default)
      local value = self.env[name]
      if value == nil or value == "" then return default end
      return value
    end
  end
  return own
end

special["sys.state"] = function(self)
  local tables = {}
  return {
    open = function(name)
      if self.given["sys.state.open"] ~= nil then return self:answer("sys.state.open", name) end
      tables[name] = tables[name] or {}
      return tables[name]
    end,
    list = function() return self:answer "sys.state.list" end,
  }
end


--- Nobody calls in an example, unless it says who does.
special["sys.console"] = function(self, real)
  local own = self:module("sys.console", real)
  if self.given["sys.console.caller"] == nil then own.caller = function() end end
  return own
end


--- The policy has nothing against what an example does.
special["sys.effect"] = function(self, real)
  return made_of(real, function(key)
    local full = "sys.effect." .. key
    return function(...)
      if self.given[full] ~= nil then return self:answer(full, ...) end
      return true
    end
  end)
end


--- Stores in memory, empty at first.
special["sys.store"] = function(self, real)
  local own, stores = self:overlaid("sys.store", real), {}
  if self.given["sys.store.open"] == nil then
    own.open = function(name)
      stores[name] = stores[name] or store.new(name, store.memory())
      return stores[name]
    end
  end
  return own
end


--- Tools that answer from the example, even if they do not exist: `given = { ["tools.list_windows"] = {...} }`.
special.tools = function(self)
  return setmetatable({}, { __index = function(_, tool)
    return function(args, options) return self:answer("tools." .. tool, args, options) end
  end })
end


--- True if `given` has an entry for this module.
function standin:names(module)
  for full in pairs(self.given) do
    if full:match "^(.+)%.[^.]+$" == module then return true end
  end
  return false
end


--- Returns the real module, as the file would get it; nil if there is none.
function standin:real(name)
  if name == "tools" then return require(name) end
  if name:sub(1, 4) ~= "sys." then return (files.lib(name, self.root)) end
  local ok, real = pcall(require, name)
  return ok and real or nil
end


--- Returns what a file gets from `require(name)`; nil for the real module. For sys.files.load().
function standin:lookup(name)
  if self.modules[name] then return self.modules[name] end
  if name:sub(1, 4) ~= "sys." and name ~= "tools" and not self:names(name) then return nil end
  local real = self:real(name)
  if real == nil then return nil end
  local make = special[name]
  self.modules[name] = make and make(self, real)
    or REAL[name] and self:overlaid(name, real)
    or self:module(name, real)
  return self.modules[name]
end


--- Returns the first entry of `given` that names no function or module, because it is misspelled.
function standin:misnamed()
  for full in pairs(self.given) do
    local name, key = tostring(full):match "^(.+)%.([^.]+)$"
    local real = name and self:real(name)
    if type(real) ~= "table" or real[key] == nil then return tostring(full) end
  end
end


---@param example? {given?: table, env?: table<string, string>}
---@param root? string  the root of the file whose example it is
---@param events? testing.Event[]  the events in the example of a service; with them, lasting functions need no answer
function standin.new(example, root, events)
  return setmetatable({
    root = root, events = events, handles = {},
    given = example and example.given or {}, env = example and example.env or {},
    calls = {}, counts = {}, modules = {}, passed = 0,
  }, standin)
end


return standin
