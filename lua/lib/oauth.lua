--- Tokens for MCP servers: by a login in a browser once, then from the store, refreshed as long as that is possible.
--
-- The rules are those of the revisions 2025-11-25 and 2026-07-28 of the Model Context Protocol, chapter Authorization, and of
-- the RFCs that it refers to; each file names those that it implements.

local browser   = require "browser"
local challenge = require "oauth.challenge"
local discovery = require "oauth.discovery"
local env       = require "sys.env"
local log       = require "sys.log"
local login     = require "oauth.login"
local scope     = require "oauth.scope"
local store     = require "oauth.store"
local task      = require "sys.task"
local token     = require "oauth.token"
local url       = require "oauth.url"

local oauth = {}


---@class oauth.Options
---@field url              string   the URL of the MCP server
---@field interactive?     boolean  true: a browser may be opened
---@field client_id?       string   issued by the owner of the authorization server
---@field client_secret?   string
---@field client_document? string   URL of our metadata document (CIMD); default: PERIGEE_CLIENT_DOCUMENT
---@field metadata?        string   URL of the authorization server's metadata, in place of the one that the server names
---@field redirect?        string   default: http://127.0.0.1:PORT/callback, any port
---@field scope?           string   in place of what the server asks for
---@field unattended?      boolean  with client_id and client_secret: these get tokens, and the user is not asked
---@field rebind?          boolean  true: client_id belongs to the authorization server that the server names now
---@field timeout?         number   seconds for the user at the browser; default 300
---@field open?            fun(address: string): (true?, string?)
---@field say?             fun(text: string)

---@class oauth.Challenge
---@field status  integer  401 or 403
---@field header? string   WWW-Authenticate
---@field token?  string   the token that was refused

local function fail(code, text, ...) return nil, text:format(...), code end


local function server_of(options)
  local server = url.parse(options.url)
  if not server then return fail("bad_url", "%q is not an http or https URL", tostring(options.url)) end
  if not url.is_secure(server) then
    return fail("not_secure", "%s is not https, so the token could be read in transit. Use an https URL", server.origin)
  end
  return server
end


local function is_unattended(context, issuer)
  if context.options.client_id then return context.options.unattended == true end
  for _, spelling in ipairs(issuer and discovery.spellings(issuer) or {}) do
    local client = context.stored.clients[spelling]
    if client then return client.unattended == true end
  end
  return false
end


local function has_token(context, issuer)
  for _, spelling in ipairs(discovery.spellings(issuer)) do
    if context.stored.tokens[store.key(context.resource.resource, spelling)] then return true end
  end
  return false
end


--- Finds the metadata of the first authorization server that has some: one with a stored token, then the others in their order.
local function find_server(context)
  local issuers, known = {}, false
  for _, issuer in ipairs(context.resource.issuers) do
    local stored = has_token(context, issuer)
    table.insert(issuers, stored and 1 or #issuers + 1, issuer)
    known = known or stored
  end
  local first_err, first_code
  for i, issuer in ipairs(issuers) do
    context.unattended = is_unattended(context, issuer)
    local metadata, err, code = discovery.server(issuer, context.server, context.unattended)
    if metadata then return metadata end
    first_err, first_code = first_err or err, first_code or code
    -- One that issued our token and is down for a while is not left for another.
    if i == 1 and known and code ~= "bad_metadata" and code ~= "issuer_mismatch" then break end
  end
  return nil, first_err, first_code
end


--- The same for metadata that the user named in mcp.json.
local function find_own_server(context)
  local metadata, err, code = discovery.own_server(context.options.metadata, context.options.unattended)
  if not metadata then return nil, err, code end
  context.unattended = is_unattended(context, metadata.issuer)
  return metadata
end


local function find_resource(context)
  local resource, err, code = discovery.resource(context.server, context.asked.resource_metadata)
  if resource or not context.options.metadata then return resource, err, code end
  return { resource = url.resource(context.server), issuers = {}, assumed = true }
end


--- Finds the authorization server of this server, and what is known about it.
local function discover(context)
  local err, code
  context.resource, err, code = find_resource(context)
  if not context.resource then return nil, err, code end
  context.metadata, err, code = (context.options.metadata and find_own_server or find_server)(context)
  if not context.metadata and context.resource.assumed and not context.options.metadata and code == "bad_metadata" then
    return fail("no_login", "%s requires a token but names no authorization server (it has neither RFC 9728 metadata nor that "
      .. "of an authorization server). Ask its owner for a token and pass it with --token TOKEN, or as the header Authorization "
      .. "in mcpServers", context.options.url)
  end
  if not context.metadata then return nil, err, code end
  context.key = store.key(context.resource.resource, context.metadata.issuer)
  context.record = context.stored.tokens[context.key]
  return context
end


local function insufficient(context)
  return fail("insufficient_scope", "%s requires the scope \"%s\", which the token from %s does not have. Log in as a user who "
    .. "has it: `perigee logout %s`, then `perigee login %s`", context.server.origin, context.asked.scope or "?",
    context.metadata.issuer, context.options.url, context.options.url)
end


local function needs_login(context)
  return fail("login_required", "%s requires a login. Run `perigee login %s`", context.server.origin, context.options.url)
end


--- True if the scopes of this challenge were requested before, and the resulting token was refused.
local function tried(context, refused)
  local record = context.record
  return record and record.access == refused and scope.within(context.asked.scope, record.requested)
end


local function answer(context, met)
  local record, refused = context.record, met.token
  local stepping_up = met.status == 403
  if record and record.access ~= refused and login.fresh(record) and scope.within(context.asked.scope, record.granted) then
    return record
  end
  if stepping_up and tried(context, refused) then return insufficient(context) end
  if not stepping_up and record and record.refresh then
    local renewed, err, code = login.refresh(context.metadata, context.key, refused)
    if renewed then return renewed end
    if err then return nil, err, code end
  end
  if not context.options.interactive and not context.unattended then return needs_login(context) end
  return login.run(context, record and record.requested)
end


-- A user who did not ask for a browser should know why it opens.
local function show(address)
  local ok, why, code = browser.open(address)
  if ok then log.warn("a server requires a login; its page was opened in the browser. If not, open this URL:\n" .. address) end
  return ok, why, code
end


local function context_of(options, met)
  local server, err, code = server_of(options)
  if not server then return nil, err, code end
  local stored
  stored, err, code = store.read()
  if not stored then return nil, err, code end
  return {
    options = setmetatable({
      client_document = options.client_document or env.get "PERIGEE_CLIENT_DOCUMENT",
      open = options.open or show, say = options.say or log.warn,
    }, { __index = options }),
    server = server, stored = stored, asked = challenge.bearer(met.header),
  }
end


--- Returns a token that satisfies this answer of the server. It may wait for the user, so do not call it within a time limit.
---@param options oauth.Options
---@param met oauth.Challenge
---@return string? access
---@return string? err
---@return string? code  "login_required", "forbidden", "insufficient_scope", "timeout", ... of the files in oauth/
function oauth.authorize(options, met)
  local held <close> = task.lock("oauth " .. tostring(options.url))
  local context, err, code = context_of(options, met)
  if not context then return nil, err, code end
  if met.status == 403 and context.asked.error ~= "insufficient_scope" then
    return fail("forbidden", "%s refuses this request with any token. Ask its owner for access", context.server.origin)
  end
  local ok
  ok, err, code = discover(context)
  if not ok then return nil, err, code end
  local record
  record, err, code = answer(context, met)
  return record and record.access, err, code
end


--- Logs in again, even if tokens are stored.
---@param options oauth.Options
---@param met oauth.Challenge
---@return oauth.Token? token
---@return string? err
---@return string? code
function oauth.login(options, met)
  local held <close> = task.lock("oauth " .. tostring(options.url))
  local context, err, code = context_of(options, met)
  if not context then return nil, err, code end
  local ok
  ok, err, code = discover(context)
  if not ok then return nil, err, code end
  return login.run(context, context.record and context.record.requested)
end


--- Returns the function for `authorize` of sys.mcp.
---@param options oauth.Options
---@return fun(met: sys.mcp.Challenge): string?, string?, string?
function oauth.authorizer(options)
  return function(met)
    return oauth.authorize(options, { status = met.status, header = met.challenge, token = met.token })
  end
end


local function brings_its_own(spec)
  if spec.token or spec.authorize then return true end
  for name in pairs(spec.headers or {}) do
    if name:lower() == "authorization" then return true end
  end
  return false
end


--- Gives a spec of sys.mcp for a server over HTTP the stored token, and a way to get others. A spec with a token or an
--- Authorization header of its own stays as it is.
---@param spec sys.mcp.Spec
---@param options? oauth.Options  default: the user is not asked; a server that requires a login fails with "login_required"
---@return sys.mcp.Spec spec
function oauth.equip(spec, options)
  if not spec.url or spec.url:find "^unix:" or brings_its_own(spec) then return spec end -- a socket's file says who may use it
  local own = { url = spec.url, metadata = spec.login_metadata }
  for key, value in pairs(options or {}) do own[key] = value end
  spec.token = oauth.token(spec.url)
  spec.authorize = oauth.authorizer(own)
  return spec
end


-- --- the stored tokens ------------------------------------------------------------------------------------------------------

--- Returns the token to begin with; nil alone if there is none. It may be expired: its refusal starts a refresh.
---@param address string
---@return string? access
function oauth.token(address)
  local server = url.parse(address)
  local stored = server and url.is_secure(server) and store.read()
  local record = stored and store.token_for(stored, url.text(server))
  return record and record.access or nil
end


---@return oauth.Token[]? tokens  sorted by resource; without secrets, to be shown
---@return string? err
---@return string? code
function oauth.list()
  local stored, err, code = store.read()
  if not stored then return nil, err, code end
  local list = {}
  for _, record in pairs(stored.tokens) do
    list[#list + 1] = {
      resource = record.resource, issuer = record.issuer, servers = record.servers, expires = record.expires,
      granted = record.granted, obtained = record.obtained, renews = record.refresh ~= nil or record.client.unattended == true,
      client = { id = record.client.id, source = record.client.source },
    }
  end
  table.sort(list, function(a, b) return a.resource .. a.issuer < b.resource .. b.issuer end)
  return list
end


--- Removes the tokens for a server, and tells the authorization servers that issued them.
---@param address string
---@return integer? count
---@return string? err
---@return string? code
function oauth.logout(address)
  local server, err, code = server_of { url = address }
  if not server then return nil, err, code end
  local gone = {}
  local ok
  ok, err, code = store.change(function(stored)
    for key, record in pairs(stored.tokens) do
      if record.servers[url.text(server)] then
        gone[#gone + 1] = record
        stored.tokens[key] = nil
      end
    end
    return true
  end)
  if not ok then return nil, err, code end
  for _, record in ipairs(gone) do
    local metadata = discovery.server(record.issuer, server, record.client.unattended)
    if metadata then token.revoke(metadata, record) end
  end
  return #gone
end


--- Removes all tokens and clients.
---@return true? ok
---@return string? err
---@return string? code
function oauth.logout_all()
  return store.clear()
end

return oauth
