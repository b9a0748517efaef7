--- The caller to whom a thing of the engine belongs: an input that was sent, a screenshot, an observation. Others neither see nor
--- change it, and are told what they would be told if it did not exist.

local console = require "sys.console"

local M = {}


--- Returns the key of the running call's caller, to be kept with a thing. nil: nobody calls, and the thing is for all.
---@return string? owner
function M.key()
  local caller = console.caller()
  return caller and caller.owner
end


--- Returns whether the running call may see what has this key. What the engine itself does, may.
---@param owner? string
---@return boolean
function M.is_mine(owner)
  local key = owner and M.key()
  return not key or key == owner
end


return M
