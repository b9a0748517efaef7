--- sys.power: mains and battery, and when the machine sleeps.
--
--     local state = assert(power.state())
--     if state.source == "battery" and (state.percent or 100) < 20 then ... end
--
--     power.events(function(event)                       -- in a service or a script
--       if event.what == "woke" then reconnect() end
--     end)

local backend = require "power.backend"
local events  = require "power.events"
local source  = require "events.source"

local M = {}


--- What is not known is nil.
---@class sys.power.State
---@field source? "mains"|"battery"  what the machine runs on
---@field percent? number            of the charge, 0 to 100; of several batteries as the system adds them up
---@field charging? boolean
---@field seconds_left? number       until the battery is empty, as the system expects; while it is not charged
---@field seconds_to_full? number    while it is charged

---@class sys.power.Event
---@field what "sleeping"|"woke"|"plugged"|"unplugged"|"percent"|"charging"|"lost"|"found"  "sleeping": the machine will sleep in
---            a moment, and does not wait for the function. "percent": it is another whole number. "charging": it begins or
---            ends. "lost": the service of the system is gone; "found": it is back
---@field at number                  when, as sys.time.monotonic() counts
---@field state? sys.power.State     as it is then, where it is known


---@return sys.power.State? state
---@return string? err
---@return string? code  "no_power" (the service that knows of it is not there: the message says which), "timeout",
---                      "not_supported"
function M.state()
  local system, err, code = backend.get()
  if not system then return nil, err, code end
  return system.state()
end


--- From now on, what happens to the power supply: a loop takes the events, or fn is called for each.
---@param fn? fun(event: sys.power.Event)
---@return events.Source|Handle|nil source
---@return string? err
---@return string? code  as state(); of a handle also "not_lasting"
function M.events(fn)
  local system, err, code = backend.get()
  if not system then return nil, err, code end
  return source.new("sys.power.events", "power", function() return events.open(system) end,
    function(event) return event end, fn)
end


return M
