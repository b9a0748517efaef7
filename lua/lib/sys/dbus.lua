--- sys.dbus, the part that is Lua: signals as events, and objects that other programs call.

local connection = require "dbus.connection"
local handles    = require "handles"
local monitor    = require "dbus.monitor"
local service    = require "dbus.service"
local source     = require "events.source"
local stream     = require "events.stream"
local time       = require "sys.time"

local M = {}


-- --- signals ----------------------------------------------------------------------------------------

--- The signals to receive. A field that is nil matches any value.
---@class sys.dbus.Match
---@field sender?    string   the name that owns the object
---@field path?      string
---@field interface? string
---@field member?    string
---@field arg0?      string   its first argument, a string
---@field capacity?  integer  signals that are kept until a task takes them (default: 1000, maximum: 100000)

---@class sys.dbus.Event
---@field at number         the time at which it was taken, as sys.time.monotonic() counts
---@field sender string     ":1.7"
---@field path string
---@field interface string
---@field member string
---@field values any[]

local FIELDS = { sender = "string", path = "string", interface = "string", member = "string", arg0 = "string",
  capacity = "number" }


local function check(where, match)
  if type(match) ~= "table" then error(("%s: expected a table, not a %s"):format(where, type(match)), 3) end
  for name, value in pairs(match) do
    if not FIELDS[name] then error(("%s: unknown field '%s'"):format(where, tostring(name)), 3) end
    if type(value) ~= FIELDS[name] then error(("%s: '%s' must be a %s"):format(where, name, FIELDS[name]), 3) end
  end
end


--- Returns the next signal that matches, as an event.
local function pull(bus, match, seconds)
  local signal, err, code = bus:signal(match, seconds)
  if not signal then return nil, err, code end
  return { at = time.monotonic(), sender = signal.sender, path = signal.path, interface = signal.interface,
    member = signal.member, values = signal.values }
end


local function listen(name, match)
  local bus, err, code = connection.open(name, { capacity = match.capacity })
  if not bus then return nil, err, code end
  local ok
  ok, err, code = bus:hear(match)
  if not ok then
    bus:close()
    return nil, err, code
  end
  return stream.new(function(seconds) return pull(bus, match, seconds) end, function() bus:close() end,
    function() return bus.wire:dropped() end)
end


--- Receives signals from now on: a loop takes them, or fn is called for each. A connection of its own listens until it is
--- closed.
---@param bus string  "session", "system", or an address
---@param match sys.dbus.Match
---@param fn? fun(event: sys.dbus.Event)
---@return events.Source|Handle|nil source  next() fails with "no_bus" if the connection to the bus is lost
---@return string? err
---@return string? code  "no_bus", "timeout", "bad_call", "module_missing"; for a handle also "not_lasting"
function M.signals(bus, match, fn)
  check("sys.dbus.signals", match)
  local kind = ("dbus %s %s %s %s %s %s"):format(bus, match.sender or "", match.path or "", match.interface or "",
    match.member or "", match.arg0 or "")
  return source.new("sys.dbus.signals " .. (match.member or match.interface or bus), kind,
    function() return listen(bus, match) end, function(event) return event end, fn)
end


-- --- calls of others --------------------------------------------------------------------------------

---@class sys.dbus.Overheard
---@field interface string
---@field member    string   the method
---@field values?   integer  at most so many of its arguments, from the first: the rest may be large; default 8, at most 64

---@class sys.dbus.Call.Seen
---@field sender string  ":1.7"
---@field values any[]

--- Opens a monitor. A session's bus lets the programs of its own user monitor it; other buses may not.
---@param bus string  "session", "system", or an address
---@param what sys.dbus.Overheard
---@return sys.dbus.Monitor? monitor
---@return string? err
---@return string? code  "not_supported" (the bus does not allow it), "bad_call", "no_bus", "timeout", "module_missing"
function M.monitor(bus, what) return monitor.open(bus, what) end


-- --- objects ----------------------------------------------------------------------------------------

---@class sys.dbus.Offer
---@field name? string  the name to own on the bus (default: only the name that the bus gives)
---@field objects table<string, sys.dbus.Object>  by their paths

---@class sys.dbus.Served: Handle
---@field bus_name string  ":1.7"
---@field emit fun(self: sys.dbus.Served, path: string, interface: string, member: string, ...): true?, string?, string?
---@field changed fun(self: sys.dbus.Served, path: string, interface: string, names: string[]): true?, string?, string?


local function open(bus, offer)
  local at, err, code = connection.open(bus)
  if not at then return nil, err, code end
  local made = service.new("sys.dbus.serve", at, offer.objects)
  if not offer.name then return made end
  local ok
  ok, err, code = at:own(offer.name)
  if ok then return made end
  at:close()
  return nil, err, code
end


--- Offers objects that other programs call, until the handle is stopped. Calls are answered one after the other. If a function
--- raises an error, the caller gets an error, and the log has the message. emit() sends a signal, and changed() announces new
--- values of properties.
---
---     local dbus = require "sys.dbus"
---
---     local lamp = false
---     dbus.serve("session", { name = "org.example.Lamp", objects = { ["/lamp"] = { ["org.example.Lamp"] = {
---       methods    = { Switch = { takes = "b", gives = "b", fn = function(on) lamp = on; return lamp end } },
---       properties = { On = { type = "b", get = function() return lamp end } },
---       signals    = { Switched = "b" } } } } })
---@param bus string  "session", "system", or an address
---@param offer sys.dbus.Offer
---@return sys.dbus.Served? served
---@return string? err
---@return string? code  "no_bus", "timeout", "name_taken", "denied" (the name), "dry_run", "module_missing", "not_lasting"
function M.serve(bus, offer)
  if type(offer) ~= "table" or type(offer.objects) ~= "table" then error("sys.dbus.serve: expected { objects = ... }", 2) end
  local made, err, code = open(bus, offer)
  if not made then return nil, err, code end
  local handle
  handle, err, code = handles.new("sys.dbus.serve " .. (offer.name or made.connection.wire:name()), function()
    local runs <close> = made
    local _, why, what = runs:run()
    if what ~= "closed" then error(why, 0) end
  end, { bus_name = made.connection.wire:name() })
  if not handle then
    made:close()
    return nil, err, code
  end
  handle.emit = function(_, ...) return made:emit(...) end
  handle.changed = function(_, ...) return made:changed(...) end
  return handle
end


return M
