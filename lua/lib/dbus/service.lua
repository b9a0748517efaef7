--- Objects that other programs call over D-Bus: methods are functions, and properties, introspection and Ping come with them.

local introspection = require "dbus.introspection"
local log           = require "sys.log"
local signatures    = require "dbus.signature"

local M = {}

local ERROR = "org.freedesktop.DBus.Error."
local PROPERTIES = "org.freedesktop.DBus.Properties"

--- A method. Its function gets the arguments, and the message last. It returns the values of `gives`, or nil, message, code:
--- the code is the name of a D-Bus error, or Failed.
---@class sys.dbus.Method
---@field takes? string  the signature of the arguments
---@field gives? string  the signature of the values
---@field fn fun(...): ...

---@class sys.dbus.Property
---@field type string  the signature of one type
---@field get any      the value, or a function that returns it
---@field set? fun(value: any): any, string?, string?  like a method's function; without it others cannot set the property

---@class sys.dbus.Interface
---@field methods? table<string, sys.dbus.Method>
---@field properties? table<string, sys.dbus.Property>
---@field signals? table<string, string>  their signatures

---@alias sys.dbus.Object table<string, sys.dbus.Interface>  by the names of the interfaces

---@class dbus.Service
---@field connection dbus.Connection
---@field objects table<string, sys.dbus.Object>  by their paths
---@field hear? fun(signal: sys.dbus.Incoming)
local Service = {}
Service.__index = Service
Service.__name = "dbus.Service"


-- --- values -----------------------------------------------------------------------------------------

local function value_of(property)
  if type(property.get) == "function" then return property.get() end
  return property.get
end


local function variant(property) return { property.type, value_of(property) } end


--- Returns a table of all properties, which is JSON's object even if it is empty.
local function variants(interface)
  local all = {}
  for name, property in pairs(interface.properties or {}) do all[name] = variant(property) end
  return all
end


-- --- answers ----------------------------------------------------------------------------------------

local function answer(self, call, signature, args)
  if not call.answered then return true end
  return self.connection.wire:send { kind = "answer", to = call.sender, reply_to = call.serial,
    signature = signature ~= "" and signature or nil, args = signature and signature ~= "" and args or nil }
end


local function refuse(self, call, name, text)
  if not call.answered then return true end
  return self.connection.wire:send { kind = "answer", to = call.sender, reply_to = call.serial, error = name, text = text }
end


local function error_name(code)
  return type(code) == "string" and code:find(".", 1, true) and code or ERROR .. "Failed"
end


--- Answers with the results of fn, or with an error if they do not fit.
local function finish(self, call, gives, results)
  if results[1] == nil and type(results[2]) == "string" then
    return refuse(self, call, error_name(results[3]), results[2])
  end
  local ok, err = answer(self, call, gives, results)
  if ok then return end
  log.error(("%s.%s: %s"):format(tostring(call.interface), call.member, err))
  refuse(self, call, ERROR .. "Failed", "the method returned values that do not fit its signature")
end


local function run(self, call, gives, fn, args)
  local results = table.pack(pcall(fn, table.unpack(args, 1, args.n or #args)))
  if not results[1] then
    log.error(tostring(results[2]))
    return refuse(self, call, ERROR .. "Failed", "the method failed")
  end
  local values = {}
  for i = 2, results.n do values[i - 1] = results[i] end
  return finish(self, call, gives or "", values)
end


-- --- calls ------------------------------------------------------------------------------------------

--- Returns the method of this name; without an interface, that of any interface that has it.
local function find_method(object, interface, member)
  if interface then
    local methods = (object[interface] or {}).methods
    return methods and methods[member]
  end
  for _, each in pairs(object) do
    if each.methods and each.methods[member] then return each.methods[member] end
  end
  return nil
end


local function property_at(object, interface, name)
  local properties = (object[interface] or {}).properties
  return properties and properties[name]
end


local function set_property(self, call, object)
  local property = property_at(object, call.values[1], call.values[2])
  if not property then return refuse(self, call, ERROR .. "UnknownProperty", "there is no such property") end
  if not property.set then return refuse(self, call, ERROR .. "PropertyReadOnly", "the property is read-only") end
  return run(self, call, "", property.set, { call.values[3] })
end


--- Answers a call of Properties; false if the call has other arguments.
local function on_properties(self, call, object)
  if call.member == "GetAll" and call.signature == "s" then
    return run(self, call, "a{sv}", function() return variants(object[call.values[1]] or {}) end, {})
  elseif call.member == "Get" and call.signature == "ss" then
    local property = property_at(object, call.values[1], call.values[2])
    if not property then return refuse(self, call, ERROR .. "UnknownProperty", "there is no such property") end
    return run(self, call, "v", function() return variant(property) end, {})
  elseif call.member == "Set" and call.signature == "ssv" then
    return set_property(self, call, object)
  end
  return refuse(self, call, ERROR .. "UnknownMethod", "there is no such method of Properties")
end


local function on_method(self, call, object)
  local method = find_method(object, call.interface, call.member)
  if not method then
    return refuse(self, call, ERROR .. "UnknownMethod",
      ("%s has no method %s.%s"):format(call.path, call.interface or "?", call.member))
  end
  if (method.takes or "") ~= (call.signature or "") then
    return refuse(self, call, ERROR .. "InvalidArgs", ("%s takes \"%s\", not \"%s\""):format(call.member, method.takes or "",
      call.signature or ""))
  end
  local args = table.move(call.values, 1, #call.values, 1, {})
  args[#args + 1] = call
  return run(self, call, method.gives, method.fn, args)
end


--- Answers a call.
---@param call sys.dbus.Incoming
function Service:answer(call)
  if call.interface == "org.freedesktop.DBus.Peer" and call.member == "Ping" then return answer(self, call) end
  if call.interface == "org.freedesktop.DBus.Introspectable" and call.member == "Introspect" then
    local text = introspection.describe(self.objects, call.path)
    if text then return answer(self, call, "s", { text }) end
  end
  local object = self.objects[call.path]
  if not object then return refuse(self, call, ERROR .. "UnknownObject", "there is no object at " .. call.path) end
  if call.interface == PROPERTIES then return on_properties(self, call, object) end
  return on_method(self, call, object)
end


--- Answers calls, one after the other, and passes signals on, until the connection ends.
---@return nil
---@return string err
---@return string code  "closed", or "no_bus" if the connection to the bus is lost
function Service:run()
  while true do
    local message, err, code = self.connection.wire:next()
    if not message then
      if code ~= "too_large" then return nil, err, code end
      log.warn(err)
    elseif message.kind == "call" then
      self:answer(message)
    elseif self.hear then
      self.hear(message)
    end
  end
end


--- Sends a signal that the object declares.
---@param path string
---@param interface string
---@param member string
---@param ... any
---@return true? ok
---@return string? err
---@return string? code
function Service:emit(path, interface, member, ...)
  local object = self.objects[path]
  local signals = object and object[interface] and object[interface].signals
  local signature = signals and signals[member]
  if not signature then error(("%s has no signal %s.%s"):format(path, interface, member), 2) end
  return self.connection.wire:send { kind = "signal", path = path, interface = interface, member = member,
    signature = signature ~= "" and signature or nil, args = signature ~= "" and { ... } or nil }
end


--- Announces new values of properties.
---@param path string
---@param interface string
---@param names string[]
---@return true? ok
---@return string? err
---@return string? code
function Service:changed(path, interface, names)
  local properties, now = self.objects[path][interface].properties, {}
  for _, name in ipairs(names) do now[name] = variant(properties[name]) end
  return self.connection.wire:send { kind = "signal", path = path, interface = PROPERTIES, member = "PropertiesChanged",
    signature = "sa{sv}as", args = { interface, now, {} } }
end


function Service:close() self.connection:close() end

Service.__close = Service.close


--- Raises an error if a name or a part of an object is not valid.
local function check(where, objects)
  for path, object in pairs(objects) do
    if type(path) ~= "string" or path:sub(1, 1) ~= "/" then
      error(("%s: \"%s\" is not a path"):format(where, tostring(path)), 3)
    end
    for name, interface in pairs(object) do
      if not name:match "^[%a_][%w_]*%.[%w_.]+$" then error(("%s: \"%s\" is not an interface"):format(where, name), 3) end
      for member, method in pairs(interface.methods or {}) do
        if type(method.fn) ~= "function" then error(("%s: %s.%s has no fn"):format(where, name, member), 3) end
      end
      for member, property in pairs(interface.properties or {}) do
        if not signatures.is_valid(property.type or "", true) then
          error(("%s: %s.%s has no type"):format(where, name, member), 3)
        end
      end
    end
  end
  return objects
end


---@param where string  for errors: "sys.dbus.serve"
---@param connection dbus.Connection
---@param objects table<string, sys.dbus.Object>
---@return dbus.Service
function M.new(where, connection, objects)
  return setmetatable({ connection = connection, objects = check(where, objects) }, Service)
end


return M
