--- sys.url: URLs as text, by RFC 3986. A byte that it does not allow is an error that names the byte; nothing is guessed. No
--- function here opens a connection: sys.http does.
--
-- Errors never quote the URL, which may have a password or a token in it.

local text = require "sys.text"

local M = {}

local BYTES_MAX = 65536

--- The characters that each part can have unencoded. A % begins an encoded byte in all of them.
local UNRESERVED = "A-Za-z0-9%-._~"
local SUB_DELIMS = "!$&'()*+,;="
local ALLOWED = {
  userinfo = UNRESERVED .. SUB_DELIMS .. ":",
  host     = UNRESERVED .. SUB_DELIMS,
  path     = UNRESERVED .. SUB_DELIMS .. ":@/",
  query    = UNRESERVED .. SUB_DELIMS .. ":@/?",
  fragment = UNRESERVED .. SUB_DELIMS .. ":@/?",
}

--- The usual ports. A URL of one of these schemes has a host.
local PORTS = { http = 80, https = 443, ws = 80, wss = 443, ftp = 21 }

---@class sys.url.Parts
---@field scheme    string   in lower case
---@field userinfo? string   the part before the "@"
---@field host?     string   in lower case, IPv6 in brackets; nil if there is none (mailto:), "" if it is empty (file:///)
---@field port?     integer  default: the usual one of http, https, ws, wss and ftp
---@field path      string   "", or beginning with "/" if there is a host
---@field query?    string   without its "?"; decode_query() reads it
---@field fragment? string   without its "#"


local function encoded_byte(c) return ("%%%02X"):format(c:byte()) end


--- Encodes every byte except letters, digits and -._~ as %XX, for a value inside a URL, such as a name in a path.
---@param value string
---@return string
function M.escape(value) return (value:gsub("[^" .. UNRESERVED .. "]", encoded_byte)) end


--- Decodes %XX to bytes. A % without two hexadecimal digits behind it stays.
---@param value string
---@return string
function M.unescape(value)
  return (value:gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end))
end


-- --- queries ------------------------------------------------------------------------------------------

--- Returns name=value pairs, joined by "&". A table by names is sorted, and a list of values repeats the name. A list of pairs
--- { name, value } keeps its order.
---@param values table<string, string|number|boolean|(string|number|boolean)[]>|{[1]: string, [2]: string|number|boolean}[]
---@return string
function M.encode_query(values)
  local parts = {}
  local function add(name, value) parts[#parts + 1] = M.escape(name) .. "=" .. M.escape(tostring(value)) end
  for _, pair in ipairs(values) do add(pair[1], pair[2]) end
  local names = {}
  for name in pairs(values) do
    if type(name) == "string" then names[#names + 1] = name end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local value = values[name]
    for _, item in ipairs(type(value) == "table" and value or { value }) do add(name, item) end
  end
  return table.concat(parts, "&")
end


local function decoded(part) return M.unescape((part:gsub("+", " "))) end


--- Returns the values of a query or of a form by their names. If a name is repeated, the first value is used; `pairs_` has all.
---@param query string  without its "?"
---@return table<string, string> values
---@return {[1]: string, [2]: string}[] pairs_  { name, value } in their order
function M.decode_query(query)
  local values, list = {}, {}
  for piece in query:gmatch "[^&]+" do
    local name, value = piece:match "^([^=]*)=?(.*)$"
    name, value = decoded(name), decoded(value)
    if values[name] == nil then values[name] = value end
    list[#list + 1] = { name, value }
  end
  return values, list
end


-- --- taking apart -------------------------------------------------------------------------------------

local function failure(message, ...) return nil, message:format(...), "not_url" end


local function check_part(value, name)
  local bad = value:find("[^" .. ALLOWED[name] .. "%%]")
  if bad then
    local c = value:sub(bad, bad)
    return failure("the %s of the URL has the byte %s. Write it as %s", name, c:find "[!-~]" and c or encoded_byte(c),
      encoded_byte(c))
  end
  if value:gsub("%%%x%x", ""):find("%", 1, true) then
    return failure("the %s of the URL has a %% without two hexadecimal digits behind it. Write it as %%25", name)
  end
  return value
end


--- True for eight groups of digits, or fewer around one "::". An IPv4 address at the end counts as two groups.
local function is_ipv6(address)
  local groups = address:gsub("(:)%d+%.%d+%.%d+%.%d+$", function(colon)
    for number in address:match("[%d.]+$"):gmatch "%d+" do
      if #number > 3 or tonumber(number) > 255 then return nil end
    end
    return colon .. "0:0"
  end)
  local before, after = groups:match "^(.-)::(.*)$"
  local count = 0
  for _, half in ipairs(before and { before, after } or { groups }) do
    if half ~= "" then
      for _, group in ipairs(text.split(half, ":")) do
        if not group:find "^%x%x?%x?%x?$" then return false end
        count = count + 1
      end
    end
  end
  return before and count < 8 or count == 8
end


local function check_host(host)
  if host:sub(1, 1) == "[" then
    if host:find "^%[.*%]$" and is_ipv6(host:sub(2, -2)) then return host:lower() end
    return failure "the host of the URL is not an IPv6 address"
  end
  if host:find "[\x80-\xFF]" then
    return failure "the host of the URL has letters beyond ASCII. Write it in its ASCII form, xn--..."
  end
  if host:find("%", 1, true) then return failure "the host of the URL has an encoded byte. Write it as it is" end
  local ok, err, code = check_part(host, "host")
  if not ok then return nil, err, code end
  return host:lower()
end


--- Reads userinfo, host and port into `parts`. The port may be nil.
local function take_authority(parts, authority)
  local userinfo, place = authority:match "^([^@]*)@(.*)$"
  local host, port = (place or authority):match "^(.*):([^:%]]*)$"
  if not host then host, port = place or authority, "" end
  if not port:find "^[0-9]*$" or port ~= "" and (#port > 5 or tonumber(port) > 65535) then
    return failure "the port of the URL is not a number from 0 to 65535"
  end
  local err, code
  if userinfo then
    parts.userinfo, err, code = check_part(userinfo, "userinfo")
    if not parts.userinfo then return nil, err, code end
  end
  parts.host, err, code = check_host(host)
  if not parts.host then return nil, err, code end
  parts.port = port ~= "" and math.tointeger(tonumber(port)) or nil
  return parts
end


--- Splits a URL, or a reference to one, which may lack a scheme.
local function split(reference)
  if #reference > BYTES_MAX then return failure("the URL has more than %d bytes", BYTES_MAX) end
  local parts, rest = {}, reference
  local before, fragment = rest:match "^([^#]*)#(.*)$"
  if before then rest, parts.fragment = before, fragment end
  local path, query = rest:match "^([^?]*)%?(.*)$"
  if path then rest, parts.query = path, query end
  local scheme, behind = rest:match "^([A-Za-z][A-Za-z0-9+.-]*):(.*)$"
  if scheme then parts.scheme, rest = scheme:lower(), behind end
  local authority, tail = rest:match "^//([^/]*)(.*)$"
  if authority then
    local ok, err, code = take_authority(parts, authority)
    if not ok then return nil, err, code end
    rest = tail
  end
  parts.path = rest
  return parts
end


local function check_rest(parts)
  for _, name in ipairs { "path", "query", "fragment" } do
    if parts[name] then
      local ok, err, code = check_part(parts[name], name)
      if not ok then return nil, err, code end
    end
  end
  return parts
end


--- Returns the parts of a URL. Path, query and fragment are as they are written, still encoded.
---@param value string
---@return sys.url.Parts? parts
---@return string? err
---@return string? code  "not_url"
function M.parse(value)
  local parts, err, code = split(value)
  if not parts then return nil, err, code end
  if not parts.scheme then return failure 'a URL begins with a scheme, such as "https:". For a relative one, use join()' end
  if PORTS[parts.scheme] and (parts.host or "") == "" then return failure("the URL has no host behind %s://", parts.scheme) end
  parts.port = parts.port or PORTS[parts.scheme]
  return check_rest(parts)
end


-- --- putting together ---------------------------------------------------------------------------------

--- Encodes characters that the part cannot have; encoded ones stay as they are.
local function fit(value, name)
  value = value:gsub("[^" .. ALLOWED[name] .. "%%]", encoded_byte)
  return (value:gsub("%%(%x?%x?)", function(digits) return #digits < 2 and "%25" .. digits or nil end))
end


--- Returns "//user@host:port", or "" without a host.
local function written_authority(parts)
  if not parts.host then return "" end
  local port = parts.port and parts.port ~= PORTS[parts.scheme] and ":" .. parts.port or ""
  return "//" .. (parts.userinfo and parts.userinfo .. "@" or "") .. parts.host .. port
end


--- Puts a URL together: RFC 3986, section 5.3.
local function written(parts)
  return (parts.scheme and parts.scheme .. ":" or "") .. written_authority(parts) .. parts.path
    .. (parts.query and "?" .. parts.query or "") .. (parts.fragment and "#" .. parts.fragment or "")
end


local function path_of(path)
  if type(path) ~= "table" then return fit(path or "", "path") end
  local segments = {}
  for i, segment in ipairs(path) do segments[i] = M.escape(segment) end
  return "/" .. table.concat(segments, "/")
end


--- Builds a URL from its parts. Characters that a part cannot have are encoded; encoded ones stay as they are.
---@param parts {scheme: string, userinfo?: string, host?: string, port?: integer, path?: string|string[], query?: string|table,
---  fragment?: string}  as parse() returns them. A path that is a list has names, each of which is encoded whole; a query
---  that is a table is passed to encode_query()
---@return string? url
---@return string? err
---@return string? code  "not_url": the scheme, host or port is not valid
function M.build(parts)
  local query, path = parts.query, path_of(parts.path)
  if type(query) == "table" then query = M.encode_query(query) end
  if parts.host and path ~= "" and path:sub(1, 1) ~= "/" then path = "/" .. path end
  if not parts.host and path:sub(1, 2) == "//" then return failure "a path that begins with // needs a host" end
  local url = written {
    scheme = parts.scheme, host = parts.host, port = parts.port,
    userinfo = parts.userinfo and fit(parts.userinfo, "userinfo"),
    path = path, query = query and fit(query, "query"), fragment = parts.fragment and fit(parts.fragment, "fragment"),
  }
  local read, err, code = M.parse(url)
  if not read then return nil, err, code end
  if read.host ~= (parts.host and parts.host:lower()) then return failure "the host of the URL is not a name or an address" end
  return written(read)
end


--- Removes "." and "..": RFC 3986, section 5.2.4.
local function without_dots(path)
  local segments, out = text.split(path, "/"), {}
  for i, segment in ipairs(segments) do
    if segment == ".." and (#out > 1 or out[1] ~= "") then out[#out] = nil end
    if segment ~= "." and segment ~= ".." then
      out[#out + 1] = segment
    elseif i == #segments then
      out[#out + 1] = ""
    end
  end
  return table.concat(out, "/")
end


--- Resolves a reference without a scheme or a host: RFC 3986, section 5.2.2.
local function resolve_path(base, reference)
  if reference.path == "" then return base.path, reference.query or base.query end
  if reference.path:sub(1, 1) == "/" then return without_dots(reference.path), reference.query end
  local folder = base.host and base.path == "" and "/" or base.path:match "^.*/" or ""
  return without_dots(folder .. reference.path), reference.query
end


--- Resolves a reference in a page at the base URL: "../c", "/a", "?q", "//other.example/", or a whole URL.
---@param base string
---@param reference string
---@return string? url
---@return string? err
---@return string? code  "not_url"
function M.join(base, reference)
  local from, err, code = M.parse(base)
  if not from then return nil, err, code end
  local to
  to, err, code = split(reference)
  if not to then return nil, err, code end
  if not to.scheme and not to.host and to.path:find "^[^/]*:" then
    return failure 'what is before the first colon is not a scheme. Write "./" before it if it belongs to a name'
  end
  if to.scheme or to.host then
    to.scheme, to.path = to.scheme or from.scheme, without_dots(to.path)
  else
    to.path, to.query = resolve_path(from, to)
    to.scheme, to.userinfo, to.host, to.port = from.scheme, from.userinfo, from.host, from.port
  end
  local url = written(to)
  to, err, code = M.parse(url)
  if not to then return nil, err, code end
  return written(to)
end


--- Returns scheme, host and port, by which browsers compare origins: "https://example.com:8443", without the usual port.
---@param value string
---@return string? origin
---@return string? err
---@return string? code  "not_url"
function M.origin(value)
  local parts, err, code = M.parse(value)
  if not parts then return nil, err, code end
  if not parts.host then return failure "the URL has no host" end
  return written { scheme = parts.scheme, host = parts.host, port = parts.port, path = "" }
end


return M
