--- The system whose applications the common tools use.

local env = require "sys.env"

local M = {}


--- True on a Mac, where the tools run AppleScript; elsewhere their counterparts are used.
---@return boolean
function M.is_mac() return env.platform == "macos" end


return M
