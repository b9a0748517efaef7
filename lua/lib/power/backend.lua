--- The interface to batteries and sleep. Each system has a file power/SYSTEM.lua, which returns a power.Backend; scripts see
--- only sys.power.

local backends = require "backends"

local M = {}

local CHOICE = {
  linux = "power.upower", macos = "power.macos",
  nowhere = "Perigee cannot read the power supply of this system.",
}


--- An event as the system reports it. "state" means that the state may have changed; sys.power makes events of the differences.
---@class power.Told
---@field what "sleeping"|"woke"|"state"
---@field state? sys.power.State  "state": the new state

---@class power.Session
---@field next fun(self: power.Session, seconds?: number): power.Told?, string?, string?  waits; "timeout"; "lost": the system
---            reports no more
---@field dropped fun(self: power.Session): integer  the number of events that there was no room for
---@field close fun(self: power.Session)  may be called twice

---@class power.Backend
---@field state fun(): sys.power.State?, string?, string?  "no_power" (the service for it is missing), "timeout"
---@field open fun(): power.Session?, sys.power.State|string|nil, string?  reports from now on; returns also the present state,
---            if it is known; "no_power"


---@return power.Backend? backend
---@return string? err
---@return string? code  "not_supported"
function M.get() return backends.choose(CHOICE) end


return M
