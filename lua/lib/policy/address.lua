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


--- An address at which something listens, in one spelling: all interfaces are `0.0.0.0`.
---@param host string
---@param is_name? boolean  a name of a rule, in which an asterisk stands for any characters
---@return string
function M.listened(host, is_name)
  local bare = host:lower():gsub("[%[%]%s]", ""):gsub("^::ffff:([0.]+)$", "%1")
  if bare:find "^[0x:.]*$" or bare == "*" and not is_name then return "0.0.0.0" end
  return not bare:find("*", 1, true) and M.host(host) or bare
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

--- True if programs may read text as another path than the system does: a shell expands it, a browser takes blanks and escapes
--- out, a name before a colon may be a scheme.
local function is_odd(text)
  local lower = text:lower()
  return text:find "^%s" or text:find "%s$" or text:find "%c" or lower:find "^%a[%w+.-]*:" or text:find "^~[^/]"
    or text:find "%$[%a_{(]" or text:find "`" or lower:find "%%2[ef5]" or lower:find "%%5c"
end


local REMOTE = { http = true, https = true, ftp = true, ftps = true, ws = true, wss = true, ssh = true, git = true,
  mailto = true }

--- True for a URL that leads to no file here, whichever program reads it.
---@param text string
---@return boolean
function M.is_remote(text)
  local scheme = text:match "^(%a[%w+.-]*):[^%s%c]*$"
  return scheme ~= nil and REMOTE[scheme:lower()] == true
end


--- Returns the path that text is, of a file on this machine; nil if that is not certain: a URL of another kind or host, text that
--- programs may read as another path. Other text is returned as it is.
---@param text string
---@return string?
function M.path(text)
  local rest = text:match "^[Ff][Ii][Ll][Ee]:(.*)$"
  if not rest then return not is_odd(text) and text or nil end
  local host, path = rest:match "^//([^/?#]*)(.*)$"
  path = M.decoded((path or rest):gsub("[?#].*$", ""))
  if text:find "[%c\\]" or text:find "%s$" or path:sub(1, 1) ~= "/" or path:find "%%%x%x" then return nil end
  return (not host or host == "" or M.host(host) == "localhost") and path or nil
end


--- The parts of a path with `.` and `..` resolved.
---@param path string
---@param part string  the pattern of one
local function resolved_parts(path, part)
  local parts = {}
  for each in path:gmatch(part) do
    if each == ".." then
      parts[#parts] = nil
    elseif each ~= "." then
      parts[#parts + 1] = each
    end
  end
  return table.concat(parts, "/")
end


--- An absolute path without `//`, `.` and `..`.
local function tidy(path) return "/" .. resolved_parts(path, "[^/]+") end


--- The text with the user's home directory in place of the words by which a shell names it.
---@param text string
---@return string
function M.expanded(text)
  local rest = text:match "^~(/.*)$" or text:match "^~()$" or text:match "^%$HOME(/.*)$" or text:match "^%$HOME()$"
    or text:match "^%${HOME}(.*)$"
  return rest and require("sys.env").get "HOME" .. (type(rest) == "string" and rest or "") or text
end


local function path_form(text)
  local path = M.path(M.expanded(text))
  return path and path:sub(1, 1) == "/" and tidy(path) or nil
end


--- A path of a rule: also with the links in its directories resolved, as far as it says them.
---@param name string
---@return string[]
function M.path_names(name)
  if not name:find "^[/~]" then return { name } end
  local fixed, rest = name:match "^([^*]*)(.*)$"
  local folder, last = fixed, rest
  if rest ~= "" then folder, last = fixed:match "^(.*/)([^/]*)$" end
  local real = folder and require("sys.policy").real(folder)
  if not real then return { name } end
  if rest == "" then return { name, real } end
  return { name, (real == "/" and "" or real) .. "/" .. last .. rest }
end


--- The spellings of a word of a command. A rule that allows has to fit those that stand for the whole word.
---@param word string
---@param allows boolean
---@return string[]
function M.word_forms(word, allows)
  local option, value = word:match "^(%-[%w_-]*=)(.*)$"
  local path = path_form(value or word)
  local forms = { word, path and (option or "") .. path }
  if not allows then
    forms[#forms + 1], forms[#forms + 2] = value, option and path
    forms[#forms + 1] = M.expanded(value or word)
  end
  return forms
end


-- --- URIs of resources ------------------------------------------------------------------------

--- The URI with `.` and `..` resolved if they are parts of its path.
local function resolved(uri)
  local base, path, rest = uri:match "^(%a[%w+.-]*://)([^?#]*)(.*)$"
  if not base or not ("/" .. path .. "/"):find("/%.%.?/") then return uri end
  return base .. resolved_parts(path, "[^/]*") .. rest
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


--- True if one of the forms passes the test.
---@param forms string[]
---@param is fun(form: string): boolean
function M.any(forms, is)
  for _, form in ipairs(forms) do
    if is(form) then return true end
  end
  return false
end


local function any_of(tests, text)
  for _, is in ipairs(tests) do
    if is(text) then return true end
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
      elseif M.any(whole, test.is) or M.any(bare, test.is) then
        return true
      end
    end
    return false
  end
end


-- --- URLs -----------------------------------------------------------------------------------

local USUAL = { http = ":80", https = ":443", ws = ":80", wss = ":443", ftp = ":21" }
local WRAPS = { ["view-source"] = true, blob = true, jar = true, feed = true }   -- schemes of which the rest is a URL


--- The path of a URL without escapes, `.` and `..`, as it is sent: nothing is above the root.
local function sent_path(path)
  local parts, last = {}, nil
  for part in M.decoded(path):gsub("^/", ""):gmatch "[^/]*" do
    if part == ".." then parts[#parts] = nil
    elseif part ~= "." then parts[#parts + 1] = part end
    last = part
  end
  if last == "." or last == ".." then parts[#parts + 1] = "" end
  return "/" .. table.concat(parts, "/")
end


--- The URL without user, usual port, escapes and fragment, with its scheme and host in one spelling; nil: it cannot be told.
local function usual_url(url)
  local scheme, authority, path, query = url:match "^(%a[%w+.-]*)://([^/?#]*)([^?#]*)(%??[^#]*)"
  local host = scheme and M.host_of(url)
  if not host then return nil end
  scheme = scheme:lower()
  local port = authority:match ":%d+$" or ""
  if port == USUAL[scheme] then port = "" end
  return ("%s://%s%s%s%s"):format(scheme, host:find ":" and "[" .. host .. "]" or host, port, sent_path(path), M.decoded(query))
end


--- The URL as servers read it that take several slashes for one.
local function with_single_slashes(url)
  local base, path, query = url:match "^(%a[%w+.-]*://[^/?]*)([^?]*)(.*)$"
  return base and base .. path:gsub("/+", "/") .. query or url
end


--- The spellings of a URL, and whether these are all. Where all programs read it alike, a rule that allows has to fit the
--- last two.
local function url_forms(url)
  local forms, sure, inner = { url }, true, url
  local scheme = inner:match "^(%a[%w+.-]*):"
  while scheme and WRAPS[scheme:lower()] do
    inner = inner:sub(#scheme + 2)
    forms[#forms + 1] = inner
    scheme = inner:match "^(%a[%w+.-]*):"
  end
  if url:find "[%s%c\\]" or not scheme or USUAL[scheme:lower()] and not inner:find "://[^/]" then return forms, false end
  if inner:find "^%a[%w+.-]*://" then
    local one = usual_url(inner)
    sure = one ~= nil and not one:find "%%%x%x"
    forms[#forms + 1] = one
  else
    forms[#forms + 1] = scheme:lower() .. inner:sub(#scheme + 1)
  end
  forms[#forms + 1] = with_single_slashes(forms[#forms])
  return forms, sure
end


--- A name of a rule for URLs, with its scheme and host as usual_url() has them.
local function usual_name(name)
  local scheme, authority, rest = name:match "^([%w*+.-]+)://([^/?#]*)(.*)$"
  if not scheme then return name end
  scheme = scheme:lower()
  local port = authority:match ":%d+$" or ""
  local host = authority:sub(1, #authority - #port)
  host = not host:find("*", 1, true) and M.host(host) or host:lower()
  return ("%s://%s%s%s"):format(scheme, host:find ":" and not host:find "^%[" and "[" .. host .. "]" or host,
    port ~= USUAL[scheme] and port or "", rest == "" and not authority:find "%*$" and "/" or rest)
end


local function names_of(value)
  local names = {}
  for _, name in ipairs(type(value) == "table" and value or { value }) do
    names[#names + 1] = name
    if type(name) == "string" then names[#names + 1] = usual_name(name) end
  end
  return names
end


--- Tests a URL part by part: an asterisk in the name of a host stands for no slash.
local function fits_parts(name)
  local scheme, authority, rest = name:match "^([%w*+.-]+)://([^/?#]*)(.*)$"
  if not scheme then return words.any(name) end
  local is_scheme, is_authority = words.any(scheme), words.any(authority)
  local is_rest = words.any(rest == "" and "*" or rest)
  return function(url)
    local its, at, behind = url:match "^(%a[%w+.-]*)://([^/?#]*)(.*)$"
    return its ~= nil and is_scheme(its) and is_authority(at) and is_rest(behind)
  end
end


local function fits_name(names)
  local tests = {}
  for i, name in ipairs(names) do tests[i] = type(name) == "string" and fits_parts(name) or nil end
  return function(url) return any_of(tests, url) end
end


--- Makes a function that tests whether a URL is one of a rule's names. nil: it cannot be told.
---@param value string|string[]
---@param allows boolean
---@return fun(url: string): boolean?
function M.urls(value, allows)
  local is = fits_name(names_of(value))
  return function(url)
    local forms, sure = url_forms(url)
    if allows and sure and not WRAPS[(url:match "^%a[%w+.-]*" or ""):lower()] then
      return is(forms[#forms]) and is(forms[#forms - 1])
    end
    local fits = (allows and all or M.any)(forms, is)
    if not sure and (allows or not fits) then return nil end
    return fits
  end
end


return M
