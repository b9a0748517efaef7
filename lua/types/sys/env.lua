---@meta sys.env

--- Environment variables, by name; they cannot be listed. `.env` in the configuration folder sets those that are not set.
---@class sys.env
---@field platform "macos"|"linux"
local env = {}

--- Returns the value of a variable.
---@param name string
---@param default? string
---@return string? value  the default (or nil) if it is unset or empty
function env.get(name, default) end

return env
