--- Mains, battery and sleep over the system's D-Bus: UPower reports the first two, systemd-logind sleep.

local connection = require "dbus.connection"
local policy     = require "sys.policy"
local time       = require "sys.time"

local M = {}

local UPOWER, UPOWER_PATH = "org.freedesktop.UPower", "/org/freedesktop/UPower"
local DEVICE, DEVICE_PATH = "org.freedesktop.UPower.Device", "/org/freedesktop/UPower/devices/DisplayDevice"
local LOGIND, LOGIND_PATH, MANAGER = "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager"
local PROPERTIES = "org.freedesktop.DBus.Properties"

local BATTERY = 2                                    -- "Type" of UPower's documentation
local CHARGING, DISCHARGING, FULL = 1, 2, 4          -- "State"


local function none(what, err)
  return nil, ("%s does not answer on the system's D-Bus (%s). Install and start %s."):format(what, err,
    what == "UPower" and "upower" or "upower or systemd-logind"), "no_power"
end


--- Reads a time of UPower, which is 0 if it is not known.
local function seconds(value) return value and value > 0 and value or nil end


---@param system table   properties of UPower
---@param device table   properties of its display device, which stands for all batteries
---@return sys.power.State
local function state_of(system, device)
  local state = {}
  if system.OnBattery ~= nil then state.source = system.OnBattery and "battery" or "mains" end
  if device.IsPresent and device.Type == BATTERY then
    state.percent = device.Percentage
    if device.State == CHARGING or device.State == DISCHARGING or device.State == FULL then
      state.charging = device.State == CHARGING
    end
    if device.State == DISCHARGING then state.seconds_left = seconds(device.TimeToEmpty) end
    if device.State == CHARGING then state.seconds_to_full = seconds(device.TimeToFull) end
  end
  return state
end


---@param bus dbus.Connection
---@return sys.power.State? state
---@return string? err
---@return string? code
local function read(bus)
  local system, err, code = bus:properties(UPOWER, UPOWER_PATH, UPOWER, not policy.dry_run())
  if not system then
    if code == "timeout" then return nil, ("UPower does not respond: %s."):format(err), code end
    return none("UPower", err)
  end
  local device = bus:properties(UPOWER, DEVICE_PATH, DEVICE)   -- without a battery it may be missing
  return state_of(system, device or {})
end


local function open()
  local bus, err, code = connection.open "system"
  if bus then return bus end
  if code == "module_missing" then return nil, err, "not_supported" end
  if code == "timeout" then return nil, err, code end
  return nil, ("Power needs the system's D-Bus: %s."):format(err), "no_power"
end


---@return sys.power.State? state
---@return string? err
---@return string? code
function M.state()
  local bus <close>, err, code = open()
  if not bus then return nil, err, code end
  return read(bus)
end


-- --- events ---------------------------------------------------------------------------------------------

---@class power.upower.Session: power.Session
---@field bus dbus.Connection
local Session = {}
Session.__index = Session


---@param signal sys.dbus.Incoming
---@return power.Told?
function Session:told_of(signal)
  if signal.interface == MANAGER and signal.member == "PrepareForSleep" then
    return { what = signal.values[1] and "sleeping" or "woke" }
  end
  local of_power = signal.interface == PROPERTIES and (signal.path == UPOWER_PATH or signal.path == DEVICE_PATH)
  local started = signal.member == "NameOwnerChanged" and signal.values[1] == UPOWER and signal.values[3] ~= ""
  if not of_power and not started then return nil end
  local state = read(self.bus)
  return state and { what = "state", state = state }
end


function Session:next(timeout)
  local ends = timeout and time.monotonic() + timeout
  while true do
    local message, err, code = self.bus.wire:next(ends and math.max(ends - time.monotonic(), 0))
    if not message then return nil, err, code == "no_bus" and "lost" or code end
    local told = message.kind == "signal" and self:told_of(message)
    if told then return told end
  end
end


function Session:dropped() return self.bus.wire:dropped() end

function Session:close() self.bus:close() end


local MATCHES = {
  { sender = UPOWER, path = UPOWER_PATH, interface = PROPERTIES },
  { sender = UPOWER, path = DEVICE_PATH, interface = PROPERTIES },
  { sender = LOGIND, path = LOGIND_PATH, interface = MANAGER, member = "PrepareForSleep" },
  { sender = "org.freedesktop.DBus", interface = "org.freedesktop.DBus", member = "NameOwnerChanged", arg0 = UPOWER },
}


local function hear(bus)
  for _, match in ipairs(MATCHES) do
    local ok, err, code = bus:hear(match)
    if not ok then return nil, err, code end
  end
  local state, why, what = read(bus)
  if state or what ~= "no_power" then return state, why, what end
  local sleeps, err, code = bus:has_owner(LOGIND)
  if sleeps == nil then return nil, err, code end
  if not sleeps then return none("UPower and systemd-logind", why) end
  return nil
end


--- Opens a session with both services. If only one of them exists, its reports are used.
---@return power.Session? session
---@return sys.power.State|string|nil state
---@return string? code
function M.open()
  local bus, err, code = open()
  if not bus then return nil, err, code end
  local state
  state, err, code = hear(bus)
  if not state and code then
    bus:close()
    return nil, err, code
  end
  return setmetatable({ bus = bus }, Session), state
end


return M
