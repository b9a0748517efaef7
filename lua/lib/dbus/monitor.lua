--- A monitor of a bus: it gets every call of one method, by all programs ("org.freedesktop.DBus.Monitoring" of the D-Bus
--- specification).

local connection = require "dbus.connection"
local time       = require "sys.time"

local M = {}

local VALUES, OPEN_S, WAIT_S = 8, 2, 30
local FIELDS = { interface = "string", member = "string", values = "number" }

local CODES = { ["org.freedesktop.DBus.Error.MatchRuleInvalid"] = "bad_call",
  ["org.freedesktop.DBus.Error.AccessDenied"] = "not_supported" }

---@class sys.dbus.Monitor
---@field private bus dbus.Connection
---@field private what sys.dbus.Overheard
local Monitor = {}
Monitor.__index = Monitor
Monitor.__name = "sys.dbus.Monitor"


--- Returns the next call; waits until there is one. Calls are kept while no task waits.
---@param timeout? number  seconds; default 30, at most 86400
---@return sys.dbus.Call.Seen? call
---@return string? err
---@return string? code  "timeout" (none came), "too_large" (the call is lost; next() works again), "no_bus" (the bus is gone),
---                      "closed", "busy" (another task is waiting)
function Monitor:next(timeout)
  local ends = time.monotonic() + (timeout or WAIT_S)
  while true do
    local message, err, code = self.bus.wire:next(math.max(0, ends - time.monotonic()))
    if not message then return nil, code == "timeout" and "no call was overheard in time" or err, code end
    -- the bus also tells a monitor that its own names are gone
    if message.kind == "call" and message.interface == self.what.interface and message.member == self.what.member then
      return { sender = message.sender, values = message.values }
    end
  end
end


--- Closes it. Collection and `<close>` do the same.
function Monitor:close() self.bus:close() end

Monitor.__close = Monitor.close


local function check(what)
  if type(what) ~= "table" then error("sys.dbus.monitor: expected a table, not a " .. type(what), 3) end
  for name, value in pairs(what) do
    if not FIELDS[name] then error(("sys.dbus.monitor: unknown field '%s'"):format(tostring(name)), 3) end
    if type(value) ~= FIELDS[name] then error(("sys.dbus.monitor: '%s' must be a %s"):format(name, FIELDS[name]), 3) end
  end
  if not what.interface or not what.member then error("sys.dbus.monitor: interface and member expected", 3) end
end


--- Makes the connection a monitor: from then on it may not send anything.
local function become(bus, what)
  local rule = ("type='method_call',interface='%s',member='%s'"):format(what.interface, what.member)
  return bus:call { to = "org.freedesktop.DBus", path = "/org/freedesktop/DBus", interface = "org.freedesktop.DBus.Monitoring",
    member = "BecomeMonitor", signature = "asu", args = { { rule }, 0 }, timeout = OPEN_S }
end


---@param name string
---@param what sys.dbus.Overheard
---@return sys.dbus.Monitor? monitor
---@return string? err
---@return string? code
function M.open(name, what)
  check(what)
  if (what.interface .. what.member):find "[^%w_.]" then
    return nil, ("not a method of D-Bus: %s.%s"):format(what.interface, what.member), "bad_call"
  end
  local bus, err, code = connection.open(name, { timeout = OPEN_S, values = what.values or VALUES })
  if not bus then return nil, err, code end
  local granted, error_name
  granted, err, code, error_name = become(bus, what)
  if granted then return setmetatable({ bus = bus, what = what }, Monitor) end
  bus:close()
  if not error_name then return nil, err, code end
  return nil, ("this D-Bus does not let programs watch it: %s"):format(err), CODES[error_name] or "not_supported"
end


return M
