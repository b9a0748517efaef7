--- What the declarations of the sys modules (lua/types/sys, and the Lua of lua/lib/sys) say, for people: read as text, when it is
--- asked for.

local files = require "sys.files"

local M = {}


---@class repl.Param
---@field name string
---@field type? string
---@field optional? boolean
---@field about? string

---@class repl.Function
---@field name string         without the module's
---@field about string        lines
---@field params repl.Param[]
---@field returns {type: string, name?: string, about?: string}[]
---@field method boolean      called with a colon

---@class repl.Stub
---@field name string         "sys.window"
---@field about string
---@field functions table<string, repl.Function>
---@field order string[]      their names
---@field classes table<string, repl.Param[]>   fields, with those of the classes that they extend


local function add_line(text, line) return text == "" and line or text .. "\n" .. line end


--- "name? type about" of @param and @field; the type may hold blanks within brackets and around bars.
local function read_param(rest)
  local name, optional, tail = rest:match "^(%S-)(%??)%s+(.*)$"
  if not name then return { name = rest } end
  local depth, at = 0, 1
  while at <= #tail do
    local c = tail:sub(at, at)
    if c:find "[%(%{%[<]" then depth = depth + 1 elseif c:find "[%)%}%]>]" then depth = depth - 1 end
    if c:find "%s" and depth == 0 and not tail:find("^%s*|", at) and not tail:sub(1, at - 1):find "[|:,]%s*$" then break end
    at = at + 1
  end
  local about = tail:sub(at):match "^%s*(.-)%s*$"
  local kind = tail:sub(1, at - 1)
  return { name = name, type = kind, optional = optional == "?" or kind:sub(-1) == "?" or nil,
    about = about ~= "" and about or nil }
end


local function read_return(rest)
  local param = read_param("x " .. rest)
  local name, about = (param.about or ""):match "^([%a_][%w_]*)%s*(.*)$"
  return { type = param.type or rest, name = name, about = about ~= "" and about or nil }
end


--- Arguments that have no @param are known by name.
local function add(stub, called, block, arguments, method)
  local params = {}
  for each in arguments:gmatch "[%w_%.]+" do
    local known = { name = each }
    for _, param in ipairs(block.params) do
      if param.name == each then known = param end
    end
    params[#params + 1] = known
  end
  stub.functions[called] = { name = called, about = block.about, params = params, returns = block.returns, method = method }
  stub.order[#stub.order + 1] = called
end


---@param name string  "sys.window"
---@param source string
---@return repl.Stub
function M.parse(name, source)
  local stub = { name = name, about = "", functions = {}, order = {}, classes = {} }
  local block, fields, extends = { about = "", params = {}, returns = {} }, nil, {}
  local class_of = {}   -- of a local variable: local window = {} behind ---@class sys.window
  local last            -- what a comment line goes on with
  local function begin()
    block, last = { about = "", params = {}, returns = {} }, nil
  end
  for line in (source .. "\n"):gmatch "(.-)\n" do
    local tag, rest = line:match "^%-%-%-@(%a+)%s*(.*)$"
    local words = line:match "^%-%-%-?%s?(.*)$"
    if tag == "class" then
      local class, bases = rest:match "^([%w_%.]+)%s*:?%s*(.*)$"
      fields = {}
      stub.classes[class], extends[class] = fields, bases
      if class == name then stub.about = block.about end
      class_of.next = class
      last = nil
    elseif tag == "field" and fields then
      last = read_param(rest)
      if last.name:find "^[%a_][%w_]*$" and last.name ~= "private" then fields[#fields + 1] = last end
    elseif tag == "param" then
      last = read_param(rest)
      block.params[#block.params + 1] = last
    elseif tag == "return" then
      last = read_return(rest)
      block.returns[#block.returns + 1] = last
    elseif tag then
      last = nil
    elseif line:find "^%-%-" then
      if last and words:find "^%s" then
        last.about = (last.about and last.about .. " " or "") .. words:match "^%s*(.-)%s*$"
      elseif line:find "^%-%-%-" or block.about ~= "" then
        block.about = add_line(block.about, words)
        last = nil
      end
    else
      local owner, separator, called, arguments = line:match "^function%s+([%w_]+)([%.:])([%w_]+)%((.-)%)"
      local variable = line:match "^local%s+([%w_]+)%s*="
      if variable and class_of.next then class_of[variable], class_of.next = class_of.next, nil end
      local class = class_of[owner]
      if called and (not class or class == name or class == name .. ".core") then   -- the part of it that is C
        add(stub, called, block, arguments, separator == ":")
      end
      if stub.about == "" and block.about ~= "" and not called and #stub.order == 0 then stub.about = block.about end
      fields = nil
      begin()
    end
  end
  for class, bases in pairs(extends) do
    for base in bases:gmatch "[%w_%.]+" do
      table.move(stub.classes[base] or {}, 1, #(stub.classes[base] or {}), #stub.classes[class] + 1, stub.classes[class])
    end
  end
  return stub
end


local known = {}   -- by module

--- The declaration of a sys module; nil: there is none.
---@param name string
---@return repl.Stub?
function M.of(name)
  if known[name] == nil then
    local source = files.stub(name)
    known[name] = source and M.parse(name, source) or false
  end
  return known[name] or nil
end


--- "sys.window.move(ref, x, y [, options])"
---@param stub repl.Stub
---@param fn repl.Function
---@return string
function M.signature(stub, fn)
  local text, open = "", 0
  for i, param in ipairs(fn.params) do
    local comma = i > 1 and ", " or ""
    if param.optional then
      text, open = text .. (i > 1 and " [" or "[") .. comma .. param.name, open + 1
    else
      text, open = text .. ("]"):rep(open) .. comma .. param.name, 0
    end
  end
  return ("%s%s%s(%s%s)"):format(stub.name, fn.method and ":" or ".", fn.name, text, ("]"):rep(open))
end


local function described(each)
  return ("%s%s%s"):format(each.name and each.name .. "  " or "", each.type or "any", each.about and "  " .. each.about or "")
end


--- All that is said of a function.
---@param stub repl.Stub
---@param fn repl.Function
---@return string
function M.help(stub, fn)
  local lines = { M.signature(stub, fn) }
  if fn.about ~= "" then lines[#lines + 1] = "  " .. fn.about:gsub("\n", "\n  ") end
  for i, param in ipairs(fn.params) do
    if param.type then
      lines[#lines + 1] = (i == 1 and "\n" or "") .. "  " .. described(param)
      for _, field in ipairs(stub.classes[param.type:gsub("%?$", "")] or {}) do
        lines[#lines + 1] = ("    %s%s  %s%s"):format(field.name, field.optional and "?" or "", field.type or "any",
          field.about and "  " .. field.about or "")
      end
    end
  end
  if #fn.returns > 0 then lines[#lines + 1] = "\nReturns" end
  for _, each in ipairs(fn.returns) do lines[#lines + 1] = "  " .. described(each) end
  return table.concat(lines, "\n")
end


--- What a module is, and the functions that it has.
---@param stub repl.Stub
---@return string
function M.overview(stub)
  local lines = { stub.name }
  if stub.about ~= "" then lines[2] = "  " .. stub.about:gsub("\n", "\n  ") end
  lines[#lines + 1] = ""
  for _, name in ipairs(stub.order) do
    local fn = stub.functions[name]
    local first = fn.about:match "^[^\n]*"
    lines[#lines + 1] = M.signature(stub, fn) .. (first ~= "" and "\n  " .. first or "")
  end
  return table.concat(lines, "\n")
end


return M
