--- The names that Lua text uses: its globals, and the fields of modules that it requires. The text is read and never runs.

local tokens = require "cli.lua_tokens"

local M = {}

--- How a name or a field is used. Only "read" works with a value that may be nil.
---@alias cli.NameUse "called"|"indexed"|"read"|"written"

---@class cli.Global
---@field name string
---@field line integer
---@field use cli.NameUse
---@field near fun(): string[]  returns the local names that are visible there

---@class cli.Field
---@field module? string  what was required
---@field global? string  or the global table, as `string`
---@field name string
---@field line integer
---@field use cli.NameUse

---@class cli.Names
---@field globals cli.Global[]
---@field fields cli.Field[]
---@field required {name: string, line: integer}[]

--- Reads Lua text by its grammar. A binding is { module = NAME, changed = true if it is assigned again }.
---@class cli.NameReader
---@field tokens cli.Token[]
---@field at integer
---@field scope {names: table<string, table>, above: table?}
---@field found cli.Names
---@field pending table[]  fields of bindings, which count if the binding never changed
local Reader = {}
Reader.__index = Reader


-- --- tokens and scopes --------------------------------------------------------------------

function Reader:token() return self.tokens[self.at] end

function Reader:is(text)
  local token = self.tokens[self.at]
  return token.text == text and (token.kind == "symbol" or token.kind == "keyword")
end

function Reader:fail(wanted)
  local token = self:token()
  error({ line = token.line, message = ("%s expected near '%s'"):format(wanted, token.text) }, 0)
end

function Reader:accept(text)
  if not self:is(text) then return false end
  self.at = self.at + 1
  return true
end

function Reader:expect(text)
  if not self:accept(text) then self:fail("'" .. text .. "'") end
end

function Reader:name()
  local token = self:token()
  if token.kind ~= "name" then self:fail "a name" end
  self.at = self.at + 1
  return token.text, token.line
end

function Reader:open() self.scope = { names = {}, above = self.scope } end

function Reader:close() self.scope = self.scope.above end

function Reader:declare(name, binding) self.scope.names[name] = binding or {} end

function Reader:binding(name)
  local scope = self.scope
  while scope do
    if scope.names[name] then return scope.names[name] end
    scope = scope.above
  end
end

--- Returns the names of a scope and of those around it.
local function names_in(scope)
  local list = {}
  while scope do
    for name in pairs(scope.names) do list[#list + 1] = name end
    scope = scope.above
  end
  table.sort(list)
  return list
end


-- --- uses ---------------------------------------------------------------------------------

--- Tells from the next token how the value before it is used.
function Reader:use()
  local token = self:token()
  if token.kind == "string" or token.kind == "symbol" and (token.text == "(" or token.text == "{") then return "called" end
  if token.kind == "symbol" and (token.text == "." or token.text == "[" or token.text == ":") then return "indexed" end
  return "read"
end

function Reader:add_global(name, line)
  local scope = self.scope
  local use = { name = name, line = line, use = self:use(), near = function() return names_in(scope) end }
  self.found.globals[#self.found.globals + 1] = use
  return use
end

--- Adds the use of a field, of a binding or a global.
function Reader:add_field(owner, name, line)
  local field = { module = owner.module, global = owner.global, name = name, line = line, use = self:use() }
  self.pending[#self.pending + 1] = { field = field, binding = owner.binding }
  return field
end

--- The parts behind a value: the kind of the last, the use that an assignment changes, and the module that is required.
---@class cli.Suffixes
---@field kind? "name"|"call"|"field"  "name": nothing follows the name; nil: or the expression in brackets
---@field use? cli.Field
---@field required? string

--- Reads `.NAME`, `[...]`, `:NAME(...)` and arguments behind a value. `line` is that of the name `require`, if that is the value.
---@return cli.Suffixes
function Reader:suffixes(owner, line)
  local behind = {}
  while true do
    local known = (owner.module or owner.global) and owner
    owner = {}
    behind.required = nil
    if self:accept "." then
      local name, at = self:name()
      behind.kind, behind.use = "field", known and self:add_field(known, name, at) or nil
    elseif self:accept "[" then
      self:expression()
      self:expect "]"
      behind.kind, behind.use = "field", nil
    elseif self:accept ":" then
      local name, at = self:name()
      if known then self:add_field(known, name, at) end
      self:arguments()
      behind.kind, behind.use = "call", nil
    else -- "called" is the only other use that a suffix makes
      local text = self:arguments()
      behind.kind, behind.use = "call", nil
      if line and text then
        self.found.required[#self.found.required + 1] = { name = text, line = line }
        owner, behind.required = { module = text }, text
      end
    end
    line = nil
    if self:use() == "read" then return behind end
  end
end

--- Reads the arguments of a call. Returns the text if there is one argument, a string.
function Reader:arguments()
  local token = self:token()
  if token.kind == "string" then
    self.at = self.at + 1
    return token.text
  end
  if self:is "{" then return self:constructor() end
  self:expect "("
  local only = self:token()
  if self:accept ")" then return nil end
  local count = self:expressions()
  local single = count == 1 and only.kind == "string" and self.tokens[self.at - 1] == only
  self:expect ")"
  return single and only.text or nil
end

--- Reads a name or an expression in brackets with all that is behind it. Returns also the binding that an assignment changes.
---@return cli.Suffixes
---@return table? binding
function Reader:suffixed()
  if self:accept "(" then
    self:expression()
    self:expect ")"
    if self:use() == "read" then return {} end
    return self:suffixes {}
  end
  local name, line = self:name()
  local binding = self:binding(name)
  local use = not binding and self:add_global(name, line)
  if self:use() == "read" then return { kind = "name", use = use or nil }, binding end
  if binding then return self:suffixes { module = binding.module, binding = binding } end
  return self:suffixes({ global = name }, name == "require" and line or nil)
end


-- --- expressions ---------------------------------------------------------------------------

local UNARY = { ["not"] = true, ["-"] = true, ["#"] = true, ["~"] = true }
local BINARY = {}
for sign in ("+ - * / // % ^ .. == ~= < > <= >= & | ~ << >> and or"):gmatch "%S+" do BINARY[sign] = true end
local PLAIN = { ["nil"] = true, ["true"] = true, ["false"] = true, ["..."] = true }

function Reader:constructor()
  self:expect "{"
  while not self:is "}" do
    local following = self.tokens[self.at + 1]
    if self:accept "[" then
      self:expression()
      self:expect "]"
      self:expect "="
    elseif self:token().kind == "name" and following.kind == "symbol" and following.text == "=" then
      self.at = self.at + 2
    end
    self:expression()
    if not self:accept "," and not self:accept ";" then break end
  end
  self:expect "}"
end

function Reader:operand()
  while UNARY[self:token().text] and self:token().kind ~= "string" do self.at = self.at + 1 end
  local token = self:token()
  if token.kind == "string" or token.kind == "number" or token.kind ~= "name" and PLAIN[token.text] then
    self.at = self.at + 1
  elseif self:is "{" then
    self:constructor()
  elseif self:accept "function" then
    self:body()
  elseif token.kind == "name" or self:is "(" then
    return self:suffixed().required
  else
    self:fail "an expression"
  end
end

--- Reads an expression. Returns the module if it is `require "MODULE"`.
function Reader:expression()
  local required = self:operand()
  while BINARY[self:token().text] and (self:token().kind == "symbol" or self:token().kind == "keyword") do
    self.at, required = self.at + 1, nil
    self:operand()
  end
  return required
end

--- Reads a list of expressions. Returns their number, and what each requires.
function Reader:expressions()
  local count, required = 0, {}
  repeat
    count = count + 1
    required[count] = self:expression()
  until not self:accept ","
  return count, required
end

function Reader:body(method)
  self:open()
  if method then self:declare "self" end
  self:expect "("
  if not self:accept ")" then
    repeat
      if self:accept "..." then break end
      self:declare((self:name()))
    until not self:accept ","
    self:expect ")"
  end
  self:block()
  self:expect "end"
  self:close()
end


-- --- statements ----------------------------------------------------------------------------

local STATEMENTS = {}

--- Reads a block with locals of its own, up to `end`.
function Reader:inner()
  self:open()
  self:block()
  self:close()
  self:expect "end"
end

STATEMENTS["do"] = Reader.inner

STATEMENTS["while"] = function(self)
  self:expression()
  self:expect "do"
  self:inner()
end

STATEMENTS["repeat"] = function(self)
  self:open()
  self:block()
  self:expect "until"
  self:expression() -- it sees the locals of the block
  self:close()
end

STATEMENTS["if"] = function(self)
  repeat
    self:expression()
    self:expect "then"
    self:open()
    self:block()
    self:close()
  until not self:accept "elseif"
  if self:accept "else" then
    self:inner()
  else
    self:expect "end"
  end
end

STATEMENTS["for"] = function(self)
  local names = {}
  repeat names[#names + 1] = self:name() until not self:accept ","
  if not self:accept "=" then self:expect "in" end
  self:expressions()
  self:expect "do"
  self:open()
  for _, name in ipairs(names) do self:declare(name) end
  self:inner()
  self:close()
end

STATEMENTS["function"] = function(self)
  local name, line = self:name()
  local binding, method = self:binding(name), false
  local plain = not self:is "." and not self:is ":"
  if binding and plain then binding.changed = true end
  local use = not binding and self:add_global(name, line)
  if use and plain then use.use = "written" end
  local first = true
  while not method and (self:is "." or self:is ":") do
    method = self:is ":"
    self.at = self.at + 1
    local field, at = self:name()
    if first and (not binding or binding.module) then
      local added = self:add_field({ module = binding and binding.module, global = not binding and name or nil,
        binding = binding }, field, at)
      if not self:is "." and not self:is ":" then added.use = "written" end
    end
    first = false
  end
  self:body(method)
end

STATEMENTS["local"] = function(self)
  if self:accept "function" then
    self:declare((self:name()))
    return self:body()
  end
  local names, required = {}, {}
  repeat
    names[#names + 1] = self:name()
    if self:accept "<" then
      self:name()
      self:expect ">"
    end
  until not self:accept ","
  if self:accept "=" then
    local _
    _, required = self:expressions()
  end
  for i, name in ipairs(names) do self:declare(name, { module = required[i] }) end
end

STATEMENTS["return"] = function(self)
  if not self:ends() and not self:is ";" then self:expressions() end
  self:accept ";"
  if not self:ends() then self:fail "the end of the block" end
end

STATEMENTS["break"] = function() end

STATEMENTS["goto"] = function(self) self:name() end

STATEMENTS["::"] = function(self)
  self:name()
  self:expect "::"
end

STATEMENTS[";"] = function() end


--- Reads an assignment or a call.
function Reader:assignment()
  local targets = {}
  repeat
    local target, binding = self:suffixed()
    targets[#targets + 1] = { use = target.use, binding = binding }
    if target.kind == "call" and #targets == 1 and not self:is "=" and not self:is "," then return end
    if target.kind == "call" or not target.kind then self:fail "a statement" end
  until not self:accept ","
  self:expect "="
  for _, target in ipairs(targets) do
    if target.use then target.use.use = "written" end
    if target.binding then target.binding.changed = true end
  end
  self:expressions()
end

function Reader:ends()
  local token = self:token()
  return token.kind == "end" or token.kind == "keyword"
    and (token.text == "end" or token.text == "else" or token.text == "elseif" or token.text == "until")
end

function Reader:block()
  while not self:ends() do
    local token = self:token()
    local statement = token.kind ~= "string" and token.kind ~= "name" and STATEMENTS[token.text]
    if statement then
      self.at = self.at + 1
      statement(self)
      if token.text == "return" then return end
    else
      self:assignment()
    end
  end
end


--- Reads the names of a text.
---@param text string
---@return cli.Names? names
---@return {line: integer, message: string}? problem  the text is not Lua
function M.of(text)
  local reader = setmetatable({ at = 1, pending = {}, found = { globals = {}, fields = {}, required = {} } }, Reader)
  local ok, problem = pcall(function()
    reader.tokens = tokens.of(text)
    reader:open()
    reader:block()
    if reader:token().kind ~= "end" then reader:fail "the end of the file" end
  end)
  if not ok then
    if type(problem) ~= "table" then error(problem, 0) end
    return nil, problem
  end
  for _, each in ipairs(reader.pending) do
    if not each.binding or not each.binding.changed then
      reader.found.fields[#reader.found.fields + 1] = each.field
    end
  end
  return reader.found
end


return M
