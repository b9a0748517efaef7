--- Waits until a program has done what it has answered to already: it reads again after each signal of it.
--
-- Not every program tells of its changes, so the last look comes when the time is up, whether a signal came or not.

local time = require "sys.time"

local M = {}

local SETTLE = 1   -- seconds for a change after the answer

local PROPERTIES, ACTIONS = "org.freedesktop.DBus.Properties", "org.gtk.Actions"

---@class dictionary.Settling
---@field bus dbus.Connection
---@field match sys.dbus.Match
---@field is_told fun(values: any[]): boolean  true if a signal with these values is about the change
local Settling = {}
Settling.__index = Settling


--- Begins to hear the signals. It is called before the change is asked for, so that no signal is missed.
local function begin(bus, match, is_told)
  bus:hear(match)   -- if the bus refuses that, the last look remains
  return setmetatable({ bus = bus, match = match, is_told = is_told }, Settling)
end


local function is_listed(names, wanted)
  for _, name in ipairs(names or {}) do
    if name == wanted then return true end
  end
  return false
end


--- Begins to hear of changes of a property.
---@param bus dbus.Connection
---@param call table  the `call` of the common model
---@param path string
---@return dictionary.Settling
function M.of_property(bus, call, path)
  local match = { sender = call.unique or call.to, path = path, interface = PROPERTIES, member = "PropertiesChanged",
    arg0 = call.interface }
  return begin(bus, match, function(values)
    return (values[2] or {})[call.member] ~= nil or is_listed(values[3], call.member)
  end)
end


--- Begins to hear of changes of an action: of its state, or that it came or went.
---@param bus dbus.Connection
---@param call table  the `call` of the common model
---@param path string
---@return dictionary.Settling
function M.of_action(bus, call, path)
  local match = { sender = call.unique or call.to, path = path, interface = ACTIONS, member = "Changed" }
  return begin(bus, match, function(values)
    return (values[3] or {})[call.member] ~= nil or (values[4] or {})[call.member] ~= nil or is_listed(values[1], call.member)
  end)
end


--- Waits for a signal about the change. Those that have come by then are one.
---@return boolean came
function Settling:await_signal(ends)
  local came = false
  repeat
    local signal, _, code = self.bus:signal(self.match, came and 0 or math.max(ends - time.monotonic(), 0))
    came = came or signal ~= nil and self.is_told(signal.values) or code == "too_large"
  until not signal
  return came
end


--- Reads until it is as wanted: at once, after each signal, and when the time is up.
---@generic T
---@param read fun(): T?, string?, string?
---@param is_done fun(now: T): boolean
---@return T? now
---@return string? err
---@return string? code
function Settling:read(read, is_done)
  local ends, over = time.monotonic() + SETTLE, false
  while true do
    local now, err, code = read()
    if not now or over or is_done(now) then return now, err, code end
    over = not self:await_signal(ends)
  end
end


return M
