--- The descriptions of objects: the XML of org.freedesktop.DBus.Introspectable.

local signatures = require "dbus.signature"

local M = {}

local HEAD = '<!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"\n' ..
  '"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">\n'

--- The interfaces that every object has (lua/lib/dbus/service.lua).
local STANDARD = [[
  <interface name="org.freedesktop.DBus.Introspectable">
    <method name="Introspect"><arg type="s" direction="out"/></method>
  </interface>
  <interface name="org.freedesktop.DBus.Peer">
    <method name="Ping"/>
  </interface>
  <interface name="org.freedesktop.DBus.Properties">
    <method name="Get"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/></method>
    <method name="GetAll"><arg type="s" direction="in"/><arg type="a{sv}" direction="out"/></method>
    <method name="Set"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="in"/></method>
    <signal name="PropertiesChanged"><arg type="s"/><arg type="a{sv}"/><arg type="as"/></signal>
  </interface>
]]


local function sorted(map)
  local names = {}
  for name in pairs(map or {}) do names[#names + 1] = name end
  table.sort(names)
  return names
end


local function add_args(out, signature, direction)
  for _, each in ipairs(signatures.types(signature or "")) do
    out[#out + 1] = direction and ('<arg type="%s" direction="%s"/>'):format(each, direction) or ('<arg type="%s"/>'):format(each)
  end
end


local function add_interface(out, name, interface)
  out[#out + 1] = ('  <interface name="%s">\n'):format(name)
  for _, member in ipairs(sorted(interface.methods)) do
    out[#out + 1] = ('    <method name="%s">'):format(member)
    add_args(out, interface.methods[member].takes, "in")
    add_args(out, interface.methods[member].gives, "out")
    out[#out + 1] = "</method>\n"
  end
  for _, member in ipairs(sorted(interface.signals)) do
    out[#out + 1] = ('    <signal name="%s">'):format(member)
    add_args(out, interface.signals[member])
    out[#out + 1] = "</signal>\n"
  end
  for _, member in ipairs(sorted(interface.properties)) do
    local property = interface.properties[member]
    out[#out + 1] = ('    <property name="%s" type="%s" access="%s"/>\n'):format(member, property.type,
      property.set and "readwrite" or "read")
  end
  out[#out + 1] = "  </interface>\n"
end


--- Returns the next parts of the paths below this one.
local function children(objects, path)
  local prefix, found = path == "/" and "/" or path .. "/", {}
  for each in pairs(objects) do
    if each:sub(1, #prefix) == prefix then found[each:sub(#prefix + 1):match "^[^/]+" or ""] = true end
  end
  found[""] = nil
  return sorted(found)
end


--- Describes the object at this path, even if there are only others below it; nil if there are none.
---@param objects table<string, sys.dbus.Object>
---@param path string
---@return string?
function M.describe(objects, path)
  local object, below = objects[path], children(objects, path)
  if not object and #below == 0 then return nil end
  local out = { HEAD, "<node>\n" }
  if object then
    out[#out + 1] = STANDARD
    for _, name in ipairs(sorted(object)) do add_interface(out, name, object[name]) end
  end
  for _, name in ipairs(below) do out[#out + 1] = ('  <node name="%s"/>\n'):format(name) end
  out[#out + 1] = "</node>\n"
  return table.concat(out)
end


return M
