--- The conditions of a rule for arguments, and whether a call's arguments meet them.
--
-- An answer is true, false or nil. nil means unknown: a path that cannot be resolved, or a URL that cannot be read. A rule that
-- allows holds only if all answers are true; one that asks or denies holds unless an answer is false.

local policy = require "sys.policy"
local words  = require "policy.words"

local M = {}


-- --- one string ---------------------------------------------------------------------------------

--- Tests whether a path is below a folder, with links, "." and ".." resolved as the system resolves them.
local function below(folder)
  return function(text)
    if type(text) ~= "string" then return false end
    local path, top = require("policy.address").path(text), policy.real(folder)
    path = path and policy.real(path)
    if not path or not top then return nil end
    return path == top or path:sub(1, #top + 1) == top .. "/" or top == "/"
  end
end


local function at_host(hosts)
  local is
  return function(text)
    if type(text) ~= "string" then return false end
    local address = require "policy.address"
    local host = address.host_of(text)
    if not host then return nil end
    is = is or address.hosts(hosts)
    return is(host)
  end
end


local function plain(value)
  if type(value) == "string" then
    local is = words.any(value)
    return function(given) return type(given) == "string" and is(given) end
  end
  return function(given) return given == value end
end


local function one_of(list)
  local tests, strings = {}, true
  for _, value in ipairs(list) do strings = strings and type(value) == "string" end
  if strings then   -- one lookup for all strings without *
    local is = words.any(list)
    return function(given) return type(given) == "string" and is(given) end
  end
  for i, value in ipairs(list) do tests[i] = plain(value) end
  return function(given)
    for _, test in ipairs(tests) do
      if test(given) then return true end
    end
    return false
  end
end


-- --- one matcher ------------------------------------------------------------------------------------

local function below_any(folders)
  local tests = {}
  for i, folder in ipairs(folders) do tests[i] = below(folder) end
  return function(given)
    local unknown
    for _, test in ipairs(tests) do
      local is = test(given)
      if is then return true end
      if is == nil then unknown = true end
    end
    if unknown then return nil end
    return false
  end
end


--- The path that a string is: false if it is none, nil if that is not certain, for example for a path relative to a directory
--- that the tool chooses.
---@param text any
---@return string|false|nil
function M.path_of(text)
  if type(text) ~= "string" or text:find "^%w[^/]* > " then return false end   -- "File > Save" is the path of a menu
  if text:find "^%s*[Ff][Ii][Ll][Ee]:" or text:find "^%s*[/~.]" then return require("policy.address").path(text) end
  if text:find "[/\\]" or text:find "^%a[%w+.-]+:" or text:find "^%s*[$%%`]" then return nil end
  return false
end


local KINDS = {
  under = function(value) return type(value) == "string" and below(value) or below_any(value) end,
  host = at_host,
  one_of = one_of,
  granted = function(value)
    return function(given)
      local path = M.path_of(given)
      if not path then return path end
      local is = below_any(policy.grants())(path)
      if is == nil then return nil end
      return is == value
    end
  end,
  given = function(value) return function(given) return (given ~= nil) == value end end,
}


--- A matcher that is a path or a URL, or a list with one, as a list of names.
local function places_of(matcher)
  local list, any = type(matcher) == "table" and (matcher.one_of or matcher) or { matcher }, false
  if type(list) ~= "table" then return nil end
  for _, name in ipairs(list) do
    if type(name) ~= "string" then return nil end
    any = any or name:find "^[/~$]" ~= nil or name:find "^[%a*][%w+.*-]*:" ~= nil
  end
  return any and list or nil
end


--- Compiles (matcher, where) to a function(value): true | false | nil
local function compile(matcher, where, spell, all)
  local kind, places = type(matcher), spell and places_of(matcher)
  if places then
    local named = require "policy.places"
    for _, name in ipairs(places) do
      if named.is_place(name) then return named.test(places, all), "place" end
    end
  end
  if kind == "string" or kind == "number" or kind == "boolean" then return plain(matcher), "plain" end
  if kind ~= "table" then error(("%s: expected a value or a table, not a %s"):format(where, kind), 0) end
  if #matcher > 0 then return one_of(matcher), "plain" end
  local name, value = next(matcher)
  if not KINDS[name] or next(matcher, name) ~= nil then
    error(("%s: expected a value, a list, or one of { under = }, { granted = }, { host = }, { one_of = }, "
      .. "{ given = }"):format(where), 0)
  end
  local wanted = { under = "string table", host = "string table", one_of = "table", given = "boolean",
    granted = "boolean" }
  if not wanted[name]:find(type(value)) then
    error(("%s: '%s' must be a %s"):format(where, name, wanted[name]:gsub(" ", " or a ")), 0)
  end
  local wrong = name == "host" and require("policy.possible").wrong("host", value)
  if wrong then error(("%s: %s"):format(where, wrong), 0) end
  return KINDS[name](value), name
end


--- Tests every item of a list, or the value itself.
local function each(test, value, all)
  if type(value) ~= "table" then return test(value) end
  local result = all
  local empty = true
  for _, item in pairs(value) do
    empty = false
    local is = each(test, item, all)
    if is == (not all) then return is end
    if is == nil then result = nil end
  end
  if empty then return test(nil) end
  return result
end


--- The value at a path such as "a.b" in the arguments.
local function at(args, path)
  for _, key in ipairs(path) do
    if type(args) ~= "table" then return nil end
    args = args[key]
  end
  return args
end


-- Conditions about where a path leads.
local OF_PATHS = { under = true, granted = true, place = true }


--- Tests whether a value is one of the names that do not stand for places in such a condition.
local function is_other(matcher)
  local others = {}
  for _, name in ipairs(places_of(matcher)) do
    if not require("policy.places").is_place(name) then others[#others + 1] = name end
  end
  local is = words.any(others)
  return function(value)
    for _, text in ipairs(type(value) == "table" and value or { value }) do
      if type(text) == "string" and is(text) then return true end
    end
    return false
  end
end


--- Makes a function that tests whether a call's arguments meet the conditions in `given`. It takes them also with the relative
--- paths in them where they start.
---@param given table<string, any>
---@param all boolean  true: each item of a list must match, not only one
---@param where string  for messages
---@param spell? boolean  true: paths and URLs may be spelled in other ways
---@return fun(args: table, placed?: table): boolean?
function M.compile(given, all, where, spell)
  local tests, names = {}, {}
  for name in pairs(given) do names[#names + 1] = name end
  table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
  for i, name in ipairs(names) do
    if type(name) ~= "string" then error(where .. ": each key must be the name of an argument", 0) end
    local path = {}
    for part in name:gmatch "[^.]+" do path[#path + 1] = part end
    local test, kind = compile(given[name], ("%s.%s"):format(where, name), spell, all)
    local deep, is_of_path = #path > 1, OF_PATHS[kind]
    local is_text = kind == "place" and not all and is_other(given[name])
    local function fits(value)
      if is_of_path and type(value) == "string" and value:find "^`/" then return nil end   -- policy/relative.lua
      return test(value)
    end
    local function holds(args)
      local value
      if deep then value = at(args, path) else value = args[name] end
      if kind == "given" then return test(value) end
      if value == nil then return false end
      if type(value) ~= "table" then return fits(value) end
      return each(fits, value, all)
    end
    tests[i] = is_of_path and function(args, placed)
      local is = holds(placed or args)
      return is == false and placed and is_text and is_text(args[name]) or is
    end or holds
  end
  if #tests == 1 then return tests[1] end
  return function(args, placed)
    local result = true
    for i = 1, #tests do
      local is = tests[i](args, placed)
      if is == false then return false end
      if is == nil then result = nil end
    end
    return result
  end
end


return M
