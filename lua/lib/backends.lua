--- Chooses the module for this system, for modules that work differently on each.

local engine = require "sys.engine"
local env    = require "sys.env"

local M = {}


---@class backends.Choice
---@field linux string    the module
---@field macos string
---@field nowhere string  the message on other systems
---@field memory? string  the message on the desktop in memory; nil if that makes no difference

---@param choice backends.Choice
---@return table? backend
---@return string? err
---@return string? code  "not_supported"
function M.choose(choice)
  if choice.memory and engine.desktop() == "fake" then return nil, choice.memory, "not_supported" end
  local name = ({ linux = choice.linux, macos = choice.macos })[env.platform]
  if not name then return nil, choice.nowhere, "not_supported" end
  return require(name)
end


return M
