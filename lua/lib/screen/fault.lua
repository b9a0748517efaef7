--- The error codes of the screen tools and commands, and their sources.

local fail = require "desktop.fail"

local M = {}

--- Codes of these tools that differ from the desktop's.
local CODES = {
  window_minimized = "CAPTURE_FAILED",
  display_not_found = "CAPTURE_FAILED",
  outside = "CAPTURE_FAILED",
  not_supported = "CAPTURE_FAILED",
  too_large = "CAPTURE_FAILED",
  bad_path = "INVALID_ARGUMENT",
}


--- The code of a failure of the desktop.
---@param code? string
---@return string
function M.code(code)
  return CODES[code] or fail.codes[code] or code and code:upper() or "INTERNAL_SWIFT_ERROR"
end


--- A failure of sys.app, sys.window or sys.display as nil, text, code, details.
---@param err string
---@param code? string
---@return nil, string, string, string?
function M.from(err, code)
  local ours = M.code(code)
  return nil, fail.advised(err, code) --[[@as string]], ours, code and code:upper() ~= ours and code or nil
end


return M
