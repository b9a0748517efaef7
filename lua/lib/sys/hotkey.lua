--- sys.hotkey: keys that call a function, in whatever application has the keyboard.

local events = require "sys.events"
local source = require "events.source"

local M = {}


--- Binds keys: `sys.hotkey.bind("ctrl+alt+t", function() … end)`. No application gets them until the handle is stopped. Names
--- are those of sys.input.keys(). "cmd" is the key of most shortcuts: Command on a Mac, Control elsewhere.
---@param keys string
---@param pressed fun()
---@param released? fun()  called when the key is released
---@return Handle? handle
---@return string? err
---@return string? code  "hotkey_taken" (the message names the program that has it, if it is known), "unknown_key",
---                      "hotkey_failed" (macOS does not let it be bound)
function M.bind(keys, pressed, released)
  if type(pressed) ~= "function" then error("sys.hotkey.bind: expected a function, not a " .. type(pressed), 2) end
  local name = ("sys.hotkey %s"):format(keys)
  local handle, err, code = source.new(name, "hotkey " .. keys, function() return events.bind(keys, name) end,
    function(event) return event.about == "hotkey" and event or nil end,
    function(event)
      local fn = event.what == "pressed" and pressed or released
      if fn then fn() end
    end)
  if not handle then return nil, err, code end
  handle.keys = keys
  return handle
end


return M
