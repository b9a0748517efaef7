--- Checks the options with which scripts choose events.

local nearest = require "nearest"

local M = {}


--- Raises an error if an option is unknown or has another type.
---@param where string  "sys.window.events"
---@param options table?
---@param known table<string, string>  name to type, or to types separated by spaces
---@return table
function M.check(where, options, known)
  if options == nil then return {} end
  if type(options) ~= "table" then error(("%s: expected a table of options, not a %s"):format(where, type(options)), 4) end
  for key, value in pairs(options) do
    local wanted = known[key]
    if not wanted then
      local names = {}
      for name in pairs(known) do names[#names + 1] = name end
      table.sort(names)
      error(("%s: unknown option '%s'%s"):format(where, tostring(key), nearest.question(tostring(key), names, "; ")), 4)
    end
    if not (" " .. wanted .. " "):find(" " .. type(value) .. " ", 1, true) then
      error(("%s: '%s' must be a %s, not a %s"):format(where, key, wanted:gsub(" ", " or a "), type(value)), 4)
    end
  end
  return options
end


--- Returns a set of names; nil means all.
---@param where string
---@param what string|string[]|nil
---@param known string[]
---@param noun? string  the noun for them in messages (default: "events")
---@return table<string, true>?
function M.names(where, what, known, noun)
  if what == nil then return nil end
  local set = {}
  for _, name in ipairs(type(what) == "table" and what or { what }) do
    local found = false
    for _, each in ipairs(known) do found = found or each == name end
    if not found then
      error(("%s: \"%s\" is none of its %s: %s"):format(where, tostring(name), noun or "events", table.concat(known, ", ")), 4)
    end
    set[name] = true
  end
  return set
end


return M
