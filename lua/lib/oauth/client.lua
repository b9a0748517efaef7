--- The OAuth client of an authorization server: one that it knows, one from a document that it can read, or a new registration.

local engine = require "sys.engine"
local fetch  = require "oauth.fetch"
local http   = require "sys.http"
local json   = require "sys.json"
local scope  = require "oauth.scope"
local time   = require "sys.time"

local M = {}

local SECONDS, BYTES = 30, 262144


local function fail(code, text, ...) return nil, text:format(...), code end


--- Chooses the client's authentication method among those that the server supports (RFC 8414: basic, if it lists none).
---@param metadata table
---@param secret? string
---@return "none"|"client_secret_basic"|"client_secret_post"|nil
function M.method(metadata, secret)
  local supported = metadata.token_endpoint_auth_methods_supported
  if not secret then return "none" end
  if type(supported) ~= "table" or scope.lists(supported, "client_secret_basic") then return "client_secret_basic" end
  if scope.lists(supported, "client_secret_post") then return "client_secret_post" end
  return scope.lists(supported, "none") and "none" or nil
end


-- A program on a user's machine cannot keep a secret, so "none" is the best method.
local function wanted_method(metadata)
  local supported = metadata.token_endpoint_auth_methods_supported
  for _, method in ipairs { "none", "client_secret_basic", "client_secret_post" } do
    if scope.lists(supported, method) then return method end
  end
  return "none"
end


local function grants(metadata)
  local supported = metadata.grant_types_supported
  if type(supported) == "table" and not scope.lists(supported, "refresh_token") then
    return json.array { "authorization_code" }
  end
  return json.array { "authorization_code", "refresh_token" }
end


local function read_registration(answer, metadata, redirect, asked)
  local document = json.decode(answer.body)
  if answer.status >= 400 or type(document) ~= "table" then
    local why = type(document) == "table" and fetch.clean(document.error_description or document.error) or ""
    return fail("not_registered", "%s refused to register an OAuth client (status %d)%s. Ask its owner for a client ID, then run "
      .. "`perigee login --client-id ID URL`", metadata.issuer, answer.status, why ~= "" and ": " .. why or "")
  end
  if type(document.client_id) ~= "string" then
    return fail("not_registered", "%s registered an OAuth client but returned no client ID", metadata.issuer)
  end
  local secret = type(document.client_secret) == "string" and document.client_secret or nil
  local method = document.token_endpoint_auth_method
  if method == nil or method == json.null then method = asked end
  if method ~= "none" and not secret then method = "none" end
  if method ~= "none" and method ~= "client_secret_basic" and method ~= "client_secret_post" then
    method = M.method(metadata, secret)
  end
  local expires = document.client_secret_expires_at
  return {
    id = document.client_id, secret = method ~= "none" and secret or nil, method = method, source = "registered",
    redirect = redirect, expires = math.type(expires) and expires > 0 and expires or nil,
  }
end


--- Registers a client dynamically (RFC 7591).
---@param metadata table
---@param redirect string
---@param wanted? string  the scopes
---@return oauth.Client? client
---@return string? err
---@return string? code
function M.register(metadata, redirect, wanted)
  local asked = wanted_method(metadata)
  local answer, err, code = http.request {
    url = metadata.registration_endpoint, redirects = 0, timeout = SECONDS, max_bytes = BYTES,
    headers = { Accept = "application/json" },
    json = {
      client_name = "Perigee", software_id = "perigee", software_version = engine.status().version,
      redirect_uris = json.array { redirect }, application_type = "native", grant_types = grants(metadata),
      response_types = json.array { "code" }, token_endpoint_auth_method = asked, scope = wanted,
    },
  }
  if not answer then return nil, err, code end
  return read_registration(answer, metadata, redirect, asked)
end


local function given(metadata, options, stored)
  local method = M.method(metadata, options.client_secret)
  if not method then
    return fail("no_method", "%s supports no known way to send a client secret. Log in without one", metadata.issuer)
  end
  for issuer, client in pairs(stored.clients) do
    if client.source == "given" and client.id == options.client_id and issuer ~= metadata.issuer and not options.rebind then
      return fail("issuer_changed", "the client ID %s belongs to %s, but the server now names %s, to which nothing was sent. If "
        .. "the change is intended, run `perigee login --client-id ID URL` with the new server's client ID",
        fetch.clean(client.id), issuer, metadata.issuer)
    end
  end
  if options.unattended and method == "none" then
    return fail("no_secret", "%s requires a client secret. Pass --client-secret-file FILE", metadata.issuer)
  end
  return { id = options.client_id, secret = options.client_secret, method = method, source = "given",
    redirect = options.redirect, unattended = options.unattended or nil }
end


local function usable(client, redirect)
  return client and (client.source == "given" or client.redirect == redirect)
    and not (client.expires and client.expires < time.now() + 60)
end


--- Returns the client that needs no request: a given one, our document, or a stored one. nil alone means that one has to be
--- registered.
---@param metadata table
---@param options oauth.Options
---@param stored oauth.Stored
---@param redirect string
---@return oauth.Client? client
---@return string? err
---@return string? code  "issuer_changed", "no_method", "no_client_id"
function M.known(metadata, options, stored, redirect)
  if options.client_id then return given(metadata, options, stored) end
  local client = stored.clients[metadata.issuer]
  if client and client.source == "given" then return client end
  if metadata.client_id_metadata_document_supported == true and options.client_document then
    return { id = options.client_document, method = "none", source = "document" }
  end
  if usable(client, redirect) then return client end
  if type(metadata.registration_endpoint) ~= "string" then
    return fail("no_client_id", "%s does not register OAuth clients automatically. Register an application there (redirect URL "
      .. "%s), then run `perigee login --client-id ID URL`", metadata.issuer, redirect)
  end
end

return M
