--- Reads declarations, as LuaCATS annotations: those of C in lua/types and those of Lua in the modules themselves.

local M = {}


---@class stubs.Param
---@field name string
---@field type? string
---@field optional? boolean
---@field about? string

---@class stubs.Function
---@field name string         without the module's or the class's; "" is the module itself
---@field about string        its comment, as lines
---@field params stubs.Param[]
---@field returns {type: string, name?: string, about?: string}[]
---@field method boolean      true if it is called with a colon

---@class stubs.Type
---@field name string
---@field about string
---@field extends string      its bases, as they are written
---@field stands_for? string  the type of an alias
---@field own stubs.Param[]   fields, without those of the bases
---@field methods stubs.Function[]
---@field private? boolean    true if only files of Perigee use it

---@class stubs.Stub
---@field name string         "sys.window"
---@field about string
---@field functions table<string, stubs.Function>
---@field order string[]      their names
---@field private table<string, true>  functions that only files of Perigee use
---@field classes table<string, stubs.Param[]>   fields, with those of the classes that they extend
---@field types stubs.Type[]  in the order of the text

---@class stubs.Reader
---@field stub stubs.Stub
---@field block {about: string, params: stubs.Param[], returns: table[], private?: boolean}  the comment above
---@field last? table         the item that an indented comment line continues
---@field type? stubs.Type    the type that fields belong to
---@field named? stubs.Type   the type of the next local variable
---@field by_variable table<string, stubs.Type>
---@field in_lua boolean      true once functions of M were declared: then the module's own comment is over
local Reader = {}
Reader.__index = Reader


local function add_line(text, line) return text == "" and line or text .. "\n" .. line end


--- Reads the type at the beginning of a text, which may have blanks in brackets, in quotes and around bars. Returns it and the
--- rest.
local function read_type(text)
  local depth, at, quoted = 0, text:find('[%s"%(%{%[<%)%}%]>]'), false
  while at do
    local c = text:sub(at, at)
    if c == '"' then quoted = not quoted
    elseif c:find "[%(%{%[<]" then depth = depth + 1
    elseif c:find "[%)%}%]>]" then depth = depth - 1
    elseif depth <= 0 and not quoted and not text:find("^%s*|", at) and not text:sub(1, at - 1):find "[|:,]%s*$" then break end
    at = text:find('[%s"%(%{%[<%)%}%]>]', at + 1)
  end
  if not at then return text, nil end
  local about = text:sub(at):match "^%s*(.-)%s*$"
  return text:sub(1, at - 1), about ~= "" and about or nil
end


--- Reads "name? type about" of @param and @field.
local function read_param(rest)
  local name, optional, tail = rest:match "^(%S-)(%??)%s+(.*)$"
  if not name then return { name = rest } end
  local kind, about = read_type(tail)
  local may_be_nil = kind:sub(-1) == "?" and not kind:find "^fun%("
  return { name = name, type = kind, optional = optional == "?" or may_be_nil or nil, about = about }
end


local function read_return(rest)
  local kind, behind = read_type(rest)
  local name, about = (behind or ""):match "^([%a_][%w_]*)%s*(.*)$"
  if not name then name, about = (behind or ""):match "^(%.%.%.)%s+(.*)$" end
  return { type = kind, name = name, about = (about or behind or "") ~= "" and (about or behind) or nil }
end


function Reader:begin()
  self.block, self.last = { about = "", params = {}, returns = {} }, nil
end


-- --- annotations ----------------------------------------------------------------------------

local TAGS = {}

function TAGS.class(self, rest)
  local name, bases = rest:match "^([%w_%.]+)%s*:?%s*(.*)$"
  local extends, about = read_type(bases)
  local type = { name = name, about = self.block.about, extends = extends, own = {}, methods = {} }
  type.private = self.block.private
  if name == self.stub.name and self.block.about ~= "" then self.stub.about = self.block.about end
  if about then type.about = add_line(type.about, about) end
  self.stub.types[#self.stub.types + 1] = type
  self.type, self.named = type, type
  self.last = about and type or nil
end

function TAGS.alias(self, rest)
  local name, tail = rest:match "^([%w_%.]+)%s*(.*)$"
  local kind, about = read_type(tail)
  local text = self.block.about
  self.stub.types[#self.stub.types + 1] =
    { name = name, about = about and add_line(text, about) or text, extends = "", stands_for = kind, own = {}, methods = {} }
  self:begin()
end

function TAGS.field(self, rest)
  local field = read_param(rest)
  self.last = field
  if not self.type or field.name == "private" or field.name == "[string]" then return end
  table.insert(self.type.own, field)
end

function TAGS.param(self, rest)
  self.last = read_param(rest)
  table.insert(self.block.params, self.last)
end

TAGS["return"] = function(self, rest)
  self.last = read_return(rest)
  table.insert(self.block.returns, self.last)
end

function TAGS.private(self) self.block.private = true end


--- Reads a line of words. If it is indented, it continues what is above it.
function Reader:words(line)
  local words = line:match "^%-%-%-?%s?(.*)$"
  if self.last and words:find "^%s" then
    self.last.about = (self.last.about and self.last.about .. " " or "") .. words:match "^%s*(.-)%s*$"
  elseif line:find "^%-%-%-" or self.block.about ~= "" then
    self.block.about, self.last = add_line(self.block.about, words), nil
  end
end


-- --- code -----------------------------------------------------------------------------------

--- Returns the parameters of a function. Those without a @param have only a name.
local function params_of(block, arguments)
  if not arguments then return block.params end
  local params = {}
  for each in arguments:gmatch "[%w_%.]+" do
    local known = { name = each }
    for _, param in ipairs(block.params) do
      if param.name == each then known = param end
    end
    params[#params + 1] = known
  end
  return params
end


function Reader:declare(name, fn)
  if not self.stub.functions[name] then table.insert(self.stub.order, name) end
  self.stub.functions[name] = fn
end


--- Adds a function that has a name: of the module, or of a class.
function Reader:called(owner, separator, name, arguments)
  local block, type, module = self.block, self.by_variable[owner], self.stub.name
  local fn = { name = name, about = block.about, params = params_of(block, arguments), returns = block.returns,
    method = separator == ":" }
  if block.private then
    self.stub.private[name] = true
    return
  end
  if not type or type.name == module then
    self:declare(name, fn)
  elseif not name:find "^__" then
    table.insert(type.methods, fn)
  end
end


--- Reads `M.name = files.watch`, which has its declaration above it.
function Reader:assigned(name)
  if #self.block.params > 0 then self:called("", ".", name) end
end


function Reader:code(line)
  local owner, separator, name, arguments = line:match "^function%s+([%w_]+)([%.:])([%w_]+)%((.-)%)"
  local variable = line:match "^local%s+([%w_]+)%s*="
  if variable and self.named then self.by_variable[variable] = self.named end
  local itself = line:match "^return function%((.-)%)"
  local assigned = line:match "^M%.([%w_]+)%s*=%s*[%w_]+%.[%w_]+"
  self.in_lua = self.in_lua or owner == "M"
  if name then self:called(owner, separator, name, arguments)
  elseif itself then self:called("", ".", "", itself)
  elseif assigned then self:assigned(assigned)
  elseif self.stub.about == "" and not self.named and not self.in_lua then self.stub.about = self.block.about end
  self.type, self.named = nil, nil
  self:begin()
end


function Reader:read(source)
  for line in (source .. "\n"):gmatch "(.-)\n" do
    local tag, rest = line:match "^%-%-%-@(%a+)%s*(.*)$"
    if tag then
      self.last = nil
      if TAGS[tag] then TAGS[tag](self, rest) end
    elseif line:find "^%-%-" then
      self:words(line)
    else
      self:code(line)
    end
  end
end


local function with_inherited(stub)
  local own = {}
  for _, type in ipairs(stub.types) do
    own[type.name] = type.own
    stub.classes[type.name] = table.move(type.own, 1, #type.own, 1, {})
  end
  for _, type in ipairs(stub.types) do
    local fields = stub.classes[type.name]
    for base in type.extends:gmatch "[%w_%.]+" do
      table.move(own[base] or {}, 1, #(own[base] or {}), #fields + 1, fields)
    end
  end
end


---@param name string  "sys.window"
---@param source string
---@return stubs.Stub
function M.parse(name, source)
  local stub = { name = name, about = "", functions = {}, order = {}, classes = {}, types = {}, private = {} }
  local reader = setmetatable({ stub = stub, by_variable = {}, in_lua = false }, Reader)
  reader:begin()
  reader:read(source)
  with_inherited(stub)
  return stub
end


return M
