--- Paths in arguments of tools that do not read relative ones as sys.fs does, from the first granted directory.

local policy = require "sys.policy"

local M = {}

local UNKNOWN = "`/"   -- such a path can lead anywhere


local function is_relative(text)
  return type(text) == "string" and text ~= "" and not text:find "^%s*[/~]" and not text:find "^%a[%w+.-]+:"
end


--- A path where it starts.
---@param base "server"|"elsewhere"
---@param text any
local function placed(base, text)
  if not is_relative(text) then return text end
  local folder = base == "server" and policy.real(".", ".")
  return (folder and folder .. "/" or UNKNOWN) .. text
end


--- A copy of the arguments, with such paths where they start.
---@param relative table<string, "server"|"elsewhere">  by the names of arguments
---@param args table
---@return table
function M.placed(relative, args)
  local copy = {}
  for name, value in pairs(args) do
    local base = relative[name]
    if base and type(value) == "table" then
      copy[name] = {}
      for key, each in pairs(value) do copy[name][key] = placed(base, each) end
    else
      copy[name] = base and placed(base, value) or value
    end
  end
  return copy
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
