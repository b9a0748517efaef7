---@meta sys.dbus

--- Method calls over D-Bus, and signals. No call ever starts a program. Values are those of JSON: strings, object paths and
--- signatures are strings, arrays and structs lists, a dictionary with keys of strings is a table by its keys, any other one a
--- list of pairs. A variant is its value in an answer, and { signature, value } in an argument. An argument of the types x and t
--- may be a string of digits; a number that is too large for an integer of Lua is one in an answer.
---@class sys.dbus
local dbus = {}

---@class sys.dbus.Call
---@field to         string  the name that owns the object: "org.a11y.Bus", ":1.7"
---@field path       string  the path of the object: "/org/a11y/bus"
---@field interface  string
---@field member     string  the method
---@field signature? string  the signature of the arguments: "su"; nil if it has none
---@field args?      any[]

---@class sys.dbus.Answer
---@field values? any[]   the results of the method
---@field error?  string  the D-Bus name of the error: "org.freedesktop.DBus.Error.NoReply"
---@field text?   string  the message of the error

---@class sys.dbus.Options
---@field timeout? number  seconds for all answers, at most 60; default 1. A late answer becomes the error NoReply

--- Makes calls without waiting in between, at most 4096, and waits for all answers. The connection stays open.
---@param bus string  "session", "system", or an address: "unix:path=/run/user/1000/at-spi/bus_0"
---@param calls sys.dbus.Call[]
---@param options? sys.dbus.Options
---@return sys.dbus.Answer[]? answers  in the order of the calls
---@return string? err
---@return string? code  "no_bus" (there is no bus), "timeout" (the bus itself does not respond), "bad_call" (the message names
---                      what is wrong), "too_large" (over 16 MB), "module_missing" (on a Mac), "dry_run" (a call that may do
---                      more than read)
function dbus.calls(bus, calls, options) end

-- --- a connection of its own -----------------------------------------------------------------------

--- A connection on which messages of every kind go both ways: it calls, is called, sends signals and receives those that it has
--- subscribed to. lua/lib/dbus has simpler functions: sys.dbus.signals() and sys.dbus.serve().
---@class sys.dbus.Wire
local wire = {}

--- A message to send. A call has to, path, interface, member. A signal has path, interface, member, and `to` for one receiver
--- only. An answer has to, reply_to, and, if it is an error, error and text.
---@class sys.dbus.Outgoing
---@field kind       "call"|"signal"|"answer"
---@field to?        string
---@field path?      string
---@field interface? string
---@field member?    string
---@field signature? string   the signature of the arguments
---@field args?      any[]
---@field start?     boolean  for a call: the bus may start a service that does not run
---@field reply_to?  integer  the serial of the call
---@field error?     string   "org.freedesktop.DBus.Error.InvalidArgs"
---@field text?      string   the message of the error

---@class sys.dbus.Incoming
---@field kind       "call"|"signal"|"answer"
---@field sender     string   ":1.7"
---@field path?      string
---@field interface? string   a call may have none
---@field member?    string
---@field signature? string
---@field values     any[]
---@field serial?    integer  the number of a call
---@field answered?  boolean  for a call: true if its caller wants an answer
---@field error?     string   the name of an answer's error
---@field text?      string   the message of the error

---@class sys.dbus.WireOptions
---@field timeout?  number   seconds for connecting (default: 2, maximum: 60)
---@field capacity? integer  calls and signals that are kept until a task takes them (default: 1000, maximum: 100000); also at
---                          most 32 MB. If there are more, the oldest signals are lost, and calls get the error LimitsExceeded
---@field values?   integer  for a connection that becomes a monitor: at most so many values of a message are read, up to 64,
---                          and no call is answered (default: 0, an ordinary connection)

--- Connects. The connection takes no processor time while no message comes.
---@param bus string
---@param options? sys.dbus.WireOptions
---@return sys.dbus.Wire? wire
---@return string? err
---@return string? code  "no_bus", "timeout", "too_many" (500 are open), "module_missing"
function dbus.connect(bus, options) end

--- Calls a method and waits for its answer. Any number of tasks may wait.
---@param message sys.dbus.Outgoing
---@param timeout? number  seconds (default: 5, maximum: 86400)
---@return sys.dbus.Incoming? answer  it may be an error
---@return string? err
---@return string? code  "timeout", "no_bus" (the bus is gone), "bad_call" (the message names what is wrong), "too_many" (1000
---                      calls wait, or the bus takes nothing), "closed", "dry_run" (a call that may do more than read),
---                      "too_large"
function wire:call(message, timeout) end

--- Sends a message without waiting for an answer. It is queued when this returns; the bus may read it later.
---@param message sys.dbus.Outgoing
---@return true? ok
---@return string? err
---@return string? code  as call()
function wire:send(message) end

--- Returns the next call or signal. One task at a time may wait.
---@param timeout? number  seconds, 0 to 86400 (default: no limit)
---@return sys.dbus.Incoming? message
---@return string? err
---@return string? code  "timeout", "no_bus" (the bus is gone), "closed", "busy" (another task is waiting), "too_large" (the
---                      message is lost; next() works again)
function wire:next(timeout) end

--- Returns its own name on the bus: ":1.7".
---@return string? name
---@return string? err
---@return string? code  "closed"
function wire:name() end

--- Returns the bus that it was connected to, as connect() got it.
---@return string bus
function wire:bus() end

--- Returns how many signals were lost because there was no room.
---@return integer
function wire:dropped() end

--- Closes it. Collection and `<close>` do the same. Tasks that wait get "closed".
function wire:close() end

return dbus
