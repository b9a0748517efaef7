--- Shows the declarations of the modules (lua/types, and the Lua of lua/lib) and their examples (lua/types/examples) to people.
--- They are read as text when they are requested.

local files   = require "sys.files"
local nearest = require "nearest"
local parse   = require "stubs.parse"

local M = {}

M.parse = parse.parse

local known, examples = {}, {}   -- by module


--- Files that declare more types of a module.
local MORE_TYPES = { ["sys.fs"] = "events.files", ["sys.store"] = "store" }


local function read(name)
  local source = files.stub(name)
  local stub = source and M.parse(name, source)
  local more = stub and MORE_TYPES[name] and M.parse(name, assert(files.stub(MORE_TYPES[name])))
  for _, type in ipairs(more and more.types or {}) do
    if type.name:sub(1, #name + 1) == name .. "." then
      table.insert(stub.types, type)
      stub.classes[type.name] = more.classes[type.name]
    end
  end
  return stub
end


--- Returns the declaration of a module; nil if there is none.
---@param name string
---@return stubs.Stub?
function M.of(name)
  if known[name] == nil then known[name] = read(name) or false end
  return known[name] or nil
end


-- --- examples -------------------------------------------------------------------------------

---@class stubs.Examples
---@field head string                  the text before the first example: the modules that all require
---@field of table<string, string>     code, by the name that it shows: "move", "Source:next", "" for the module as a whole
---@field order string[]

--- Reads examples: Lua in parts, each under a comment `--- NAME`. A line `--> VALUE` behind code is its output.
---@param source string
---@return stubs.Examples
function M.parse_examples(source)
  local found, lines, current = { head = "", of = {}, order = {} }, {}, nil
  local function flush()
    local code = table.concat(lines, "\n"):gsub("^%s*\n", ""):gsub("%s+$", "")
    if current then found.of[current] = code else found.head = code end
    lines = {}
  end
  for line in (source .. "\n"):gmatch "(.-)\n" do
    local name = line:match "^%-%-%- (%S+)$"
    if name then
      flush()
      current = name == "module" and "" or name
      found.order[#found.order + 1] = current
    elseif not line:find "^%-%-%-" then
      lines[#lines + 1] = line
    end
  end
  flush()
  return found
end


--- Returns the examples of a module.
---@param name string
---@return stubs.Examples?
function M.examples(name)
  if examples[name] == nil then
    local source = files.stub("examples." .. name)
    examples[name] = source and M.parse_examples(source) or false
  end
  return examples[name] or nil
end


-- --- words ----------------------------------------------------------------------------------

--- Returns "(ref, x, y [, options])".
local function arguments(fn)
  local text, open = "", 0
  for i, param in ipairs(fn.params) do
    local comma = i > 1 and ", " or ""
    if param.optional then
      text, open = text .. (i > 1 and " [" or "[") .. comma .. param.name, open + 1
    else
      text, open = text .. ("]"):rep(open) .. comma .. param.name, 0
    end
  end
  return ("(%s%s)"):format(text, ("]"):rep(open))
end


--- Returns "sys.window.move(ref, x, y [, options])".
---@param stub stubs.Stub
---@param fn stubs.Function
---@return string
function M.signature(stub, fn)
  if fn.name == "" then return stub.name .. arguments(fn) end
  return ("%s%s%s%s"):format(stub.name, fn.method and ":" or ".", fn.name, arguments(fn))
end


--- Returns the signature of a method by the last word of its class: "source:next([seconds])".
---@param type stubs.Type
---@param fn stubs.Function
---@return string
function M.method_signature(type, fn)
  return ("%s%s%s%s"):format(type.name:match "[%w_]+$":lower(), fn.method and ":" or ".", fn.name, arguments(fn))
end


--- Returns the name of a method's example: "Source:next".
---@param type stubs.Type
---@param fn stubs.Function
---@return string
function M.method_name(type, fn)
  return type.name:match "[%w_]+$" .. (fn.method and ":" or ".") .. fn.name
end


local function described(each)
  return ("%s%s%s"):format(each.name and each.name .. "  " or "", each.type or "any", each.about and "  " .. each.about or "")
end


local function add_fields(lines, fields, indent)
  for _, field in ipairs(fields or {}) do
    lines[#lines + 1] = ("%s%s%s  %s%s"):format(indent, field.name, field.optional and "?" or "", field.type or "any",
      field.about and "  " .. field.about or "")
  end
end


--- Returns the whole documentation of a function.
---@param stub stubs.Stub
---@param fn stubs.Function
---@param type? stubs.Type  the type that it is a method of
---@return string
function M.help(stub, fn, type)
  local lines = { type and M.method_signature(type, fn) or M.signature(stub, fn) }
  if fn.about ~= "" then lines[#lines + 1] = "  " .. fn.about:gsub("\n", "\n  ") end
  for i, param in ipairs(fn.params) do
    if param.type then
      lines[#lines + 1] = (i == 1 and "\n" or "") .. "  " .. described(param)
      add_fields(lines, stub.classes[param.type:gsub("%?$", "")], "    ")
    end
  end
  if #fn.returns > 0 then lines[#lines + 1] = "\nReturns" end
  for _, each in ipairs(fn.returns) do lines[#lines + 1] = "  " .. described(each) end
  local shown = M.examples(stub.name)
  local example = shown and shown.of[type and M.method_name(type, fn) or fn.name]
  if example then lines[#lines + 1] = "\nExample\n  " .. example:gsub("\n", "\n  ") end
  return table.concat(lines, "\n")
end


--- Returns the documentation of a type, with its fields and methods.
---@param stub stubs.Stub
---@param type stubs.Type
---@return string
function M.type_help(stub, type)
  local lines = { type.name }
  if type.about ~= "" then lines[2] = "  " .. type.about:gsub("\n", "\n  ") end
  if type.stands_for then lines[#lines + 1] = "  " .. type.stands_for end
  if stub.classes[type.name] and #stub.classes[type.name] > 0 then
    lines[#lines + 1] = ""
    add_fields(lines, stub.classes[type.name], "  ")
  end
  for i, fn in ipairs(type.methods) do
    local first = fn.about:match "^[^\n]*"
    lines[#lines + 1] = (i == 1 and "\n" or "") .. M.method_signature(type, fn) .. (first ~= "" and "\n  " .. first or "")
  end
  return table.concat(lines, "\n")
end


--- Returns the description of a module, and its functions.
---@param stub stubs.Stub
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
  local types = {}
  for _, type in ipairs(stub.types) do
    if type.name ~= stub.name then types[#types + 1] = "  " .. type.name end
  end
  if #types > 0 then lines[#lines + 1] = "\nTypes\n" .. table.concat(types, "\n") end
  return table.concat(lines, "\n")
end


--- Documents a type by its name, "sys.task.Task", or a method of one, "sys.task.Task:join".
local function type_named(stub, name)
  for _, type in ipairs(stub.types) do
    if type.name == name then return M.type_help(stub, type) end
    for _, fn in ipairs(type.methods) do
      if ("%s:%s"):format(type.name, fn.name) == name then return M.help(stub, fn, type) end
    end
  end
end


--- Splits a name into the module that it begins with, and the rest.
local function split_name(name)
  local module = name
  while module do
    module = module:match "^(.*)[%.:][%w_]+$"
    local stub = module and M.of(module)
    if stub then return stub, name:sub(#module + 2) end
  end
end


--- Returns the documentation of a module, a function, a type or a method: "sys.window", "sys.window.move", "sys.task.Task",
--- "sys.task.Task:join"; nil if there is no such module.
---@param name string
---@return string? text
---@return boolean? missing  true if the module has no such function; the text says so
function M.named(name)
  local stub = M.of(name)
  if stub then return #stub.order == 1 and stub.functions[""] and M.help(stub, stub.functions[""]) or M.overview(stub) end
  local called
  stub, called = split_name(name)
  if not stub then return nil end
  local fn = stub.functions[called]
  if fn then return M.help(stub, fn) end
  local said = type_named(stub, name)
  if said then return said end
  return ("%s has no function %q%s"):format(stub.name, called, nearest.question(called, stub.order, "; ")), true
end


return M
