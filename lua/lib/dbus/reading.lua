--- Methods of D-Bus that only read. Nothing in an interface says so: it is told by their names, as interfaces are named.

local M = {}

local READS = {
  ["org.freedesktop.DBus"] = { AddMatch = true, GetAdtAuditSessionData = true, GetConnectionCredentials = true,
    GetConnectionUnixProcessID = true, GetConnectionUnixUser = true, GetId = true, GetNameOwner = true, Hello = true,
    ListActivatableNames = true, ListNames = true, ListQueuedOwners = true, NameHasOwner = true, RemoveMatch = true },
  ["org.freedesktop.DBus.Monitoring"] = { BecomeMonitor = true },
  ["org.freedesktop.DBus.Introspectable"] = { Introspect = true },
  ["org.freedesktop.DBus.Peer"] = { Ping = true, GetMachineId = true },
  ["org.freedesktop.DBus.Properties"] = { Get = true, GetAll = true },
  ["org.gtk.Actions"] = { Describe = true, DescribeAll = true, List = true },
}
local BEGINNINGS = { "Get", "List", "Query", "Describe" }


--- True if a method reads, or only asks the bus to be told of something: of a known interface, or by the first word of its name.
---@param interface string
---@param member string
---@return boolean
function M.is(interface, member)
  local known = READS[interface]
  if known then return known[member] == true end
  for _, word in ipairs(BEGINNINGS) do
    if member:sub(1, #word) == word and not member:find("^%l", #word + 1) then return true end
  end
  return false
end


--- True for a call that does an action or sets its state; its first argument is the name of the action.
---@param interface? string
---@param member? string
---@return boolean
function M.is_action(interface, member)
  return interface == "org.gtk.Actions" and (member == "Activate" or member == "SetState")
    or interface == "org.freedesktop.Application" and member == "ActivateAction"
end


--- The number of arguments, from the first, that are names which programs give: of a program, an action, a property.
---@param interface? string
---@param member? string
---@return integer
function M.names(interface, member)
  if interface == "org.freedesktop.DBus" then return M.is(interface, member or "") and 1 or 0 end
  if interface == "org.freedesktop.DBus.Properties" then return member == "GetAll" and 1 or 2 end
  return (interface == "org.gtk.Actions" and member == "Describe" or M.is_action(interface, member)) and 1 or 0
end


return M
