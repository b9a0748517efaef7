--- Answer to src/registry/choice.c, which asks when the file with the choice of common tools is another one.

local choice = require "common.choice"
local log    = require "sys.log"


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


---@param path string   the file; absolute
---@param known string  the applications that tools are for, a line each
---@return string? apps  those whose tools lists have, each between line ends; "*": all; nil: none
return function(path, known)
  local said = choice.read(path)
  if said.problem then log.warn(("%s: %s"):format(path, said.problem)) end
  if not said.on then return nil end
  warn_of_unknown(path, said.apps or {}, known)
  return said.apps and ("\n%s\n"):format(table.concat(said.apps, "\n")) or "*"
end
