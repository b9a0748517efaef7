--- Methods, actions and properties of a dictionary of D-Bus by the names that callers give them.

local nearest = require "nearest"

local M = {}

local SHOWN = 12   -- names that an error lists

---@class dictionary.BusMember
---@field name string   "PlayPause"
---@field label string  in full: "org.mpris.MediaPlayer2.Player.PlayPause", "win.save"
---@field call table    the `call` of the common model
---@field parameters table[]
---@field hidden boolean
---@field prefixes string[]  that may stand before the name with a dot


--- The ends of an interface's name: "MediaPlayer2.Player", "Player".
local function ends_of(interface)
  local list, rest = { interface }, interface
  while true do
    rest = rest:match "^[^.]+%.(.+)$"
    if not rest then return list end
    list[#list + 1] = rest
  end
end


local function member_of(item, suite)
  local call = item.call
  local prefix = call.kind == "action" and call.of or call.kind == "desktop" and "desktop" or call.interface
  local alone = call.kind == "action" or call.kind == "desktop"
  return { name = item.name, label = prefix .. "." .. item.name, call = call, parameters = item.parameters or {},
    hidden = suite.hidden == true, prefixes = alone and { prefix } or ends_of(prefix) }
end


--- Lists all that suites have.
---@param suites dictionary.Suite[]
---@return dictionary.BusMember[]
function M.list(suites)
  local list = {}
  for _, suite in ipairs(suites) do
    for _, command in ipairs(suite.commands) do list[#list + 1] = member_of(command, suite) end
    for _, class in ipairs(suite.classes) do
      for _, property in ipairs(class.properties) do list[#list + 1] = member_of(property, suite) end
    end
  end
  return list
end


--- How well a name means a member: 1 in full, 2 by the end of its interface, 3 by itself; nil: it does not.
local function fit(member, name)
  if name == member.label then return 1 end
  if name == member.name then return member.hidden and 4 or 3 end
  for _, prefix in ipairs(member.prefixes) do
    if name == prefix .. "." .. member.name then return 2 end
  end
  return nil
end


local function labels(members)
  local list = {}
  for i = 1, math.min(#members, SHOWN) do list[i] = members[i].label end
  return table.concat(list, ", ") .. (#members > SHOWN and (" and %d more"):format(#members - SHOWN) or "")
end


local function not_found(id, members, name)
  local names, last, seen = {}, name:match "([^.]+)$" or name, {}
  for _, each in ipairs(members) do
    if not each.hidden and not seen[each.name] then names[#names + 1], seen[each.name] = each.name, true end
  end
  local near = nearest.question(name, names, "; ")
  if near == "" then near = nearest.question(last, names, "; ") end
  return nil, ("%s has no method, action or property called %q%s"):format(id, name,
    near ~= "" and near or #names == 0 and ": it has none" or ". get_app_capabilities lists them"), "not_found"
end


--- Takes those that have an object at this path.
local function at(members, path)
  local kept = {}
  for _, each in ipairs(members) do
    for _, own in ipairs(each.call.paths or { each.call.path }) do
      if own == path then kept[#kept + 1] = each end
    end
  end
  return kept
end


--- Finds a member of an application.
---@param id string  of the application
---@param suites dictionary.Suite[]
---@param name string
---@param path? string  of its object
---@return dictionary.BusMember? member
---@return string? err
---@return string? code  "not_found", "bad_argument" (several have that name; the path has none)
function M.find(id, suites, name, path)
  local members, best, found = M.list(suites), math.huge, {}
  for _, each in ipairs(members) do
    local rank = fit(each, name)
    if rank and rank < best then best, found = rank, {} end
    if rank and rank == best then found[#found + 1] = each end
  end
  if #found == 0 then return not_found(id, members, name) end
  if path then
    local there = at(found, path)
    if #there == 0 then
      return nil, ("%s has no %s at %s. It is at %s"):format(id, name, path,
        table.concat(found[1].call.paths or { found[1].call.path or "no path" }, ", ")), "bad_argument"
    end
    found = there
  end
  if #found > 1 then
    return nil, ("%q means %d things: %s. Use one of these names"):format(name, #found, labels(found)), "bad_argument"
  end
  return found[1]
end


return M
