--- Finds names in Lua files that are not there: globals, fields of modules, and modules of sys.

local engine  = require "sys.engine"
local files   = require "sys.files"
local names   = require "cli.lua_names"
local nearest = require "nearest"
local stubs   = require "stubs"

local M = {}

--- Libraries of Lua that files of Perigee do not have: reading the name raises an error.
local ABSENT = {}
for name in ("io os debug package load dofile loadstring loadfile coroutine getmetatable"):gmatch "%a+" do ABSENT[name] = true end

---@class cli.NameFinding
---@field line integer
---@field message string
---@field certain boolean  the code cannot work; otherwise it may do without the value

---@class cli.NamePlace
---@field script? boolean  `perigee run` runs it: it may write globals, and has the table `tools`
---@field root? string     the root whose lib files it finds; nil: lib files are not looked at


local function keys_of(value)
  local list = {}
  for key in pairs(value) do
    if type(key) == "string" then list[#list + 1] = key end
  end
  table.sort(list)
  return list
end


--- Looks a module or a global table over: `has(name)`, and the names to suggest.
---@return {has: (fun(name: string): boolean), names: string[]}?
local function of_table(value)
  if type(value) ~= "table" then return nil end
  local function has(name)
    local ok, field = pcall(function() return value[name] end)
    return not ok or field ~= nil
  end
  local ok, list = pcall(keys_of, value)
  return { has = has, names = ok and list or {} }
end


local function of_names(list)
  local set = {}
  for _, name in ipairs(list) do set[name] = true end
  return { has = function(name) return set[name] == true end, names = list }
end


local function of_tools()
  local set = {}
  for _, tool in ipairs(engine.tools()) do set[tool.name] = true end
  for _, file in ipairs(files.list()) do
    if file.kind == "tool" then set[file.name] = true end -- also one that does not load now
  end
  return of_names(keys_of(set))
end


--- Reads the functions and constants that a declaration has.
local function of_stub(module)
  local stub = stubs.of(module)
  if not stub or stub.functions[""] then return nil end
  local list = {}
  for name in pairs(stub.functions) do
    if not stub.private[name] then list[#list + 1] = name end
  end
  for _, field in ipairs(stub.classes[module] or {}) do list[#list + 1] = field.name end
  table.sort(list)
  local known = of_names(list)
  return { has = function(name) return stub.private[name] or known.has(name) end, names = list }
end


---@param module string
---@param place cli.NamePlace
local function of_module(module, place)
  if module == "tools" then return of_tools() end
  if module:find "^sys%." or module == "perigee" then return of_stub(module) end
  if not place.root then return nil end
  return of_table((files.lib(module, place.root)))
end


local function of_global(name, place)
  if name == "tools" then return place.script and of_tools() or nil end
  return of_table(rawget(_G, name))
end


-- --- findings -------------------------------------------------------------------------------

--- Returns the names that the text itself tests or sets, so that it may do without their values.
local function tested(uses, key)
  local set = {}
  for _, use in ipairs(uses) do
    if use.use == "read" or use.use == "written" then set[key(use)] = true end
  end
  return set
end


local function global_message(use, known)
  if ABSENT[use.name] then return ("%q is not available. Require a sys module to reach the machine"):format(use.name) end
  if use.use == "written" then return ("%s is not declared: write `local %s`"):format(use.name, use.name) end
  local own = use.near()
  local near = table.move(own, 1, #own, #known + 1, table.move(known, 1, #known, 1, {}))
  return ("there is no global %s%s"):format(use.name, nearest.question(use.name, near, "; "))
end


local function check_globals(found, place, add)
  local known = keys_of(_G)
  local function name_of(use) return use.name end
  local soft, set = tested(found.globals, name_of), {}
  if place.script then
    known[#known + 1] = "tools"
    for _, use in ipairs(found.globals) do
      if use.use == "written" then set[use.name] = true end
    end
  end
  for _, use in ipairs(found.globals) do
    local there = rawget(_G, use.name) ~= nil or place.script and use.name == "tools" or set[use.name]
    if (not there or use.use == "written") and not (use.use == "written" and place.script) then
      local certain = ABSENT[use.name] or use.use == "written" or not soft[use.name]
      add(use.line, global_message(use, known), certain)
    end
  end
end


local function check_fields(found, place, add)
  local owners = {}
  local function name_of(use) return (use.module or use.global) .. "." .. use.name end
  local soft, set = tested(found.fields, name_of), {}
  for _, use in ipairs(found.fields) do
    if use.use == "written" then set[name_of(use)] = true end
  end
  for _, use in ipairs(found.fields) do
    local name = use.module or use.global
    local key = use.module and "module " .. name or name
    if owners[key] == nil then owners[key] = (use.module and of_module or of_global)(name, place) or false end
    local owner = owners[key]
    if owner and not set[name_of(use)] and not owner.has(use.name) then
      add(use.line, ("%s has no %s%s"):format(name, use.name, nearest.question(use.name, owner.names, "; ")),
        not soft[name_of(use)])
    end
  end
end


local function check_required(found, add)
  local modules = files.modules()
  for _, use in ipairs(found.required) do
    if use.name:find "^sys%." and not stubs.of(use.name) then
      add(use.line, ("there is no module %s%s"):format(use.name, nearest.question(use.name, modules, "; ")), true)
    end
  end
end


--- Checks the names of a text. The text does not run, but the lib files that it requires do.
---@param text string
---@param place cli.NamePlace
---@return cli.NameFinding[] findings  in the order of their lines
function M.findings(text, place)
  local list, seen = {}, {}
  local function add(line, message, certain)
    local key = line .. message
    if seen[key] then return end
    seen[key] = #list + 1
    list[#list + 1] = { line = line, message = message, certain = certain and true or false }
  end
  local found, problem = names.of(text)
  if not found then
    add(problem.line, problem.message, true)
    return list
  end
  check_globals(found, place, add)
  check_fields(found, place, add)
  check_required(found, add)
  table.sort(list, function(a, b)
    if a.line ~= b.line then return a.line < b.line end
    return seen[a.line .. a.message] < seen[b.line .. b.message]
  end)
  return list
end


return M
