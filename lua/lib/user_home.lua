--- The user's directory of Perigee, as the engine finds it: never one of the working directory, which may come from elsewhere.

local env = require "sys.env"

--- An absolute path in a variable; nil: it is not set, or is relative.
local function set(name) return (env.get(name, "")):match "^/.*" end

--- Returns PERIGEE_HOME, or `perigee` in the directory of configurations.
---@return string path
return function()
  return set "PERIGEE_HOME" or (set "XDG_CONFIG_HOME" or (set "HOME" or "") .. "/.config") .. "/perigee"
end
