---@meta sys.env

--- Environment variables, by name; they cannot be listed. `.env` in the configuration folder sets those that are not set, and
--- then `.env` in the working directory some of them: keys of models, and settings of slides and of the log.
---@class sys.env
---@field platform "macos"|"linux"
local env = {}

--- Returns the value of a variable.
---@param name string
---@param default? string
---@return string? value  the default (or nil) if it is unset or empty
function env.get(name, default) end

--- Returns the value of a variable, also an empty one.
---@param name string
---@return string? value  nil: it is not set
function env.value(name) end

--- Returns what became of `.env` in the working directory when the program began.
---@return string? path     nil: there is none
---@return string? taken    names that it has set, "A, B"; never a value
---@return string? left     names that a file of the working directory may not set, a line each
---@return string? refused  why it was not read
function env.file() end

return env
