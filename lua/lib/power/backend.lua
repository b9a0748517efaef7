--- What knows of batteries and sleep on this system. A system has a file power/SYSTEM.lua, which returns a power.Backend;
--- sys.power is all that scripts see of it.

local backends = require "backends"

local M = {}

local CHOICE = {
  linux = "power.upower", macos = "power.macos",
  nowhere = "Perigee cannot read the power supply of this system.",
}


--- What happens, as the system tells of it. "state": something of the state may be another; sys.power makes events of what
--- differs.
---@class power.Told
---@field what "sleeping"|"woke"|"state"
---@field state? sys.power.State  "state": as it is now

---@class power.Session
---@field next fun(self: power.Session, seconds?: number): power.Told?, string?, string?  waits; "timeout"; "lost": the system
---            tells no more
---@field dropped fun(self: power.Session): integer  what there was no room for
---@field close fun(self: power.Session)  twice is harmless

---@class power.Backend
---@field state fun(): sys.power.State?, string?, string?  "no_power" (the service that knows is not there), "timeout"
---@field open fun(): power.Session?, sys.power.State|string|nil, string?  from now on, with the state now, where it is known;
---            "no_power"


---@return power.Backend? backend
---@return string? err
---@return string? code  "not_supported"
function M.get() return backends.choose(CHOICE) end


return M
