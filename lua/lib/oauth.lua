--- Tokens for MCP servers: from a browser once, then from what is kept, refreshed as long as that goes.
--
-- The rules are those of the revisions 2025-11-25 and 2026-07-28 of the Model Context Protocol, chapter Authorization, and of
-- the RFCs it stands on; the file that does a thing names them.

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
---@field url              string   of the MCP server
---@field interactive?     boolean  a browser may be opened
---@field client_id?       string   given by the authorization server's owner
---@field client_secret?   string
---@field client_document? string   address of our metadata document (CIMD); default: PERIGEE_CLIENT_DOCUMENT
---@field redirect?        string   default: http://127.0.0.1:PORT/callback, any port
---@field scope?           string   instead of what the server asks for
---@field unattended?      boolean  with client_id and client_secret: tokens are given by them, no person is asked
---@field rebind?          boolean  client_id belongs to whoever the server names now
---@field timeout?         number   seconds for the person at the browser; default 300
---@field open?            fun(address: string): (true?, string?)
---@field say?             fun(text: string)

---@class oauth.Challenge
---@field status  integer  401 or 403
---@field header? string   WWW-Authenticate
---@field token?  string   that was refused

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
  local client = context.stored.clients[issuer]
  return client ~= nil and client.unattended == true
end


--- What is known of this server's authorization server.
local function discover(context)
  local err, code
  context.resource, err, code = discovery.resource(context.server, context.asked.resource_metadata)
  if not context.resource then return nil, err, code end
  local issuer = context.resource.issuers[1]
  for _, one in ipairs(context.resource.issuers) do
    if context.stored.tokens[store.key(context.resource.resource, one)] then issuer = one end
  end
  context.unattended = is_unattended(context, issuer)
  context.metadata, err, code = discovery.server(issuer, context.server, context.unattended)
  if not context.metadata and context.resource.assumed and code == "bad_metadata" then
    return fail("no_login", "%s requires a token but names no authorization server (it has neither RFC 9728 metadata nor that "
      .. "of an authorization server). Ask its owner for a token and pass it with --token TOKEN, or as the header Authorization "
      .. "in mcpServers", context.options.url)
  end
  if not context.metadata then return nil, err, code end
  context.key = store.key(context.resource.resource, issuer)
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


--- The scopes of this challenge were asked for already, and the token that came of it was refused.
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


--- A token that helps against this answer of the server. Waits for a person if it may, so not inside a deadline.
---@param options oauth.Options
---@param met oauth.Challenge
---@return string? access
---@return string? err
---@return string? code  "login_required", "forbidden", "insufficient_scope", "timeout", ... of the files below
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


--- Logs in anew, whatever is kept.
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


--- What sys.mcp wants as `authorize`.
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


--- A spec of sys.mcp for a server over HTTP gets the token that is kept, and a way to others; one that brings a token or an
--- Authorization header of its own stays as it is.
---@param spec sys.mcp.Spec
---@param options? oauth.Options  default: nobody is asked; a server that wants a login fails with "login_required"
---@return sys.mcp.Spec spec
function oauth.equip(spec, options)
  if not spec.url or spec.url:find "^unix:" or brings_its_own(spec) then return spec end -- a socket's file says who may
  local own = { url = spec.url }
  for key, value in pairs(options or {}) do own[key] = value end
  spec.token = oauth.token(spec.url)
  spec.authorize = oauth.authorizer(own)
  return spec
end


-- --- what is kept -----------------------------------------------------------------------------------------------------------

--- The token to begin with; nil alone when there is none. One that is over is given too: refusing it begins a refresh.
---@param address string
---@return string? access
function oauth.token(address)
  local server = url.parse(address)
  local stored = server and url.is_secure(server) and store.read()
  local record = stored and store.token_for(stored, url.text(server))
  return record and record.access or nil
end


---@return oauth.Token[]? tokens  by resource; for showing: without secrets
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


--- Forgets the tokens for a server, and tells who gave them.
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


--- Forgets everything: tokens and clients.
---@return true? ok
---@return string? err
---@return string? code
function oauth.logout_all()
  return store.clear()
end

return oauth
