--- Paths in arguments that a tool's file declares, from where relative ones start.

local declared = require "policy.declared"
local policy   = require "sys.policy"

local M = {}

local UNKNOWN = "`/"   -- such a path can lead anywhere


local function is_relative(text) return text ~= "" and not text:find "^[%s/~]" and not text:find "^%a[%w+.-]+:" end


local STARTS = {
  granted = function() return policy.real "." end,
  server = function() return policy.real(".", ".") end,
  elsewhere = function() return nil end,
}


--- A copy of the arguments, with such paths where they start.
---@param about table  of the tool's file
---@param args table
---@return table
function M.placed(about, args)
  return declared.changed(about, args, function(text, kind)
    local base = declared.PATHS[kind]
    if not base or not is_relative(text) then return text end
    local folder = STARTS[base]()
    return (folder and (folder == "/" and "" or folder) .. "/" or UNKNOWN) .. text
  end)
end


--- The words by which a path may have been named from the server's directory.
---@param path string  with links resolved
---@return string?
function M.of_server(path)
  local folder, up = policy.real(".", "."), ""
  while folder and folder:find "^/." do
    if path:sub(1, #folder + 1) == folder .. "/" then return up .. path:sub(#folder + 2) end
    folder, up = folder:match "^(.*)/[^/]*$", up .. "../"
  end
end


return M
