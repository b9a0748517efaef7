--- URLs as OAuth compares them: by their parts, and never by guessing.

local http    = require "sys.http"
local sys_url = require "sys.url"

local M = {}

local PORTS = { http = 80, https = 443 }


---@class oauth.Url
---@field scheme string  "http" or "https"
---@field host   string  in lower case; IPv6 in brackets
---@field port   integer
---@field origin string  "https://host" or "https://host:8443"
---@field path   string  "" or begins with "/"
---@field query? string  without its "?"

local function check_host(text)
  if text:match "^%[[%x:.]+%]$" then return text:lower() end
  if text:match "^[%w._-]+$" then return text:lower() end
end


--- Returns the parts of an http or https URL, without its fragment; nil if it is not one, or names a user.
---@param text any
---@return oauth.Url?
function M.parse(text)
  if type(text) ~= "string" or #text > 8192 or text:find "[%c%s\\\"<>]" then return nil end
  local scheme, rest = text:match "^(%a+)://(.+)$"
  scheme = scheme and scheme:lower()
  if not PORTS[scheme] then return nil end
  local authority, tail = rest:match "^([^/?#]+)(.*)$"
  if not authority or authority:find("@", 1, true) then return nil end
  local host, port = authority:match "^(.-):(%d*)$"
  if not host or authority:match "^%[[^%]]*%]$" then host, port = authority, "" end
  host = check_host(host)
  port = port == "" and PORTS[scheme] or math.tointeger(tonumber(port))
  if not host or not port or port < 1 or port > 65535 then return nil end
  tail = tail:match "^[^#]*"
  local path, query = tail:match "^([^?]*)%??(.*)$"
  return {
    scheme = scheme, host = host, port = port, path = path, query = tail:find("?", 1, true) and query or nil,
    origin = scheme .. "://" .. host .. (port == PORTS[scheme] and "" or ":" .. port),
  }
end


---@param url oauth.Url
---@return boolean
function M.is_loopback(url)
  return url.host == "localhost" or url.host == "[::1]" or url.host:match "^127%.%d+%.%d+%.%d+$" ~= nil
end


local NEARNESS = { world = 0, network = 1, machine = 2, odd = 3 }

--- True if a URL is nearer than another: on this machine, in a private network, or written as a number that may be either. A
--- server that is farther away must not send us there.
---@param url oauth.Url
---@param than oauth.Url
---@return boolean
function M.is_nearer(url, than)
  return NEARNESS[http.host_scope(url.host)] > NEARNESS[http.host_scope(than.host)]
end


--- True if a secret may be sent there: over https, or over http that does not leave this machine.
---@param url oauth.Url
---@return boolean
function M.is_secure(url)
  return url.scheme == "https" or M.is_loopback(url)
end


--- Returns the resource identifier of a server at this URL: no fragment, no lone slash, scheme and host in lower case.
---@param url oauth.Url
---@return string
function M.resource(url)
  return url.origin .. (url.path == "/" and "" or url.path) .. (url.query and "?" .. url.query or "")
end


--- True if a resource identifier covers the server at a URL: it is the same, or a folder above it on the same host.
---@param resource oauth.Url
---@param server oauth.Url
---@return boolean
function M.covers(resource, server)
  if resource.origin ~= server.origin then return false end
  if resource.query and resource.query ~= server.query then return false end
  local above, below = resource.path:gsub("/+$", ""), server.path:gsub("/+$", "")
  return above == below or below:sub(1, #above + 1) == above .. "/"
end


--- Returns the target of a redirect: an absolute URL, or a path on the same host.
---@param base oauth.Url
---@param location string
---@return oauth.Url?
function M.follow(base, location)
  if location:match "^//" then return M.parse(base.scheme .. ":" .. location) end
  if location:match "^/" then return M.parse(base.origin .. location) end
  return M.parse(location)
end


---@param url oauth.Url
---@return string
function M.text(url)
  return url.origin .. url.path .. (url.query and "?" .. url.query or "")
end


--- Returns name=value&..., in the given order. A pair without a value is left out.
---@param pairs_ {[1]: string, [2]: any}[]
---@return string
function M.encode(pairs_)
  local parts = {}
  for _, pair in ipairs(pairs_) do
    if pair[2] ~= nil then parts[#parts + 1] = http.escape(pair[1]) .. "=" .. http.escape(tostring(pair[2])) end
  end
  return table.concat(parts, "&")
end


--- Returns the parameters of a query; nil if one is repeated, which OAuth forbids.
---@param query string
---@return table<string, string>?
function M.decode(query)
  local found = {}
  for _, pair in ipairs(select(2, sys_url.decode_query(query))) do
    if found[pair[1]] then return nil end
    found[pair[1]] = pair[2]
  end
  return found
end


--- Adds parameters to a URL.
---@param text string
---@param parameters {[1]: string, [2]: any}[]
---@return string
function M.with(text, parameters)
  return text .. (text:find("?", 1, true) and "&" or "?") .. M.encode(parameters)
end

return M
