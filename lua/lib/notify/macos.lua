--- Notifications on macOS: in Perigee.app by the Notification Center; outside of it, where macOS has none for programs, by
--- AppleScript, which shows title and text only.

local applescript = require "notify.applescript"
local center      = require "notify.center"

local M = {}


--- Returns a backend that uses the second one if the first says that there is no bundle.
---@param first notify.Backend
---@param second notify.Backend
---@return notify.Backend
function M.new(first, second)
  local function either(name)
    return function()
      local value, err, code = first[name]()
      if value or code ~= "no_bundle" then return value, err, code end
      return second[name]()
    end
  end
  return { open = either "open", capabilities = either "capabilities" }
end


local usual = M.new(center.usual(), applescript)

M.open, M.capabilities = usual.open, usual.capabilities


return M
