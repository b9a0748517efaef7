--- sys.hotkey: keys that call a function, in whatever application has the keyboard.

local events  = require "sys.events"
local keys_of = require "keys"
local source  = require "events.source"
local time    = require "sys.time"

local M = {}


--- Binds keys: `sys.hotkey.bind("ctrl+alt+t", function() … end)`. No application gets them until the handle is stopped. Names
--- are those of sys.input.keys(), media keys such as "playpause" and "volumeup" among them. "cmd" is the key of most
--- shortcuts: Command on a Mac, Control elsewhere.
---@param keys string
---@param pressed fun()
---@param released? fun()  called when the key is released
---@param repeated? fun()  called again and again while the key is held down, as fast as the keyboard repeats its keys. A repeat
---                        that comes while a function of these keys runs is left out. Macs do not repeat hotkeys
---@return Handle? handle
---@return string? err
---@return string? code  "hotkey_taken" (the message names the program that has it, if it is known), "unknown_key",
---                      "hotkey_failed" (macOS does not let it be bound)
function M.bind(keys, pressed, released, repeated)
  if type(pressed) ~= "function" then error("sys.hotkey.bind: expected a function, not a " .. type(pressed), 2) end
  local name = ("sys.hotkey %s"):format(keys)
  local functions = { pressed = pressed, released = released, repeated = repeated }
  local ended = 0   -- when the last function ended
  local handle, err, code = source.new(name, "hotkey " .. keys, function() return events.bind(keys, name) end,
    function(event) return event.about == "hotkey" and event or nil end,
    function(event)
      local fn = functions[event.what]
      if not fn or event.what == "repeated" and event.at < ended then return end
      local _ <close> = setmetatable({}, { __close = function() ended = time.monotonic() end })
      fn()
    end)
  if not handle then return nil, err, code end
  handle.keys = keys
  return handle
end


-- --- modes ------------------------------------------------------------------------------

--- Keys that are bound together while a mode is on.
---@class sys.hotkey.Mode
---@field private functions table<string, fun(mode: sys.hotkey.Mode)>
---@field private options sys.hotkey.ModeOptions
---@field private handles table<string, Handle>  while it is on
---@field private busy table<string, true>       the keys whose functions run
---@field private on boolean
local Mode = {}
Mode.__index = Mode
Mode.__name = "sys.hotkey.Mode"

---@class sys.hotkey.ModeOptions
---@field entered? fun(mode: sys.hotkey.Mode)
---@field exited? fun(mode: sys.hotkey.Mode)


--- Makes a mode: `hotkey.mode { h = left, l = right, escape = function(mode) mode:exit() end }`. Its keys are bound while it is
--- on. A hotkey of its own usually begins it: `hotkey.bind("ctrl+alt+w", function() assert(mode:enter()) end)`.
---@param functions table<string, fun(mode: sys.hotkey.Mode)>  by keys, as for bind()
---@param options? sys.hotkey.ModeOptions
---@return sys.hotkey.Mode
function M.mode(functions, options)
  if type(functions) ~= "table" then error("sys.hotkey.mode: expected a table, not a " .. type(functions), 2) end
  for keys, fn in pairs(functions) do
    if type(keys) ~= "string" or type(fn) ~= "function" then
      error("sys.hotkey.mode: expected functions by keys, as { escape = function(mode) … end }", 2)
    end
  end
  return setmetatable({ functions = functions, options = options or {}, handles = {}, busy = {}, on = false }, Mode)
end


--- Calls the function of keys. If it ended the mode, its own keys are released when it returns.
local function press(mode, handles, keys)
  mode.busy[keys] = true
  local ok, err = pcall(mode.functions[keys], mode)
  mode.busy[keys] = nil
  if mode.handles ~= handles then handles[keys]:stop() end
  if not ok then error(err, 0) end
end


local function stop_all(handles, busy)
  for keys, handle in pairs(handles) do
    if not busy[keys] then handle:stop() end
  end
end


--- Binds the keys. If one cannot be bound, none is. It may be called twice.
---@return true? ok
---@return string? err
---@return string? code  as of bind()
function Mode:enter()
  if self.on then return true end
  local handles = {}
  self.on, self.handles = true, handles
  for _, keys in ipairs(keys_of.sorted(self.functions)) do
    local handle, err, code = M.bind(keys, function() press(self, handles, keys) end)
    if not handle then
      self.on, self.handles = false, {}
      stop_all(handles, {})
      return nil, err, code
    end
    handles[keys] = handle
  end
  if self.options.entered then self.options.entered(self) end
  return true
end


--- Releases the keys; those whose function calls this when that returns. It may be called twice.
function Mode:exit()
  if not self.on then return end
  local handles = self.handles
  self.on, self.handles = false, {}
  stop_all(handles, self.busy)
  if self.options.exited then self.options.exited(self) end
end


---@return boolean
function Mode:is_on() return self.on end


return M
