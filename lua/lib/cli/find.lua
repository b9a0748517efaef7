--- Looks up what a person named.

local engine  = require "sys.engine"
local files   = require "sys.files"
local nearest = require "nearest"

local M = {}


--- The tool of this name or alias.
---@param name string
---@return sys.engine.Tool?
---@return string? err
---@return string? code
function M.tool(name)
  local tool = engine.tool(name)
  if tool then return tool end
  if files.table("tool", name) then return nil, ("the tool '%s' is not for this platform"):format(name), "usage" end
  local names = {}
  for i, known in ipairs(engine.tools()) do names[i] = known.name end
  return nil, ("there is no tool '%s'%s"):format(name, nearest.question(name, names, "; ")), "usage"
end


return M
