--- The interface to what keeps a machine awake and locks its session. Each system has a file awake/SYSTEM.lua, which returns an
--- awake.Backend; scripts see only sys.awake.

local backends = require "backends"

local M = {}

local CHOICE = {
  linux = "awake.freedesktop", macos = "awake.macos",
  nowhere = "Perigee can neither keep this system awake nor lock it.",
  memory = "The desktop in memory never sleeps and has no lock.",
}


--- A request that the machine stay awake, in effect while it is open.
---@class awake.Hold
---@field watch fun(self: awake.Hold)  returns when it holds no longer
---@field close fun(self: awake.Hold)  may be called twice

---@class awake.Backend
---@field hold fun(reason: string, display: boolean): awake.Hold?, string?, string?  "no_awake", "timeout"
---@field lock fun(): true?, string?, string?  "no_lock", "timeout"


---@return awake.Backend? backend
---@return string? err
---@return string? code  "not_supported"
function M.get() return backends.choose(CHOICE) end


return M
