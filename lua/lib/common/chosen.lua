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
---@param known string  applications, a line each
local function warn_of_unknown(path, apps, known)
  known = ("\n" .. known):lower()
  for _, app in ipairs(apps) do
    if not known:find(("\n%s\n"):format(app:lower()), 1, true) then
      log.warn(('%s: no common tool is for "%s", which "includeApps" names'):format(path, app))
    end
  end
end


--- Returns the user's choice: the applications whose tools lists have, each between line ends ("*": all), and as JSON what the
--- file says of them: {"file":, "on":, "apps":, "problem":}. nil, nil: it says nothing.
---@param path string   the file; absolute
---@param known string  the applications that tools are for, a line each
---@return string? apps
---@return string? told
return function(path, known)
  local choice = read(path)
  if choice.problem then log.warn(("%s: %s"):format(path, choice.problem)) end
  if not (choice.on or choice.apps or choice.problem) then return nil, nil end
  if choice.on then warn_of_unknown(path, choice.apps or {}, known) end
  choice.file, choice.on = path, choice.on or false
  local apps = choice.on and (choice.apps and ("\n%s\n"):format(table.concat(choice.apps, "\n")) or "*")
  return apps or nil, assert(json.encode(choice))
end
