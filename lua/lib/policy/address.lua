--- A resource's URI as rules compare it. One resource can be read under many URIs: with and without %XX, with more in the
--- query.

local words = require "policy.words"

local M = {}


--- The URI without %XX, as the values of a template's variables are read.
---@param uri string
---@return string
function M.decoded(uri)
  return (uri:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end))
end


--- A name in a rule without %XX. An encoded asterisk stays encoded, because a bare one matches any characters.
local function decoded_name(name)
  return (name:gsub("%%(%x%x)", function(hex)
    local char = string.char(tonumber(hex, 16))
    if char ~= "*" then return char end
  end))
end


--- The URI with `.` and `..` resolved if they are parts of its path.
local function resolved(uri)
  local base, path, rest = uri:match "^(%a[%w+.-]*://)([^?#]*)(.*)$"
  if not base or not ("/" .. path .. "/"):find("/%.%.?/") then return uri end
  local parts = {}
  for part in path:gmatch "[^/]*" do
    if part == ".." then
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return base .. table.concat(parts, "/") .. rest
end


local function forms_of(uri)
  local plain = M.decoded(uri)
  return { uri, plain, resolved(plain) }
end


local function all(forms, is)
  for _, form in ipairs(forms) do
    if not is(form) then return false end
  end
  return true
end


local function any(forms, is)
  for _, form in ipairs(forms) do
    if is(form) then return true end
  end
  return false
end


--- Makes a function that tests whether a URI fits one of a rule's names. A rule that allows fits if all forms of the URI do;
--- one that asks or denies fits if any form does. The URI without its query is a form, because a name without a query means the
--- resource.
---@param value string|string[]
---@param allows boolean
---@return fun(uri: string): boolean
function M.compile(value, allows)
  local tests = {}
  for i, name in ipairs(type(value) == "table" and value or { value }) do
    tests[i] = { is = words.any { name, decoded_name(name) }, query = name:find "[?#]" ~= nil }
  end
  return function(uri)
    local whole, bare = forms_of(uri), forms_of((uri:gsub("[?#].*$", "")))
    bare[#bare + 1] = resolved((M.decoded(uri):gsub("[?#].*$", "")))
    for _, test in ipairs(tests) do
      if allows then
        if all(whole, test.is) and (test.query or all(bare, test.is)) then return true end
      elseif any(whole, test.is) or any(bare, test.is) then
        return true
      end
    end
    return false
  end
end


return M
