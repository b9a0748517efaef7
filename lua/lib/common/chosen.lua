--- The common tools that the user chose to have in lists (docs/common-tools.md):
--
--     {"generateCommonTools": true, "includeApps": ["com.apple.finder"]}
--
-- at the top of the file that also names servers. Other members are not looked at. src/registry/choice.c asks when the file is
-- another one.

local edited_json = require "edited_json"
local files       = require "sys.files"
local json        = require "sys.json"
local log         = require "sys.log"


local function are_strings(list)
  if not json.is_array(list) then return false end
  for _, item in ipairs(list) do
    if type(item) ~= "string" then return false end
  end
  return true
end


--- Returns what the file says of common tools, or why it cannot be used; {}: there is no file.
---@return {on?: boolean, apps?: string[], problem?: string}
local function read(path)
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


--- Warns of words that no tool waits for: a typo, or for another program.
local function warn_of_unknown(path, apps, known)
  local is_known = {}
  for _, app in ipairs(known) do is_known[app:lower()] = true end
  for _, app in ipairs(apps) do
    if not is_known[app:lower()] then
      log.warn(('%s: no common tool is for "%s", which "includeApps" names'):format(path, app))
    end
  end
end


--- Returns the user's choice as JSON: {"file":, "on":, "apps":, "problem":}; nil: the file says nothing of common tools.
---@param path string    the file; absolute
---@param known string[]  the applications that tools are for
---@return string? choice
return function(path, known)
  local choice = read(path)
  if choice.problem then log.warn(("%s: %s"):format(path, choice.problem)) end
  if choice.on then warn_of_unknown(path, choice.apps or {}, known) end
  if not (choice.on or choice.apps or choice.problem) then return nil end
  choice.file, choice.on = path, choice.on or false
  return assert(json.encode(choice))
end
