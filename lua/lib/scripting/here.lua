--- Whether scripts for osascript can run on this system.

local env = require "sys.env"

local M = {}


--- True on macOS. PERIGEE_OSASCRIPT names another program to run instead (for tests).
---@return boolean
function M.has_osascript() return env.platform == "macos" or env.get "PERIGEE_OSASCRIPT" ~= nil end


return M
