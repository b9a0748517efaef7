--- sys.power: mains and battery, and events when the machine sleeps.
--
--     local power = require "sys.power"
--
--     local state = assert(power.state())
--     if state.source == "battery" and (state.percent or 100) < 20 then print "plug it in" end
--
--     power.events(function(event)                       -- in a service or a script
--       if event.what == "woke" then print "good morning" end
--     end)

local backend = require "power.backend"
local events  = require "power.events"
local source  = require "events.source"

local M = {}


--- The state of the power supply. A field that is not known is nil.
---@class sys.power.State
---@field source? "mains"|"battery"  the source of the power
---@field percent? number            the charge, 0 to 100; for several batteries as the system adds them up
---@field charging? boolean
---@field seconds_left? number       until the battery is empty, as the system estimates; only while it discharges
---@field seconds_to_full? number    until it is full, while it charges

---@class sys.power.Event
---@field what "sleeping"|"woke"|"plugged"|"unplugged"|"percent"|"charging"|"lost"|"found"  "sleeping": the machine will sleep in
---            a moment, and does not wait for the function. "percent": it is another whole number. "charging": charging begins
---            or ends. "lost": the service of the system is gone; "found": it is back
---@field at number                  the time, as sys.time.monotonic() counts
---@field state? sys.power.State     the state at that time, if it is known


---@return sys.power.State? state
---@return string? err
---@return string? code  "no_power" (the system service for it is missing: the message names it), "timeout",
---                      "not_supported"
function M.state()
  local system, err, code = backend.get()
  if not system then return nil, err, code end
  return system.state()
end


--- Reports events of the power supply from now on: a loop takes them, or fn is called for each.
---@param fn? fun(event: sys.power.Event)
---@return events.Source|Handle|nil source
---@return string? err
---@return string? code  as state(); for a handle also "not_lasting"
function M.events(fn)
  local system, err, code = backend.get()
  if not system then return nil, err, code end
  return source.new("sys.power.events", "power", function() return events.open(system) end,
    function(event) return event end, fn)
end


return M
