--- Chooses what does something on this system, for modules whose work is another one on each.

local engine = require "sys.engine"
local env    = require "sys.env"

local M = {}


---@class backends.Choice
---@field linux string    the module
---@field macos string
---@field nowhere string  what is said where neither fits
---@field memory? string  what is said on the desktop in memory; nil: it makes no difference

---@param choice backends.Choice
---@return table? backend
---@return string? err
---@return string? code  "not_supported"
function M.choose(choice)
  if choice.memory and engine.parts().desktop == "fake" then return nil, choice.memory, "not_supported" end
  local name = ({ linux = choice.linux, macos = choice.macos })[env.platform]
  if not name then return nil, choice.nowhere, "not_supported" end
  return require(name)
end


return M
