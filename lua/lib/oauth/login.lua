--- Gets a token for a server, by a login in the browser, by the client's own secret, or by the stored refresh token, and stores
--- it.

local client = require "oauth.client"
local flow   = require "oauth.flow"
local scope  = require "oauth.scope"
local store  = require "oauth.store"
local time   = require "sys.time"
local token  = require "oauth.token"
local url    = require "oauth.url"

local M = {}

local EARLY = 30         -- seconds before its end at which a token counts as expired
local LOGIN_SECONDS = 300


---@class oauth.Context
---@field options    oauth.Options
---@field server     oauth.Url
---@field stored       oauth.Stored
---@field asked      table            the server's challenge, parsed
---@field resource   oauth.Resource
---@field metadata   table            that of the authorization server
---@field unattended boolean          true if the client gets tokens by its secret
---@field key        string           the key of the record
---@field record?    oauth.Token      the stored one

---@param record? oauth.Token
---@return boolean?
function M.fresh(record)
  return record and not (record.expires and record.expires < time.now() + EARLY)
end


--- Replaces the stored record of this server; tokens of another authorization server are removed.
local function keep(stored, server, record)
  local address = url.text(server)
  for key, other in pairs(stored.tokens) do
    if other.servers[address] and other.issuer ~= record.issuer then
      other.servers[address] = nil
      if not next(other.servers) then stored.tokens[key] = nil end
    end
  end
  record.servers[address] = true
  stored.tokens[store.key(record.resource, record.issuer)] = record
  if record.client.source ~= "document" then stored.clients[record.issuer] = record.client end
  return record
end


local function updated(record, got)
  record.access, record.expires, record.obtained = got.access, got.expires, time.now()
  record.refresh = got.refresh or record.refresh
  record.granted = got.granted or record.granted
  return record
end


--- Gets a new access token for a stored refresh token. The refresh token is used under the lock, because it may be valid only
--- once. nil alone means that it is no longer valid.
---@param metadata table
---@param key string
---@param refused? string  the token that the server refused
---@return oauth.Token|false|nil record
---@return string? err
---@return string? code
function M.refresh(metadata, key, refused)
  return store.change(function(stored)
    local record = stored.tokens[key]
    if not record then return nil end
    if record.access ~= refused and M.fresh(record) then return record end -- another program was faster
    if not record.refresh then return nil end
    local got, err, code = token.refresh(metadata, record)
    if got then return updated(record, got) end
    if code == "invalid_grant" or code == "invalid_client" or code == "unauthorized_client" then
      record.refresh = nil
      return false
    end
    return nil, err, code
  end)
end



local function known_client(context, landing)
  local stored, err, code = store.read()
  if not stored then return nil, err, code end
  return client.known(context.metadata, context.options, stored, landing.redirect)
end


local function find_client(context, landing, wanted)
  local found, err, code = known_client(context, landing)
  if found or code then return found, err, code end
  return client.register(context.metadata, landing.redirect, wanted)
end


--- Listens for the browser: at a fixed URL if there is one, at the earlier one, or at any port.
local function land(context)
  local known = (store.read() or { clients = {} }).clients[context.metadata.issuer] or {}
  local fixed = context.options.redirect
  if not fixed and known.source == "given" then fixed = known.redirect end
  return flow.land(fixed, known.redirect)
end


local function keep_new(context, found, wanted, got)
  return store.change(function(stored)
    return keep(stored, context.server, updated({
      resource = context.resource.resource, issuer = context.metadata.issuer, servers = {}, client = found, requested = wanted,
      granted = wanted,
    }, got))
  end)
end


--- Logs in by the client's secret. There is no refresh token then, because the secret can be used again.
local function log_in_unattended(context, before)
  local options, resource = context.options, context.resource
  local wanted = options.scope or scope.choose(context.asked.scope, resource.scopes, before, {})
  local found, err, code = known_client(context, {})
  if not found then return nil, err, code end
  local got
  got, err, code = token.unattended(context.metadata, found, wanted, resource.resource)
  if code == "invalid_client" then
    err = ("%s. If the secret has changed, run `perigee login --client-credentials --client-id ID --client-secret-file FILE %s`")
      :format(err, options.url)
  end
  if not got then return nil, err, code end
  return keep_new(context, found, wanted, got)
end


--- Logs in through the browser.
local function log_in_browser(context, before)
  local options, metadata, resource = context.options, context.metadata, context.resource
  local wanted = options.scope or scope.choose(context.asked.scope, resource.scopes, before, metadata)
  local landing, err, code = land(context)
  if not landing then return nil, err, code end
  local held <close> = landing.listener
  local found
  found, err, code = find_client(context, landing, wanted)
  if not found then return nil, err, code end
  local got
  got, err, code = flow.run({
    server = context.server, metadata = metadata, client = found, resource = resource.resource, scope = wanted,
    landing = landing,
  }, { open = options.open, say = options.say, timeout = options.timeout or LOGIN_SECONDS })
  if not got then return nil, err, code end
  return keep_new(context, found, wanted, got)
end


--- Gets a new token and stores it.
---@param context oauth.Context
---@param before? string  scopes that were requested earlier and must not be lost
---@return oauth.Token? record
---@return string? err
---@return string? code
function M.run(context, before)
  return (context.unattended and log_in_unattended or log_in_browser)(context, before)
end

return M
