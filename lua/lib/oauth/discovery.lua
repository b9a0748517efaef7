--- Finds the authorization servers of a server (RFC 9728) and their endpoints (RFC 8414, OpenID Connect Discovery).

local fetch = require "oauth.fetch"
local scope = require "oauth.scope"
local url   = require "oauth.url"

local M = {}

local RESOURCE, SERVER, OPENID =
  "/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"


local function fail(code, text, ...) return nil, text:format(...), code end


--- Requests each URL in turn, until one has a document. A refusal (4xx) or a body that is not a JSON object counts as none.
local function first_document(addresses, server)
  for _, address in ipairs(addresses) do
    local answer, err, code = fetch.document(address, server)
    if not answer then return nil, err, code end
    if answer.json then return answer.json, address end
    if answer.status >= 500 then
      return fail("server_failed", "%s failed with status %d. Try again later", address, answer.status)
    end
  end
  return nil
end


-- --- the resource ----------------------------------------------------------------------------------------------------

---@class oauth.Resource
---@field resource string   the identifier for which tokens are requested
---@field issuers  string[] authorization servers, as the server lists them
---@field scopes?  string[] the scopes for ordinary use
---@field assumed? boolean  true if it has no metadata: its own host is used, as in the revision of 2025-03-26

local function texts(list)
  if type(list) ~= "table" then return nil end
  local found = {}
  for _, item in ipairs(list) do
    if type(item) == "string" then found[#found + 1] = item end
  end
  return found
end


local function check_resource(document, from, server)
  local resource = url.parse(document.resource)
  if not resource then return fail("bad_metadata", "%s does not name a resource", from) end
  if not url.covers(resource, server) then
    return fail("resource_mismatch", "%s describes %s, not %s, so no token was requested", from,
      fetch.clean(document.resource), url.text(server))
  end
  local issuers = texts(document.authorization_servers) or {}
  if not issuers[1] then return fail("bad_metadata", "%s does not name an authorization server", from) end
  return { resource = document.resource, issuers = issuers, scopes = texts(document.scopes_supported) }
end


--- Returns the metadata of the server at this URL; `named` is the URL from its challenge.
---@param server oauth.Url
---@param named? string
---@return oauth.Resource? resource
---@return string? err
---@return string? code  "resource_mismatch", "bad_metadata", "not_secure", "server_failed", or one of sys.http
function M.resource(server, named)
  local tail = (server.path == "/" and "" or server.path) .. (server.query and "?" .. server.query or "")
  local addresses = { server.origin .. RESOURCE .. tail, tail ~= "" and server.origin .. RESOURCE or nil }
  local document, from, code = first_document(named and { named } or addresses, server)
  if document then return check_resource(document, from, server) end
  if code then return nil, from, code end
  if named then return fail("bad_metadata", "%s, which the server names, has no metadata", fetch.clean(named)) end
  return { resource = url.resource(server), issuers = { server.origin }, assumed = true }
end


-- --- the authorization server --------------------------------------------------------------------------------------------

---@param issuer oauth.Url
---@return string[]
local function addresses_of(issuer)
  local path = issuer.path:gsub("/+$", "")
  if path == "" then return { issuer.origin .. SERVER, issuer.origin .. OPENID } end
  return { issuer.origin .. SERVER .. path, issuer.origin .. OPENID .. path, issuer.origin .. path .. OPENID }
end


local function check_endpoints(document, issuer, server)
  if type(document.token_endpoint) ~= "string" then return fail("bad_metadata", "%s has no token_endpoint", issuer) end
  for _, name in ipairs { "authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint" } do
    local text = document[name]
    local why = text and fetch.forbidden(url.parse(text), tostring(text), server)
    if why then return fail("not_secure", "the %s of %s cannot be used: %s", name, issuer, why) end
  end
  return document
end


local function check_browser(document, issuer)
  if not scope.lists(document.code_challenge_methods_supported, "S256") then
    return fail("no_pkce", "%s does not declare PKCE with S256, without which a login is not safe", issuer)
  end
  if type(document.response_types_supported) == "table" and not scope.lists(document.response_types_supported, "code") then
    return fail("bad_metadata", "%s does not issue authorization codes", issuer)
  end
  if type(document.authorization_endpoint) ~= "string" then
    return fail("bad_metadata", "%s has no authorization_endpoint", issuer)
  end
  return true
end


-- Many servers leave the list out.
local function check_unattended(document, issuer)
  local grants = document.grant_types_supported
  if type(grants) == "table" and not scope.lists(grants, "client_credentials") then
    return fail("no_grant", "%s does not support client credentials. Log in without --client-credentials", issuer)
  end
  return true
end


--- Returns the issuer in its two spellings if it has no path, because https://host and https://host/ are the same URL (RFC 3986,
--- section 6.2.3). Google's servers list the one, and their authorization server calls itself the other.
---@param issuer string
---@return string[]
function M.spellings(issuer)
  local address = url.parse(issuer)
  if not address or address.query or issuer:find("#", 1, true) then return { issuer } end
  if address.path == "" then return { issuer, issuer .. "/" } end
  if address.path == "/" then return { issuer, (issuer:gsub("/$", "")) } end
  return { issuer }
end


local function is_same_issuer(one, other)
  for _, spelling in ipairs(M.spellings(other)) do
    if one == spelling then return true end
  end
  return false
end


local function check_server(document, issuer, server, unattended)
  local able, lack, kind = (unattended and check_unattended or check_browser)(document, issuer)
  if not able then return nil, lack, kind end
  return check_endpoints(document, issuer, server)
end


--- Returns the metadata at a URL that the user chose, whatever the server names.
---@param address string
---@param unattended? boolean
---@return table? metadata
---@return string? err
---@return string? code  as of server()
function M.own_server(address, unattended)
  local place = url.parse(address)
  local why = not place and ("%s is not an http or https URL"):format(fetch.clean(address))
    or not url.is_secure(place) and address .. " is not https"
  if why then return fail("not_secure", "authServerMetadataUrl in mcp.json cannot be used: %s", why) end
  local document, err, code = first_document({ address }, place)
  if not document then
    if code then return nil, err, code end
    return fail("bad_metadata", "%s has no authorization server metadata. Correct authServerMetadataUrl in mcp.json", address)
  end
  if type(document.issuer) ~= "string" then return fail("bad_metadata", "%s has no issuer", address) end
  return check_server(document, fetch.clean(document.issuer), place, unattended)
end


--- Returns its metadata, checked: the issuer equals the wanted one in every letter but the slash of an empty path, and a login
--- in the browser can be protected (PKCE).
---@param issuer string
---@param server oauth.Url  the MCP server
---@param unattended? boolean  true without a browser: the client gets tokens by its secret
---@return table? metadata
---@return string? err
---@return string? code  "issuer_mismatch", "no_pkce", "no_grant", "bad_metadata", "not_secure", "server_failed", or of sys.http
function M.server(issuer, server, unattended)
  local address = url.parse(issuer)
  local why = fetch.forbidden(address, issuer, server)
  if why then return fail("not_secure", "the authorization server cannot be used: %s", why) end
  local document, from, code = first_document(addresses_of(address), server)
  if not document then
    if code then return nil, from, code end
    return fail("bad_metadata", "%s has no authorization server metadata", fetch.clean(issuer))
  end
  if not is_same_issuer(document.issuer, issuer) then
    return fail("issuer_mismatch", "%s names its issuer \"%s\", but \"%s\" was requested, so it is not used. The two must be "
      .. "equal, including the final slash of a path", from, fetch.clean(document.issuer), fetch.clean(issuer))
  end
  return check_server(document, issuer, server, unattended)
end

return M
