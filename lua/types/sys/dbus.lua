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
---@param bus string  "session", "system", or an address: "unix:path=/run/user/1000/at-spi/bus_0"
---@param calls sys.dbus.Call[]
---@param options? sys.dbus.Options
---@return sys.dbus.Answer[]? answers  in the order of the calls
---@return string? err
---@return string? code  "no_bus" (there is none there), "timeout" (the bus itself does not respond), "bad_call" (naming what is wrong), "too_large" (over 16 MB),
---                      "module_missing" (on a Mac), "dry_run" (a call that may do more than read)
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

-- --- a connection of its own -----------------------------------------------------------------------

--- A connection on which messages of every kind go both ways: it calls, is called, sends signals and hears those that it has
--- asked the bus for. lua/lib/dbus has what makes it easy: sys.dbus.signals() and sys.dbus.serve().
---@class sys.dbus.Wire
local wire = {}

--- What is sent. Of a call: to, path, interface, member. Of a signal: path, interface, member, and `to` for one receiver only. Of
--- an answer: to, reply_to, and error and text where it is an error.
---@class sys.dbus.Outgoing
---@field kind       "call"|"signal"|"answer"
---@field to?        string
---@field path?      string
---@field interface? string
---@field member?    string
---@field signature? string   of the arguments
---@field args?      any[]
---@field start?     boolean  of a call: the bus may start a service that does not run
---@field reply_to?  integer  the serial of the call
---@field error?     string   "org.freedesktop.DBus.Error.InvalidArgs"
---@field text?      string   of the error

---@class sys.dbus.Incoming
---@field kind       "call"|"signal"|"answer"
---@field sender     string   ":1.7"
---@field path?      string
---@field interface? string   a call may have none
---@field member?    string
---@field signature? string
---@field values     any[]
---@field serial?    integer  of a call
---@field answered?  boolean  of a call: its caller wants an answer
---@field error?     string   of an answer
---@field text?      string   of the error

---@class sys.dbus.WireOptions
---@field timeout?  number   seconds for connecting (default: 2, maximum: 60)
---@field capacity? integer  calls and signals that are kept until a task takes them (default: 1000, maximum: 100000); also at most
---                          32 MB. If there are more, the oldest signals are lost, and calls get the error LimitsExceeded

--- Connects. It takes no processor time while nothing comes.
---@param bus string
---@param options? sys.dbus.WireOptions
---@return sys.dbus.Wire? wire
---@return string? err
---@return string? code  "no_bus", "timeout", "too_many" (500 are open), "module_missing"
function dbus.connect(bus, options) end

--- Calls a method and waits for its answer. Any number of tasks may wait.
---@param message sys.dbus.Outgoing
---@param timeout? number  seconds (default: 5, maximum: 86400)
---@return sys.dbus.Incoming? answer  which may be an error
---@return string? err
---@return string? code  "timeout", "no_bus" (the bus is gone), "bad_call" (naming what is wrong), "too_many" (1000 calls wait, or
---                      the bus takes nothing), "closed", "dry_run" (a call that may do more than read), "too_large"
function wire:call(message, timeout) end

--- Sends a message, and waits for no answer. It is on its way when this returns; the bus may take it later.
---@param message sys.dbus.Outgoing
---@return true? ok
---@return string? err
---@return string? code  as call()
function wire:send(message) end

--- The next call or signal. One task at a time may wait.
---@param timeout? number  seconds, 0 to 86400 (default: no limit)
---@return sys.dbus.Incoming? message
---@return string? err
---@return string? code  "timeout", "no_bus" (the bus is gone), "closed", "busy" (another task is waiting), "too_large" (the
---                      message is lost, the next one may be asked for)
function wire:next(timeout) end

--- Its own name on the bus: ":1.7".
---@return string? name
---@return string? err
---@return string? code  "closed"
function wire:name() end

--- How many signals were lost because there was no room.
---@return integer
function wire:dropped() end

--- Also when it is collected, and for `<close>`. Tasks that wait get "closed".
function wire:close() end

return dbus
