---@meta sys.dbus

--- Calls of methods over D-Bus, and signals. Nothing is ever started by a call. Values are those of JSON: strings, object paths and
--- signatures are strings, arrays and structs lists, a dictionary with keys of strings is a table by its keys, any other one a
--- list of pairs. A variant is its value in an answer, and { signature, value } in an argument.
---@class sys.dbus
local dbus = {}

---@class sys.dbus.Call
---@field to         string  the name that owns the object: "org.a11y.Bus", ":1.7"
---@field path       string  of the object: "/org/a11y/bus"
---@field interface  string
---@field member     string  the method
---@field signature? string  of the arguments: "su"; left out: it has none
---@field args?      any[]

---@class sys.dbus.Answer
---@field values? any[]   what the method returned
---@field error?  string  why it did not, as D-Bus names it: "org.freedesktop.DBus.Error.NoReply"
---@field text?   string  of the error

---@class sys.dbus.Options
---@field timeout? number  seconds for all answers, at most 60; default 1. What is late has the error NoReply

--- Makes calls without waiting in between, at most 4096, and waits for all answers. The connection stays open.
---@param bus string  "session", or an address: "unix:path=/run/user/1000/at-spi/bus_0"
---@param calls sys.dbus.Call[]
---@param options? sys.dbus.Options
---@return sys.dbus.Answer[]? answers  in the order of the calls
---@return string? err
---@return string? code  "no_bus" (there is none there), "timeout" (the bus itself does not respond), "bad_call" (naming what is wrong), "too_large" (over 16 MB),
---                      "module_missing" (on a Mac)
function dbus.calls(bus, calls, options) end

--- What is not named may be anything.
---@class sys.dbus.Signal
---@field sender?    string  the name that owns the object
---@field path?      string
---@field interface? string
---@field member?    string
---@field arg0?      string  its first argument, a string

--- A number that changes when the signal comes. What was asked after it was taken is still so while it is the same. The
--- connection listens from the first time on, for eight signals at most: a ninth takes the place of the oldest.
---@param bus string
---@param signal sys.dbus.Signal
---@return integer? mark  nil: it cannot be told now; no call has connected to this bus yet, or others are under way
function dbus.mark(bus, signal) end

--- Waits until the number is another one.
---@param bus string
---@param signal sys.dbus.Signal
---@param mark integer
---@param seconds number  at most 60; other calls on this bus wait meanwhile
---@return true? came
---@return string? err
---@return string? code  "timeout" (it did not come), or as for calls()
function dbus.await(bus, signal, mark, seconds) end

--- Listens for the signal no longer.
---@param bus string
---@param signal sys.dbus.Signal
function dbus.unhear(bus, signal) end

--- What others call on a bus: every call of one method, of all programs, while it is open.
---@class sys.dbus.Monitor
local monitor = {}

---@class sys.dbus.Overheard
---@field interface string
---@field member    string   the method
---@field values?   integer  of its arguments, at most, from the first: the rest may be large; default 8, at most 64

---@class sys.dbus.Call.Seen
---@field sender string  ":1.7"
---@field values any[]

--- A session's bus lets the programs of its own user watch it; others need not.
---@param bus string
---@param what sys.dbus.Overheard
---@return sys.dbus.Monitor? monitor
---@return string? err
---@return string? code  "not_supported" (the bus does not let it), or as for calls()
function dbus.monitor(bus, what) end

--- The next call; waits until there is one. Calls that come while no task waits are kept.
---@param timeout? number  seconds; default 30, at most 86400
---@return sys.dbus.Call.Seen? call
---@return string? err
---@return string? code  "timeout" (none came), "too_large" (the call is lost, the next one may be asked for), "no_bus" (the bus is gone),
---                      "closed", "busy" (another task is waiting)
function monitor:next(timeout) end

--- Also when it is collected, and for `<close>`.
function monitor:close() end

return dbus
