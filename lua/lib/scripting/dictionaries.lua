--- The dictionaries of the applications that a script names, for the checker of AppleScript. Nothing is started.

local app_files    = require "sys.app_files"
local applications = require "scripting.applications"
local bundles      = require "dictionary.bundles"
local dictionaries = require "applescript.dictionaries"
local suites       = require "applescript.suites"

local M = {}


--- True if the script is for this application.
local function is_wanted(app, targets, id)
  if id and app.id:lower() == id:lower() then return true end
  for _, target in ipairs(targets.list) do
    if applications.is_named(target, app) then return true end
  end
  return false
end


--- Adds the dictionary in the bundle of an application. One that cannot be read is left out: the checker then knows no terms.
local function add(known, app)
  local bytes = app.sdef and app_files.read(app.sdef, suites.MAX_BYTES)
  local terms = bytes and known:add(app.id, bytes)
  if terms then terms.id, terms.name = app.id, app.name end
end


---@param targets applescript.Targets
---@param id? string  the bundle ID of the application that the script is for
---@return applescript.Dictionaries
function M.of(targets, id)
  local known = dictionaries.new()
  if not id and not targets.list[1] then return known end
  for _, app in ipairs(bundles.apps()) do
    if is_wanted(app, targets, id) then add(known, app) end
  end
  return known
end


return M
