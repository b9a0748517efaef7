--- The installed ones among the applications that describe nothing.

local app     = require "sys.app"
local env     = require "sys.env"
local quoting = require "desktop.quoting"

local M = {}


local function runs(id)
  for _, one in ipairs(app.list() or {}) do
    if one.id == id then return true end
  end
  return false
end


--- Returns why an installed application has no dictionary; nil if none is called so, or no desktop says what is installed.
---@param wanted string  its ID or its name
---@return string?
function M.fault(wanted)
  local key = wanted:lower()
  for _, one in ipairs(app.installed() or {}) do
    if one.id:lower() == key or one.name:lower() == key then
      local who = ("%s (%s) is installed, but has no dictionary"):format(quoting.name(one.name), quoting.plain(one.id))
      if env.platform == "macos" or runs(one.id) then return who .. ": nothing describes what it can do." end
      return ("%s, or only one that can be read while it runs. Start it with open_application %s, then ask again.")
        :format(who, one.id)
    end
  end
  return nil
end


return M
