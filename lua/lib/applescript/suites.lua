--- Reads a scripting dictionary (SDEF) as it is written: its suites with all that they declare, in the order of the file.
--
-- Nothing is merged or left out: a class that occurs twice is two entries, and hidden ones are marked. applescript.sdef makes
-- the view of it that the checker needs.

local encoding = require "applescript.encoding"
local xml      = require "sys.xml"

local M = {}

M.MAX_BYTES = 8 * 1024 * 1024      -- of a dictionary

local XINCLUDE = { ["http://www.w3.org/2003/XInclude"] = true, ["http://www.w3.org/2001/XInclude"] = true }
local DIRECT = "----"               -- the code of a direct parameter
local DOCUMENTATION = 20000         -- bytes of a documentation that are kept

---@class applescript.Declared
---@field name? string
---@field code? string         as written; trailing spaces count
---@field description? string
---@field documentation? string  without its markup
---@field hidden? boolean
---@field synonyms? {name?: string, code?: string}[]

---@class applescript.DeclaredType
---@field name string    as written
---@field list boolean
---@field of? applescript.DeclaredType[]  the types inside it

---@class applescript.DeclaredValue : applescript.Declared  a parameter, a result, a property
---@field types applescript.DeclaredType[]  it has any of these
---@field required? boolean  of a parameter
---@field default? string|number|boolean  of a parameter of an intent
---@field access? "r"|"rw"|"w"  of a property
---@field contents? boolean  of a property: it stands for the object

---@class applescript.DeclaredCommand : applescript.Declared
---@field direct? applescript.DeclaredValue
---@field parameters applescript.DeclaredValue[]  in their order
---@field result? applescript.DeclaredValue

---@class applescript.DeclaredClass : applescript.Declared
---@field plural? string
---@field inherits? string
---@field extends? string  for a class-extension, whose name this is
---@field properties applescript.DeclaredValue[]
---@field elements {type: string, access: string, hidden?: boolean}[]

---@class applescript.DeclaredEnumeration : applescript.Declared
---@field values applescript.Declared[]

---@class applescript.Suite : applescript.Declared
---@field commands applescript.DeclaredCommand[]
---@field events applescript.DeclaredCommand[]  that the application sends to scripts
---@field classes applescript.DeclaredClass[]
---@field enumerations applescript.DeclaredEnumeration[]
---@field records applescript.DeclaredClass[]
---@field values applescript.Declared[]  value types

---@class applescript.Suites
---@field title string
---@field suites applescript.Suite[]
---@field includes? table<string, table<string, true>>  if Cocoa's standard suite is included: the names that are left out of it,
---                                                     by element
---@field partial? boolean  a part was not understood
---@field notes string[]    the parts that were not understood


local function add(list, item)
  list[#list + 1] = item
  return item
end


--- The members that nearly everything has.
local function described(item, a)
  item.name, item.code, item.description = a.name, a.code, a.description
  if a.hidden == "yes" then item.hidden = true end
  return item
end


--- A parameter, result or property, in a table that has room for all its members: growing takes longer than the rest.
local function value(a)
  local kind = a.type
  return { name = a.name, code = a.code, description = a.description, hidden = a.hidden == "yes" or nil, required = nil,
    access = nil, types = kind and kind ~= "" and { { name = kind, list = a.list == "yes" } } or {} }
end


local function command(a)
  return { name = a.name, code = a.code, description = a.description, hidden = a.hidden == "yes" or nil, direct = nil,
    result = nil, parameters = {} }
end


local function new_suite()
  return { commands = {}, events = {}, classes = {}, enumerations = {}, records = {}, values = {} }
end


--- The suite that is read; a file may declare things outside of one.
local function suite_of(state)
  return state.suites[#state.suites] or add(state.suites, new_suite())
end


-- Each function gets the state, the attributes and what the parent made, and returns what its children add to.
local BUILD = {}

function BUILD.suite(state, a)
  return add(state.suites, described(new_suite(), a))
end

function BUILD.class(state, a)
  local class = described({ properties = {}, elements = {} }, a)
  class.plural = a.plural
  if a.inherits and a.inherits ~= "" then class.inherits = a.inherits end
  return add(suite_of(state).classes, class)
end

BUILD["class-extension"] = function(state, a)
  if (a.extends or "") == "" then return nil end
  local class = described({ properties = {}, elements = {}, extends = a.extends }, a)
  class.name = a.extends
  return add(suite_of(state).classes, class)
end

BUILD["record-type"] = function(state, a)
  return add(suite_of(state).records, described({ properties = {}, elements = {} }, a))
end

BUILD["value-type"] = function(state, a) return add(suite_of(state).values, described({}, a)) end

function BUILD.enumeration(state, a) return add(suite_of(state).enumerations, described({ values = {} }, a)) end

function BUILD.enumerator(_, a, parent)
  return parent.values and not parent.commands and add(parent.values, described({}, a)) or nil
end

function BUILD.property(_, a, parent)
  if not parent.properties then return nil end
  local property = value(a)
  property.access = a.access or "rw"
  return add(parent.properties, property)
end

function BUILD.contents(state, a, parent)
  local property = BUILD.property(state, a, parent)
  if property then property.name, property.contents = a.name or "contents", true end
  return property
end

function BUILD.element(_, a, parent)
  if not parent.elements or not a.type then return nil end
  return add(parent.elements, { type = a.type, access = a.access or "rw", hidden = a.hidden == "yes" or nil })
end

function BUILD.command(state, a) return add(suite_of(state).commands, command(a)) end

function BUILD.event(state, a) return add(suite_of(state).events, command(a)) end

BUILD["direct-parameter"] = function(_, a, parent)
  if not parent.parameters then return nil end
  parent.direct = value(a)
  parent.direct.required = a.optional ~= "yes"
  return parent.direct
end

function BUILD.parameter(state, a, parent)
  if not parent.parameters then return nil end
  if a.code == DIRECT and not parent.direct then return BUILD["direct-parameter"](state, a, parent) end
  local parameter = value(a)
  parameter.required = a.optional ~= "yes"
  return add(parent.parameters, parameter)
end

function BUILD.result(_, a, parent)
  if not parent.parameters then return nil end
  parent.result = value(a)
  return parent.result
end

function BUILD.type(_, a, parent)
  local kind = { name = a.type or "", list = a.list == "yes" }
  if parent.types then
    if a.type then return add(parent.types, kind) end
  elseif parent.list ~= nil and a.type then         -- a type inside a type
    parent.of = parent.of or {}
    return add(parent.of, kind)
  end
  return nil
end

function BUILD.synonym(_, a, parent)
  if not parent.name then return end
  parent.synonyms = parent.synonyms or {}
  add(parent.synonyms, { name = a.name, code = a.code })
end

--- Elements that have no meaning without a name.
local NAMED = { class = true, ["record-type"] = true, ["value-type"] = true, enumeration = true, enumerator = true,
                property = true, command = true, event = true }


--- The names that an xpointer excludes, by element: `/dictionary/suite/node()[not(self::command and ((@name='delete') ...))]`.
local function left_out(xpointer)
  local names = {}
  for kind, name in xpointer:gmatch "self::([%w-]*)()" do
    names[kind] = names[kind] or {}
    local rest = xpointer:sub(name)
    rest = rest:sub(1, (rest:find("self::", 1, true) or 0) - 1)
    for excluded in rest:gmatch "@name%s*=%s*['\"]([^'\"]+)['\"]" do names[kind][excluded:lower()] = true end
  end
  return names
end


local function include(state, a)
  local pointer = a.xpointer or "xpointer(/dictionary/suite)"
  local plain = pointer == "xpointer(/dictionary/suite)"
  local parts = pointer:find("/dictionary/suite/node()[not(", 1, true) ~= nil
  if (a.href or ""):match "[^/]*$" ~= "CocoaStandard.sdef" or not (plain or parts) then
    state.partial = true
    add(state.notes, ("the include of %s was not followed"):format((a.href or "nothing"):sub(1, 200)))
    return
  end
  state.includes = parts and left_out(pointer) or {}
end


--- The text of HTML, its tags and entities left out.
local function plain(html)
  local text = html:gsub("<[bB][rR]%s*/?>", "\n"):gsub("</?[pPdD][iI]?[vV]?%s*>", "\n"):gsub("<[^>]*>", "")
  text = text:gsub("&(%a+);", { lt = "<", gt = ">", amp = "&", quot = '"', nbsp = " ", apos = "'" })
  return (text:gsub("[ \t]+", " "):gsub("%s*\n%s*", "\n"):match "^%s*(.-)%s*$")
end


local function handler_for(state)
  local made, depth, nothing = {}, 0, {}
  local documented, parts, size = nil, nil, 0     -- whose documentation is read, and its parts
  local handler = {}

  function handler.open(name, a, namespace)
    depth = depth + 1
    made[depth] = nothing
    local build = BUILD[name]
    if depth == 1 then
      if name ~= "dictionary" then error({ sdef = ("the root element is %s, not dictionary"):format(name) }, 0) end
      state.title = a.title or ""
    elseif documented then
      return
    elseif namespace ~= "" then
      if XINCLUDE[namespace] and name == "include" then include(state, a) end
    elseif name == "documentation" then
      documented, parts, size = made[depth - 1], {}, 0
    elseif build and not (NAMED[name] and (a.name or "") == "") then
      made[depth] = build(state, a, made[depth - 1]) or nothing
    end
  end

  function handler.close(name)
    depth = depth - 1
    if name ~= "documentation" or not documented then return end
    local text = plain(table.concat(parts))
    if documented ~= nothing and text ~= "" then
      documented.documentation = documented.documentation and documented.documentation .. "\n" .. text or text
    end
    documented = nil
  end

  function handler.text(more)
    if not documented or size > DOCUMENTATION then return end
    size = size + #more
    parts[#parts + 1] = more
  end
  return handler
end


---@param bytes string  the content of a .sdef file, UTF-8 or UTF-16
---@return applescript.Suites? suites
---@return string? err   the fault, with its line
---@return string? code  "malformed", "entity", "too_large", "too_deep", "encoding", "not_sdef", "module_missing"
function M.read(bytes)
  if #bytes > M.MAX_BYTES then
    return nil, ("it has %d bytes; at most %d are read"):format(#bytes, M.MAX_BYTES), "too_large"
  end
  local text, how = encoding.read(bytes)
  if not text or how == "MacRoman" then return nil, "it is neither UTF-8 nor UTF-16", "encoding" end
  local state = { title = "", suites = {}, notes = {} }
  local done, ok, err, code = pcall(xml.read, text, handler_for(state))
  if not done then
    if type(ok) == "table" and ok.sdef then return nil, ok.sdef, "not_sdef" end
    error(ok, 0)
  end
  if not ok then return nil, err, code end
  return state
end


return M
