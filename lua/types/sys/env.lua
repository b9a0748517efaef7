---@meta sys.env

--- Environment variables, by name; they cannot be listed. `.env` in the configuration folder fills in what is not set.
---@class sys.env
---@field platform "macos"|"linux"
local env = {}

--- The value of a variable.
---@param name string
---@param default? string
---@return string? value  the default (or nil) when unset or empty
function env.get(name, default) end

return env
