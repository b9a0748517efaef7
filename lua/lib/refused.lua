--- Failures by which the policy, the user or a dry run refused something. No other way is tried then, and the message and the
--- code come through as they are.

local M = {}

local CODES = { changed = true, denied = true, dry_run = true, not_approved = true, not_recorded = true }


--- True if a failure is such a one.
---@param code? string
---@param name? string  the name of a D-Bus error, with which another program refused it
---@return boolean
function M.is(code, name) return name == nil and CODES[code] == true end


return M
