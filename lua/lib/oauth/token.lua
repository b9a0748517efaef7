--- The token endpoint: exchanges a code or a refresh token for an access token.

local crypto  = require "sys.crypto"
local fetch   = require "oauth.fetch"
local http    = require "sys.http"
local json    = require "sys.json"
local secrets = require "sys.secrets"
local time    = require "sys.time"
local url     = require "oauth.url"

local M = {}

local SECONDS, BYTES = 30, 1048576


--- Returns the headers that authenticate the client, and adds its fields to the form.
local function prove(client, form)
  local headers = { Accept = "application/json", ["Content-Type"] = "application/x-www-form-urlencoded" }
  if client.method == "client_secret_basic" then
    local pair = http.escape(client.id) .. ":" .. http.escape(client.secret)
    headers.Authorization = "Basic " .. crypto.base64(pair)
    secrets.hide(headers.Authorization)
  else
    form[#form + 1] = { "client_id", client.id }
    if client.method == "client_secret_post" then form[#form + 1] = { "client_secret", client.secret } end
  end
  return headers
end


local function refusal(metadata, answer, document)
  local name = type(document) == "table" and fetch.clean(document.error) or ""
  local why = type(document) == "table" and fetch.clean(document.error_description) or ""
  local text = ("%s issued no token (status %d)%s%s"):format(metadata.issuer, answer.status,
    name ~= "" and ": " .. name or "", why ~= "" and ", " .. why or "")
  return nil, text, name:match "^[%w_]+$" or "no_token"
end


--- Reads a token from an answer.
---@param metadata table
---@param answer sys.http.Response
---@return {access: string, refresh?: string, expires?: number, granted?: string}? token
---@return string? err
---@return string? code  the server's ("invalid_grant", ...), or "no_token"
function M.read(metadata, answer)
  local document = json.decode(answer.body)
  if answer.status ~= 200 or type(document) ~= "table" then return refusal(metadata, answer, document) end
  local kind = document.token_type
  if type(document.access_token) ~= "string" or not document.access_token:match "^[\x21-\x7e]+$" then
    return nil, metadata.issuer .. " responded without an access token", "no_token"
  end
  if type(kind) ~= "string" or kind:lower() ~= "bearer" then
    return nil, ("%s issued a token of type %q; only Bearer is supported"):format(metadata.issuer, fetch.clean(kind)), "no_token"
  end
  local lifetime = tonumber(document.expires_in)
  local token = {
    access = document.access_token,
    refresh = type(document.refresh_token) == "string" and document.refresh_token or nil,
    expires = lifetime and lifetime >= 0 and time.now() + lifetime or nil,
    granted = type(document.scope) == "string" and document.scope or nil,
  }
  secrets.hide(token.access)
  if token.refresh then secrets.hide(token.refresh) end
  return token
end


local function ask(metadata, client, form)
  local headers = prove(client, form)
  local answer, err, code = http.request {
    url = metadata.token_endpoint, method = "POST", headers = headers, body = url.encode(form), redirects = 0,
    timeout = SECONDS, max_bytes = BYTES,
  }
  if not answer then return nil, err, code end
  return M.read(metadata, answer)
end


---@param metadata table
---@param client oauth.Client
---@param code string
---@param verifier string
---@param redirect string
---@param resource string
function M.exchange(metadata, client, code, verifier, redirect, resource)
  return ask(metadata, client, {
    { "grant_type", "authorization_code" }, { "code", code }, { "redirect_uri", redirect },
    { "code_verifier", verifier }, { "resource", resource },
  })
end


--- Gets a token for the client itself, by its secret (RFC 6749 section 4.4).
---@param metadata table
---@param client oauth.Client
---@param wanted? string  the scopes
---@param resource string
function M.unattended(metadata, client, wanted, resource)
  return ask(metadata, client, {
    { "grant_type", "client_credentials" }, { "resource", resource }, wanted and { "scope", wanted } or nil,
  })
end


---@param metadata table
---@param token oauth.Token
function M.refresh(metadata, token)
  return ask(metadata, token.client, {
    { "grant_type", "refresh_token" }, { "refresh_token", token.refresh }, { "resource", token.resource },
  })
end


--- Tells the server that a token is not needed any more (RFC 7009), if it has an endpoint for that.
---@param metadata table
---@param token oauth.Token
---@return boolean told
function M.revoke(metadata, token)
  if type(metadata.revocation_endpoint) ~= "string" then return false end
  local form = { { "token", token.refresh or token.access },
    { "token_type_hint", token.refresh and "refresh_token" or "access_token" } }
  local headers = prove(token.client, form)
  local answer = http.request { url = metadata.revocation_endpoint, method = "POST", headers = headers, body = url.encode(form),
    redirects = 0, timeout = SECONDS, max_bytes = BYTES }
  return answer ~= nil and answer.status == 200
end

return M
