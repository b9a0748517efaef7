--- Addresses as rules compare them: paths, hosts, and URIs of resources. One thing has many spellings, and every condition
--- reads them by the functions here.

local taint = require "sys.taint"
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


-- --- hosts -----------------------------------------------------------------------------------

--- Returns the one spelling of a host without its port, as sys.taint.host() does. nil: it is none, or programs may read it as
--- another host.
---@param host string
---@return string?
function M.host(host)
  local one, plain = taint.host(host)
  return plain and one or nil
end


--- Returns the host of an absolute URL, as host() does; nil if programs may read it differently.
---@param url string
---@return string?
function M.host_of(url)
  local authority = url:match "^%a[%w+.-]*://([^/?#]*)"
  if not authority or url:find "[%s\\%c]" then return nil end
  local host = authority:match "^[^@]*@(.*)$" or authority
  local bare, port = host:match "^(%[.*%])(.*)$"
  if not bare then bare, port = host:match "^([^:]*)(.*)$" end
  return (port == "" or port:find "^:%d*$") and M.host(bare) or nil
end


--- Makes a function that tests whether a host, as host() returns it, is one of a rule's names.
---@param names string|string[]
---@return fun(host: string): boolean
function M.hosts(names)
  local list = {}
  for i, name in ipairs(type(names) == "table" and names or { names }) do
    list[i] = not name:find("*", 1, true) and M.host(name) or name:lower():gsub("%.$", "")
  end
  return words.any(list, true)
end


-- --- paths -----------------------------------------------------------------------------------

--- Returns the path that text is, of a file on this machine; nil if that is not certain: a URL of another host, blanks around a
--- path that a program may take away. Other text is returned as it is.
---@param text string
---@return string?
function M.path(text)
  local rest = text:match "^%s*[Ff][Ii][Ll][Ee]:(.*)$"
  if not rest then return not (text:find "^%s" or text:find "%s$") and text or nil end
  local host, path = rest:match "^//([^/?#]*)(.*)$"
  path = M.decoded((path or rest):gsub("[?#].*$", ""))
  if text:find "^%s" or text:find "%s$" or path:sub(1, 1) ~= "/" then return nil end
  return (not host or host == "" or M.host(host) == "localhost") and path or nil
end


-- --- URIs of resources ------------------------------------------------------------------------

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


--- The URI with its schemes in lower case, and a file's in the usual form: without a host, with single slashes.
local function usual(uri)
  local schemes, rest = uri:match "^([%a][%w+.-]*:)(.*)$"
  if not schemes then return uri end
  schemes = schemes:lower()
  if not (schemes:find "^file:$" or schemes:find "%+file:$") then return schemes .. rest end
  local host, path = rest:match "^//([^/?#]*)(.*)$"
  if host and host ~= "" and M.host(host) ~= "localhost" then return schemes .. rest end
  return schemes .. "//" .. (path or rest):gsub("/+", "/")
end


local function forms_of(uri)
  local plain = M.decoded(uri)
  return { uri, plain, resolved(plain), usual(resolved(plain)) }
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
