--- A connection to a bus, for Lua code: sys.dbus.connect() with calls that return values, and the methods of the bus itself.

local dbus = require "sys.dbus"
local time = require "sys.time"

local M = {}

local BUS, BUS_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
local DO_NOT_QUEUE = 4                       -- "RequestName" of the D-Bus specification
local PRIMARY_OWNER, ALREADY_OWNER = 1, 4

--- Codes of errors that callers distinguish.
local CODES = {
  ["org.freedesktop.DBus.Error.ServiceUnknown"]   = "no_service",
  ["org.freedesktop.DBus.Error.NameHasNoOwner"]   = "no_service",
  ["org.freedesktop.DBus.Error.NoReply"]          = "timeout",
  ["org.freedesktop.DBus.Error.Timeout"]          = "timeout",
  ["org.freedesktop.DBus.Error.TimedOut"]         = "timeout",
  ["org.freedesktop.DBus.Error.AccessDenied"]     = "denied",
  ["org.freedesktop.DBus.Error.UnknownMethod"]    = "not_supported",
  ["org.freedesktop.DBus.Error.UnknownInterface"] = "not_supported",
  ["org.freedesktop.DBus.Error.UnknownObject"]    = "not_supported",
}

---@class dbus.Connection
---@field wire sys.dbus.Wire
local Connection = {}
Connection.__index = Connection
Connection.__name = "dbus.Connection"


---@class dbus.Request
---@field to string
---@field path string
---@field interface string
---@field member string
---@field signature? string
---@field args? any[]
---@field start? boolean   true: the bus may start the service
---@field timeout? number  seconds (default: 5)


--- Calls a method.
---@param request dbus.Request
---@return any[]? values
---@return string? err
---@return string? code  "no_service", "timeout", "denied", "not_supported", "failed" (another error), or those of
---                      wire:call()
---@return string? name  the D-Bus name of the error
function Connection:call(request)
  local answer, err, code = self.wire:call({ kind = "call", to = request.to, path = request.path, interface = request.interface,
    member = request.member, signature = request.signature, args = request.args, start = request.start }, request.timeout)
  if not answer then return nil, err, code end
  if not answer.error then return answer.values end
  local text = answer.text ~= "" and answer.text or answer.error
  return nil, text, CODES[answer.error] or "failed", answer.error
end


--- Calls a method of the bus itself.
function Connection:ask_bus(member, signature, ...)
  return self:call { to = BUS, path = BUS_PATH, interface = BUS, member = member, signature = signature,
    args = signature and { ... } or nil }
end


--- True if a program owns this name now.
---@param name string
---@return boolean? owned
---@return string? err
---@return string? code
function Connection:has_owner(name)
  local values, err, code = self:ask_bus("NameHasOwner", "s", name)
  if not values then return nil, err, code end
  return values[1] == true
end


--- Takes ownership of a name.
---@param name string
---@return true? ok
---@return string? err
---@return string? code  "name_taken"
function Connection:own(name)
  local values, err, code = self:ask_bus("RequestName", "su", name, DO_NOT_QUEUE)
  if not values then return nil, err, code end
  if values[1] == PRIMARY_OWNER or values[1] == ALREADY_OWNER then return true end
  return nil, ("another program owns %s on this bus. Stop it, or choose another name"):format(name), "name_taken"
end


--- Subscribes to signals that match. "match" is a sys.dbus.Match.
---@return true? ok
---@return string? err
---@return string? code
function Connection:hear(match)
  local parts = { "type='signal'" }
  for _, name in ipairs { "sender", "path", "interface", "member", "arg0" } do
    local value = match[name]
    if value then
      if value:find "['\\,]" then return nil, ("%s: \"%s\" cannot be part of a match"):format(name, value), "bad_call" end
      parts[#parts + 1] = ("%s='%s'"):format(name, value)
    end
  end
  local values, err, code = self:ask_bus("AddMatch", "s", table.concat(parts, ","))
  if not values then return nil, err, code end
  return true
end


--- True if the signal has the wanted sender. The bus tells each connection about its own names even if it did not ask.
local function is_from(match, signal)
  if match.sender and match.sender:sub(1, 1) == ":" then return match.sender == signal.sender end
  return signal.sender ~= BUS or match.sender == BUS or match.interface == BUS
end


local function is_it(match, signal)
  return is_from(match, signal)
    and (not match.path or match.path == signal.path) and (not match.interface or match.interface == signal.interface)
    and (not match.member or match.member == signal.member) and (not match.arg0 or match.arg0 == signal.values[1])
end


--- Returns the next signal that matches one that hear() subscribed to. Other signals that come before it are lost. Other programs
--- may also call a connection that only listens.
---@param match sys.dbus.Match
---@param seconds? number  default: no limit
---@return sys.dbus.Incoming? signal
---@return string? err
---@return string? code  those of wire:next()
function Connection:signal(match, seconds)
  local ends = seconds and time.monotonic() + seconds
  while true do
    local message, err, code = self.wire:next(ends and math.max(ends - time.monotonic(), 0))
    if not message then return nil, err, code end
    if message.kind == "signal" and is_it(match, message) then return message end
    if message.kind == "call" and message.answered then
      self.wire:send { kind = "answer", to = message.sender, reply_to = message.serial,
        error = "org.freedesktop.DBus.Error.UnknownMethod", text = "this program has no methods" }
    end
  end
end


--- Reads the properties of an interface.
---@param to string
---@param path string
---@param interface string
---@param start? boolean
---@return table<string, any>? properties
---@return string? err
---@return string? code
---@return string? name
function Connection:properties(to, path, interface, start)
  local values, err, code, name = self:call { to = to, path = path, interface = "org.freedesktop.DBus.Properties",
    member = "GetAll", signature = "s", args = { interface }, start = start }
  if not values then return nil, err, code, name end
  return values[1]
end


function Connection:close() self.wire:close() end

Connection.__close = Connection.close


---@param bus string
---@param options? sys.dbus.WireOptions
---@return dbus.Connection? connection
---@return string? err
---@return string? code
function M.open(bus, options)
  local wire, err, code = dbus.connect(bus, options)
  if not wire then return nil, err, code end
  return setmetatable({ wire = wire }, Connection)
end


return M
