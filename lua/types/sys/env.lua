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

---@class sys.env.File
---@field path     string
---@field taken?   string  names that it has set, "A, B"; never a value
---@field ignored? string  names of settings that a file of the working directory may not set
---@field refused? string  why it was not read

--- Returns what became of `.env` in the working directory when the program began.
---@return sys.env.File?  nil: there is none
function env.file() end

--- True if `.env` of a working directory, which may be a stranger's, set the variable: that of this program, or of the Perigee
--- that started it.
---@param name string
---@return boolean
function env.of_directory(name) end

return env
