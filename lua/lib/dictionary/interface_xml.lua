--- The XML with which an object of D-Bus describes itself, as tables.
--
-- Programs write what they like into it, and models read the names: what no name or no type of D-Bus can be is left out.

local quoting   = require "desktop.quoting"
local signature = require "dbus.signature"
local xml       = require "sys.xml"

local M = {}

---@class dictionary.Argument
---@field name? string
---@field type string  the signature of one type

---@class dictionary.Member
---@field name string
---@field takes dictionary.Argument[]
---@field gives dictionary.Argument[]
---@field notes table<string, string>  its annotations
---@field broken? boolean  an argument has no type of D-Bus

---@class dictionary.BusProperty
---@field name string
---@field type string
---@field access "r"|"w"|"rw"
---@field notes table<string, string>

---@class dictionary.Interface
---@field name string
---@field methods dictionary.Member[]
---@field properties dictionary.BusProperty[]
---@field signals integer  their number
---@field notes table<string, string>

---@class dictionary.Node
---@field interfaces dictionary.Interface[]
---@field children string[]  the names of the objects below
---@field inside table<string, dictionary.Node>  those children that are described in the same text

local NAME, LONGEST = "^[%a_][%w_]*$", 255   -- of members and parts of interfaces
local ARGUMENT = "^[%w_][%w_ .-]*$"
local NOTE = 500                             -- characters of an annotation

local ACCESS = { read = "r", write = "w", readwrite = "rw" }


local function is_member(name) return name ~= nil and #name <= LONGEST and name:find(NAME) ~= nil end


local function is_interface(name)
  if not name or #name > LONGEST or not name:find "%." or (".%s."):format(name):find("..", 1, true) then return false end
  for part in name:gmatch "[^.]+" do
    if not part:find(NAME) then return false end
  end
  return true
end


local function is_type(kind) return kind ~= nil and signature.is_valid(kind, true) end


--- Handlers by the element that is open, and the one that opens in it.
local OPEN = {}

function OPEN.node(reader, attributes)
  local node = { interfaces = {}, children = {}, inside = {} }
  local outer = reader.nodes[#reader.nodes]
  local name = (attributes.name or ""):match "([^/]+)$"
  if not outer then
    reader.root = node
  elseif name then
    outer.children[#outer.children + 1] = name
    outer.inside[name] = node
  end
  reader.nodes[#reader.nodes + 1] = node
  return node
end

function OPEN.interface(reader, attributes)
  local node, name = reader.nodes[#reader.nodes], attributes.name
  if not node or not is_interface(name) then return nil end
  local interface = { name = name, methods = {}, properties = {}, signals = 0, notes = {} }
  node.interfaces[#node.interfaces + 1] = interface
  reader.interface = interface
  return interface
end

function OPEN.method(reader, attributes)
  if not reader.interface or not is_member(attributes.name) then return nil end
  local method = { name = attributes.name, takes = {}, gives = {}, notes = {} }
  table.insert(reader.interface.methods, method)
  return method
end

function OPEN.property(reader, attributes)
  if not reader.interface or not is_member(attributes.name) or not is_type(attributes.type) then return nil end
  local property = { name = attributes.name, type = attributes.type, access = ACCESS[attributes.access] or "r", notes = {} }
  table.insert(reader.interface.properties, property)
  return property
end

function OPEN.signal(reader)
  if reader.interface then reader.interface.signals = reader.interface.signals + 1 end
  return { notes = {} }
end

function OPEN.arg(reader, attributes)
  local method = reader.open[#reader.open]
  if not method or not method.takes then return nil end
  method.broken = method.broken or not is_type(attributes.type)
  local name = attributes.name and #attributes.name <= 64 and attributes.name:find(ARGUMENT) and attributes.name or nil
  table.insert(attributes.direction == "out" and method.gives or method.takes, { name = name, type = attributes.type })
  return nil
end

function OPEN.annotation(reader, attributes)
  local of = reader.open[#reader.open]
  if of and of.notes and attributes.name then
    of.notes[attributes.name] = quoting.cut(quoting.plain(attributes.value or ""), NOTE)
  end
  return nil
end


--- Reads a description.
---@param text string
---@return dictionary.Node? node
---@return string? err
---@return string? code
function M.read(text)
  local reader = { nodes = {}, open = {} }
  local ok, err, code = xml.read(text, {
    open = function(name, attributes)
      local handler = OPEN[name]
      reader.open[#reader.open + 1] = handler and handler(reader, attributes) or false
    end,
    close = function(name)
      table.remove(reader.open)
      if name == "node" then table.remove(reader.nodes) end
      if name == "interface" then reader.interface = nil end
    end,
  })
  if not ok then return nil, err, code end
  if not reader.root then return nil, "it has no node", "malformed" end
  return reader.root
end


return M
