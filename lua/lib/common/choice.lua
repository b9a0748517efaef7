--- The common tools that the user chose to have in lists (docs/common-tools.md):
--
--     {"generateCommonTools": true, "includeApps": ["com.apple.finder"]}
--
-- at the top of the file that also names servers. Other members are not looked at.

local edited_json = require "edited_json"
local files       = require "sys.files"
local json        = require "sys.json"

local M = {}


local function are_strings(list)
  if not json.is_array(list) then return false end
  for _, item in ipairs(list) do
    if type(item) ~= "string" then return false end
  end
  return true
end


--- Returns what the file says of common tools, or why it cannot be used; {}: it says nothing of them, or there is none.
---@param path string
---@return {on?: boolean, apps?: string[], problem?: string} choice  apps is nil for all of them
function M.read(path)
  local text, err, code = files.trusted(path)
  if not text then return { problem = code ~= "not_found" and err or nil } end
  local root
  root, err = edited_json.decode(text)
  if err then return { problem = err } end
  if type(root) ~= "table" then return {} end
  local on, apps = root.generateCommonTools, root.includeApps
  if on == json.null then on = nil end
  if apps == json.null then apps = nil end
  if on ~= nil and type(on) ~= "boolean" then return { problem = '"generateCommonTools" is neither true nor false' } end
  if apps ~= nil and not are_strings(apps) then
    return { problem = '"includeApps" is not a list of strings. Write it like ["com.apple.finder"]' }
  end
  return { on = on, apps = apps }
end


return M
