--- The application that a caller of D-Bus means, with everything that it can be called for.

local dbus    = require "dictionary.dbus"
local desktop = require "dictionary.desktop"
local letters = require "letters"
local nearest = require "nearest"

local M = {}

local SHOWN = 12   -- names that an error lists


local function names(which, wanted)
  if letters.fold(which.id) == wanted or letters.fold(which.name) == wanted then return true end
  for _, each in ipairs(which.bus_names) do
    if letters.fold(each) == wanted then return true end
  end
  return false
end


local function listed(apps)
  local list = {}
  for i = 1, math.min(#apps, SHOWN) do list[i] = apps[i].id end
  return table.concat(list, ", ") .. (#apps > SHOWN and (" and %d more"):format(#apps - SHOWN) or "")
end


--- The programs that a text means. Without a desktop entry a program's name is only the end of that on the bus: one that people
--- call so comes first.
local function chosen(apps, text)
  local wanted, found, called = letters.fold(text), {}, {}
  for _, each in ipairs(apps) do
    if each.id == text then return { each } end
    if names(each, wanted) then
      found[#found + 1] = each
      if each.path then called[#called + 1] = each end
    end
  end
  return #called == 1 and called or found
end


local function not_found(apps, entries, text)
  local all, wanted = {}, letters.fold(text)
  for _, each in ipairs(apps) do
    all[#all + 1] = each.id
    if each.name ~= each.id then all[#all + 1] = each.name end
  end
  for _, entry in pairs(entries) do
    if letters.fold(entry.id) == wanted or letters.fold(entry.name) == wanted then
      return nil, ("%s does not run, or takes no calls over D-Bus. Start it with open_application %s, then call again"):format(
        entry.name, entry.id), "app_not_found"
    end
  end
  local near = nearest.question(text, all, "; ")
  return nil, ("no application is called %q on the D-Bus%s"):format(text,
    near ~= "" and near or #apps > 0 and ". Those that run: " .. listed(apps) or ""), "app_not_found"
end


--- Finds an application that runs, by its id, its name or a name that it has on the bus; or one that only has desktop actions.
---@param text string
---@return table? app  one of dictionary.dbus.apps() or dictionary.desktop.apps()
---@return string? err
---@return string? code  "app_not_found", "app_ambiguous", "no_bus"
function M.find(text)
  local apps, err, code = dbus.apps()
  if not apps then return nil, err, code end
  local found = chosen(apps, text)
  if #found == 0 then found = chosen(desktop.apps() or {}, text) end
  if #found == 0 then return not_found(apps, desktop.entries() or {}, text) end
  if #found > 1 then
    return nil, ("%q matches %d programs: %s. Use one of these"):format(text, #found, listed(found)), "app_ambiguous"
  end
  return found[1]
end


--- Reads what it can do now: interfaces, actions and desktop actions together.
---@param which dictionary.App
---@return dictionary.Suite[]? suites
---@return string? err
---@return string? code
function M.suites(which)
  if which.source == "desktop" then return desktop.suites(which) end
  local suites, err, code = dbus.suites(which)
  if not suites then return nil, err, code end
  local more = desktop.suites(which) or {}
  return table.move(more, 1, #more, #suites + 1, suites)
end


return M
