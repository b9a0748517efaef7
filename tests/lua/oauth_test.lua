#!/usr/bin/env tests/lua/run
--- lib/oauth against tests/lib/oauth_double.py, which plays the MCP server and its authorization servers.
local http    = require "sys.http"
local json    = require "sys.json"
local oauth   = require "oauth"
local process = require "sys.process"
local secrets = require "sys.secrets"
local t       = require "check"
local task    = require "sys.task"
local url     = require "oauth.url"

local double <close> = assert(process.start {
  "python3", "tests/lib/oauth_double.py", env = { NO_PROXY = "127.0.0.1", no_proxy = "127.0.0.1" },
})
local base = "http://127.0.0.1:" .. assert(double:read_line())
local mcp = base .. "/mcp"
local opened, said

--- A person who says yes at once: what a browser does with the address.
local function browse(address)
  opened[#opened + 1] = url.decode(url.parse(address).query)
  local page = assert(http.request { url = address })
  opened.page, opened.status = page.body, page.status
  return true
end

local function world(settings)
  if not settings.keep then
    oauth.logout_all()
    opened, said = {}, {}
  end
  t.same(assert(http.request { url = base .. "/control", json = settings }).status, 204)
end

local function log(path)
  local found = {}
  for _, entry in ipairs(json.decode(http.request { url = base .. "/log" }.body)) do
    if not path or entry.path == path then found[#found + 1] = entry end
  end
  return found
end

local function paths()
  local list = {}
  for i, entry in ipairs(log()) do list[i] = entry.path end
  return list
end

local function options(more)
  local o = { url = mcp, interactive = true, open = browse, say = function(text) said[#said + 1] = text end, timeout = 30 }
  for key, value in pairs(more or {}) do o[key] = value end
  return o
end

--- Does as the HTTP client does: asks, and once for each status asks again with the token it is given.
local function call(method, more, token)
  local tried = {}
  token = token or oauth.token(mcp)
  while true do
    local r = assert(http.request {
      url = mcp, headers = { Authorization = token and "Bearer " .. token or nil }, json = { method = method },
    })
    if (r.status ~= 401 and r.status ~= 403) or tried[r.status] then return r, token end
    tried[r.status] = true
    local err, code
    token, err, code = oauth.authorize(options(more), { status = r.status, header = r.headers["www-authenticate"], token = token })
    if not token then return nil, err, code end
  end
end

local function works(method, more)
  local r, err = call(method or "tools/list", more)
  t.ok(r, err)
  t.same(r.status, 200)
  return json.decode(r.body)
end

local function fails(code, pattern, more)
  local r, err, got = call("tools/list", more)
  t.same({ r, got }, { nil, code }, err)
  t.match(err, pattern)
end

t.case("the whole way: discovery, registration, browser, code, token", function()
  world {}
  works()
  t.same(paths(), { "/mcp", "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server", "/register",
    "/authorize", "/token", "/mcp" })
  local client = log("/register")[1].json
  t.same({ client.client_name, client.application_type, client.grant_types, client.response_types, client.token_endpoint_auth_method },
    { "Perigee", "native", { "authorization_code", "refresh_token" }, { "code" }, "none" })
  t.match(client.redirect_uris[1], "^http://127%.0%.0%.1:%d+/callback$")
  local asked, form = opened[1], log("/token")[1].form
  t.same({ asked.resource, asked.redirect_uri, asked.scope }, { mcp, client.redirect_uris[1], nil })
  t.same({ form.resource, form.redirect_uri, form.client_secret }, { mcp, client.redirect_uris[1], nil })
  t.same({ #asked.state, #form.code_verifier }, { 43, 43 })
  t.same(opened.status, 200)
  t.match(opened.page, "You are logged in")
end)

t.case("as the hook of sys.mcp", function()
  world {}
  local authorize = oauth.authorizer(options())
  local token = assert(authorize { status = 401, challenge = "Bearer", url = mcp })
  t.same(token, oauth.token(mcp))
  t.same(select(3, authorize { status = 403, challenge = "Bearer", url = mcp, token = token }), "forbidden")
end)

t.case("a spec of sys.mcp is equipped, unless it brings its own", function()
  world {}
  works()
  local spec = oauth.equip { url = mcp }
  t.same({ spec.token, type(spec.authorize) }, { oauth.token(mcp), "function" })
  t.same(select(3, oauth.equip({ url = base .. "/other" }).authorize { status = 401, challenge = "", url = mcp }), "login_required")
  t.same(oauth.equip { command = "x" }, { command = "x" })
  t.same(oauth.equip { url = mcp, headers = { authorization = "x" } }.authorize, nil)
end)

t.case("a stored token serves the next run, and calls at the same time share one login", function()
  world {}
  local codes = task.map({ 1, 2, 3, 4 }, function() return call("tools/list").status end)
  t.same(codes, { 200, 200, 200, 200, n = 4 })
  t.same({ #opened, #log "/register" }, { 1, 1 })
  works()
  t.same(#opened, 1)
end)

t.case("metadata is found where the revisions say, in their order", function()
  world { named = false }
  works()
  t.same(paths()[2], "/.well-known/oauth-protected-resource/mcp")
  world { named = false, resource_at = "/.well-known/oauth-protected-resource", issuers = { "/tenant1" } }
  works()
  t.same({ table.unpack(paths(), 2, 4) }, { "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-authorization-server/tenant1" })
  t.same(opened[1].resource, base, "the resource is what its metadata says")
  world { resource_at = "/custom/place.json", issuers = { "/tenant1" }, server_at = "/tenant1/.well-known/openid-configuration" }
  works()
  t.same({ table.unpack(paths(), 2, 5) }, { "/custom/place.json", "/.well-known/oauth-authorization-server/tenant1",
    "/.well-known/openid-configuration/tenant1", "/tenant1/.well-known/openid-configuration" })
  world { server_at = "/.well-known/openid-configuration" }
  works()
end)

t.case("a server without metadata is asked at its own host, as in 2025-03-26", function()
  world { resource_at = "", named = false }
  works()
  t.same(opened[1].resource, mcp)
end)

t.case("metadata that says what it should not is refused before anybody is asked", function()
  local cases = {
    { "resource_mismatch", "describes https://evil%.example/mcp", { resource = { resource = "https://evil.example/mcp" } } },
    { "resource_mismatch", "so no token was requested", { resource = { resource = base .. "/mcp/other" } } },
    { "bad_metadata", "does not name an authorization server", { resource = { authorization_servers = json.array() } } },
    { "bad_metadata", "does not name a resource", { resource = { resource = 7 } } },
    { "not_secure", "not https", { resource = { authorization_servers = { "http://evil.example" } } } },
    { "not_secure", "not an http", { resource = { authorization_servers = { "file:///etc/passwd" } } } },
    { "issuer_mismatch", "names its issuer \"https://attacker%.example\"", { server = { issuer = "https://attacker.example" } } },
    { "issuer_mismatch", "including the final slash of a path", { issuers = { "/a" }, server = { issuer = base .. "/a/" } } },
    { "issuer_mismatch", "names its issuer", { server = { issuer = base .. "//" } } },
    { "issuer_mismatch", "names its issuer", { server = { issuer = base .. "/?" } } },
    { "issuer_mismatch", "names its issuer", { server = { issuer = base:gsub("^http", "HTTP") .. "/" } } },
    { "no_pkce", "PKCE", { server = { code_challenge_methods_supported = json.null } } },
    { "no_pkce", "PKCE", { server = { code_challenge_methods_supported = { "plain" } } } },
    { "not_secure", "the token_endpoint", { server = { token_endpoint = "http://evil.example/token" } } },
    { "bad_metadata", "no authorization_endpoint", { server = { authorization_endpoint = json.null } } },
    { "bad_metadata", "no authorization server metadata", { server_at = "/nowhere" } },
    { "bad_metadata", "does not issue authorization codes", { server = { response_types_supported = { "token" } } } },
    { "server_failed", "status 503", { status = { ["/.well-known/oauth-authorization-server"] = 503 } } },
    { "too_many_redirects", "redirects more than 3",
      { redirects = { ["/.well-known/oauth-authorization-server"] = "/.well-known/oauth-authorization-server" } } },
    { "not_secure", "not https", { redirects = { ["/.well-known/oauth-authorization-server"] = "http://evil.example/" } } },
  }
  for _, case in ipairs(cases) do
    world(case[3])
    fails(case[1], case[2])
    t.same({ #log "/register", #log "/authorize", #log "/token" }, { 0, 0, 0 }, case[2])
  end
end)

t.case("an issuer without a path is the same with and without a slash, also for what is stored", function()
  for _, names in ipairs { { base .. "/", base }, { base, base .. "/" } } do
    -- The answer in the browser names the issuer as the metadata does, not as the resource does (RFC 9207).
    world { resource = { authorization_servers = { names[1] } }, server = { issuer = names[2] },
      iss = names[2] == base and "right" or "slash" }
    works()
    t.same(oauth.list()[1].issuer, names[2])
    works()
    t.same({ #opened, #log "/register" }, { 1, 1 })
  end
end)

t.case("a second authorization server is tried when the first has no metadata", function()
  world { issuers = { "/bad", "/good" }, status = { ["/.well-known/oauth-authorization-server/bad"] = 404,
    ["/.well-known/openid-configuration/bad"] = 404, ["/bad/.well-known/openid-configuration"] = 404 } }
  works()
  t.same(oauth.list()[1].issuer, base .. "/good")
  works()
  t.same(#opened, 1)
  world { issuers = { "/bad", "/good" }, status = { ["/.well-known/oauth-authorization-server/bad"] = 503 } }
  works()
  t.same(oauth.list()[1].issuer, base .. "/good")
  -- The one that issued our token is down: no login at the other one.
  world { keep = true, only_newest = true, status = { ["/.well-known/oauth-authorization-server/good"] = 503 } }
  local token = oauth.token(mcp)
  t.same(select(3, oauth.authorize(options(), { status = 401, header = "Bearer", token = token })), "server_failed")
  world { issuers = { "/bad", "/worse" }, server = { token_endpoint = json.null } }
  fails("bad_metadata", "/bad has no token_endpoint")
end)

t.case("metadata that the user names takes the place of what the server names", function()
  world { issuers = { "/mine" }, resource = { authorization_servers = { base .. "/nowhere" } } }
  fails("bad_metadata", "/nowhere has no authorization server metadata")
  works(nil, { metadata = base .. "/.well-known/oauth-authorization-server/mine" })
  t.same(oauth.list()[1].issuer, base .. "/mine")
  world { issuers = { "/mine" }, resource = { resource = "https://elsewhere.example" } }
  works(nil, { metadata = base .. "/.well-known/oauth-authorization-server/mine" })
  world {}
  fails("not_secure", "authServerMetadataUrl in mcp.json cannot be used", { metadata = "http://evil.example/m" })
  local spec = oauth.equip({ url = mcp, login_metadata = base .. "/none" }, { interactive = true, open = browse })
  local _, err = spec.authorize { status = 401, challenge = "Bearer", url = mcp }
  t.match(err, "/none has no authorization server metadata%. Correct authServerMetadataUrl")
end)

t.case("a server elsewhere cannot send us to this machine", function()
  local fetch = require "oauth.fetch"
  local far = url.parse "https://far.example/mcp"
  for _, address in ipairs { mcp, "https://localhost/x", "https://127.1.2.3", "https://0.0.0.0/x", "https://2130706433/x",
    "https://0x7f.0.0.1/x", "https://127.1/x", "https://[::1]/x", "https://[::ffff:127.0.0.1]/x", "https://[::ffff:7f00:1]/x",
    "https://[::]/x", "https://10.0.0.1/x", "https://192.168.1.1/x", "https://172.16.0.1/x", "https://169.254.169.254/latest",
    "https://[::ffff:0:127.0.0.1]/x", "https://[64:ff9b:1::7f00:1]/x", "https://198.18.0.1/x",
    "https://[fe80::1]/x", "https://[fd00::1]/x", "https://a.localhost/x", "https://localhost./x" } do
    t.same(select(3, fetch.document(address, far)), "not_secure", address)
  end
  t.same(select(3, oauth.authorize(options { url = "http://example.com/mcp" }, { status = 401 })), "not_secure")
end)

t.case("redirects of metadata are followed", function()
  world { server_at = "/moved", redirects = { ["/.well-known/oauth-authorization-server"] = base .. "/moved" } }
  works()
end)

t.case("each way for a client to prove itself", function()
  for _, method in ipairs { "none", "client_secret_basic", "client_secret_post" } do
    world { methods = { method } }
    works()
    local request = log("/token")[1]
    t.same({ log("/register")[1].json.token_endpoint_auth_method, request.authorization:sub(1, 6), request.form.client_secret ~= nil,
      request.form.client_id ~= nil },
      { method, method == "client_secret_basic" and "Basic " or "", method == "client_secret_post", method ~= "client_secret_basic" })
  end
end)

t.case("a client that was given is used, is remembered, and is never shown to another server", function()
  world { registers = false, known = { ours = "top secret" }, methods = { "client_secret_basic" }, issuers = { "/a" } }
  fails("no_client_id", "%-%-client%-id")
  works("tools/list", { client_id = "ours", client_secret = "top secret" })
  oauth.logout(mcp)
  works()
  world { keep = true, issuers = { "/b" }, only_newest = true }
  oauth.logout(mcp)
  fails("issuer_changed", "the client ID ours belongs to http://127%.0%.0%.1:%d+/a", { client_id = "ours", client_secret = "top secret" })
  t.same(#log "/b/authorize", 0)
  works("tools/list", { client_id = "ours", client_secret = "top secret", rebind = true })
end)

t.case("a client with a secret needs no browser, also when its token is over", function()
  local ours = { interactive = false, unattended = true, client_id = "ours", client_secret = "top secret" }
  world { registers = false, known = { ours = "top secret" }, methods = { "client_secret_basic" }, only_newest = true,
    challenge = 'scope="read"', needs = { ["tools/call"] = { "write" }, ["*"] = { "read" } },
    server = { authorization_endpoint = json.null, code_challenge_methods_supported = json.null,
               response_types_supported = json.null, scopes_supported = { "offline_access" } } }
  local _, first = call("tools/list", ours)
  local form = log("/token")[1].form
  t.same({ form.grant_type, form.resource, form.scope, form.client_secret, #opened },
    { "client_credentials", mcp, "read", nil, 0 })
  t.same({ oauth.list()[1].renews, oauth.list()[1].client.id }, { true, "ours" })
  local second = assert(oauth.authorize(options { interactive = false }, { status = 401, token = first }))
  t.ok(second ~= first, "what is kept of the client is enough")
  t.same(works("tools/call", { interactive = false }).scopes, { "read", "write" })
  t.same({ #opened, oauth.logout(mcp), #log "/revoke" }, { 0, 1, 1 })
end)

t.case("a client that gets no token by its secret is told why", function()
  local ours = { interactive = false, unattended = true, client_id = "ours", client_secret = "top secret" }
  local settings = { registers = false, known = { ours = "top secret" }, methods = { "client_secret_basic" } }
  world(settings)
  fails("invalid_client", "wrong secret%. If the secret has changed, run `perigee login %-%-client%-credentials",
    { interactive = false, unattended = true, client_id = "ours", client_secret = "guess" })
  fails("no_secret", "%-%-client%-secret%-file", { unattended = true, client_id = "ours", interactive = false })
  settings.server = { grant_types_supported = { "authorization_code" } }
  world(settings)
  fails("no_grant", "Log in without %-%-client%-credentials", ours)
  t.same({ #opened, #log "/token" }, { 0, 0 })
end)

t.case("a metadata document is our name where that is understood", function()
  local document = "https://example.com/perigee.json"
  world { server = { client_id_metadata_document_supported = true } }
  works("tools/list", { client_document = document })
  t.same({ opened[1].client_id, #log "/register", log("/token")[1].form.client_id }, { document, 0, document })
  world {}
  works("tools/list", { client_document = document })
  t.same({ #log "/register", opened[1].client_id ~= document }, { 1, true })
end)

t.case("a registration that is refused says why, and what to do", function()
  world { register_status = 400 }
  fails("not_registered", "loopback is not allowed%. Ask its owner for a client ID")
end)

t.case("scopes: the challenge's, else all that are listed, else none", function()
  world { challenge = 'scope="mcp:basic"', resource = { scopes_supported = { "x", "y" } } }
  works()
  t.same(opened[1].scope, "mcp:basic")
  world { resource = { scopes_supported = { "x", "y" } } }
  works()
  t.same(opened[1].scope, "x y")
  world { resource = { scopes_supported = { "x" } }, server = { scopes_supported = { "x", "offline_access" } } }
  works()
  t.same({ opened[1].scope, opened[1].prompt }, { "x offline_access", "consent" })
end)

t.case("a permission that is missing is asked for once, together with the others", function()
  world { challenge = 'scope="read"', needs = { ["tools/call"] = { "write" }, ["*"] = { "read" } } }
  works "tools/list"
  t.same(works("tools/call").scopes, { "read", "write" })
  t.same({ opened[1].scope, opened[2].scope, #opened }, { "read", "read write", 2 })
  works "tools/list"
  t.same(#opened, 2)
end)

t.case("a permission that never comes ends it", function()
  world { challenge = 'scope="admin"', needs = { ["*"] = { "admin" } }, grants = { "less" } }
  fails("insufficient_scope", "requires the scope \"admin\".*perigee logout")
  t.same(#opened, 1)
end)

t.case("a 403 that is about no permission asks for nothing", function()
  world {}
  t.same({ select(3, oauth.authorize(options(), { status = 403, header = "Bearer", token = "x" })) }, { "forbidden" })
  t.same({ #log(), #opened }, { 0, 0 })
end)

t.case("a token that is over is renewed without a browser, and the refresh token is replaced", function()
  world { expires_in = 0, only_newest = true }
  local _, first = call "tools/list"
  local _, second = call("tools/list", { interactive = false }, "at-old")
  local _, third = call("tools/list", { interactive = false }, "at-older")
  t.same({ #opened, first ~= second, second ~= third }, { 1, true, true })
  local used = {}
  for _, request in ipairs(log "/token") do used[#used + 1] = request.form.refresh_token end
  t.same({ #used, used[1] ~= used[2] }, { 2, true })
  t.same(log("/token")[2].form.resource, mcp)
end)

t.case("two programs that renew at once do not spoil each other's token", function()
  world { only_newest = true }
  local _, token = call "tools/list"
  world { keep = true, only_newest = true }
  http.request { url = base .. "/control", json = { keep = true } }
  local tokens = task.map({ 1, 2, 3 }, function()
    return (oauth.authorize(options { interactive = false }, { status = 401, header = "Bearer", token = token }))
  end)
  t.same({ tokens[1] ~= token, tokens[2], tokens[3] }, { true, tokens[1], tokens[1] })
  t.same(#log "/token", 2)
end)

t.case("a refresh token that is refused leads to the browser, and a server that is down does not", function()
  world { expires_in = 0 }
  works()
  world { keep = true, token_status = 503 }
  local _, err, code = oauth.authorize(options(), { status = 401, header = "Bearer", token = oauth.token(mcp) })
  t.same(code, "temporarily_unavailable", err)
  t.same(#opened, 1)
  world { keep = true, token_status = 200, known = {} }
  local kept = json.decode(secrets.read "oauth")
  for _, token in pairs(kept.tokens) do token.refresh = "rt-stale" end
  secrets.write("oauth", json.encode(kept))
  t.ok(oauth.authorize(options(), { status = 401, header = "Bearer", token = oauth.token(mcp) }))
  t.same(#opened, 2)
end)

t.case("a program that cannot open a browser is told what to run", function()
  world {}
  fails("login_required", "Run `perigee login http://127%.0%.0%.1:%d+/mcp`", { interactive = false })
  t.same({ #log "/register", #log "/authorize" }, { 0, 0 })
end)

t.case("the answer has to come from the server that was asked (RFC 9207)", function()
  world { iss = "none" }
  works()
  world { iss = "right", server = { authorization_response_iss_parameter_supported = json.null } }
  works()
  for iss, code in pairs { wrong = "issuer_mismatch", slash = "issuer_mismatch" } do
    for _, promised in ipairs { true, json.null } do
      world { iss = iss, server = { authorization_response_iss_parameter_supported = promised } }
      fails(code, "instead of http://127%.0%.0%.1:%d+")
      t.same({ #log "/authorize", #log "/token", opened.status }, { 1, 0, 400 })
    end
  end
  world { iss = "none", server = { authorization_response_iss_parameter_supported = true } }
  fails("issuer_missing", "lacks the issuer")
  t.same(#log "/token", 0)
  world { iss = "wrong", deny = "access_denied" }
  fails("issuer_mismatch", "the response came from https://evil%.example")
end)

t.case("a person who says no is told so, by the page and by the program", function()
  world { deny = "access_denied" }
  fails("access_denied", "refused the login: access_denied, a person said <no>")
  t.same(opened.status, 400)
  t.match(opened.page, "a person said &lt;no&gt;")
end)

t.case("a visit that does not know the state is turned away, and the login goes on", function()
  world {}
  works("tools/list", { open = function(address)
    local redirect = url.decode(url.parse(address).query).redirect_uri
    t.same(http.request { url = redirect .. "?code=stolen&state=guess" }.status, 400)
    t.same(http.request { url = redirect .. "?code=stolen" }.status, 400)
    t.same(http.request { url = redirect .. "?code=a&code=b&state=x" }.status, 400)
    t.same(http.request { url = redirect:gsub("/callback", "/favicon.ico") }.status, 404)
    return browse(address)
  end })
  t.same(#log "/token", 1)
end)

t.case("a login that nobody finishes ends in time", function()
  world {}
  fails("timeout", "the login in the browser was not finished in time", { open = function() return nil, "no display" end, timeout = 0.2 })
  t.match(said[1], "^Open this URL in a browser on this machine %(no display%):\nhttp://127")
end)

t.case("another authorization server: registers there, takes nothing along", function()
  world { issuers = { "/one" }, challenge = 'scope="mcp:basic"' }
  works()
  local first = log("/one/token")[1].form.client_id
  world { keep = true, issuers = { "/two" } }
  t.ok(oauth.authorize(options(), { status = 401, header = "Bearer", token = oauth.token(mcp) }))
  t.same({ #log "/two/register", log("/two/authorize")[1].query.client_id ~= first, #log "/one/token" }, { 1, true, 1 })
  t.same({ #oauth.list(), oauth.list()[1].issuer }, { 1, base .. "/two" })
end)

t.case("a token of another kind, and an answer without one, are refused", function()
  for _, change in ipairs { { token_type = "DPoP" }, { token_type = json.null }, { access_token = json.null }, { access_token = "a b" },
    { access_token = "a\r\nX: y" } } do
    world { token = change }
    local _, _, code = call "tools/list"
    t.same(code, "no_token")
  end
end)

t.case("stored tokens are private, listed without secrets, and can be given up", function()
  world {}
  works()
  local list = oauth.list()
  t.same({ #list, list[1].resource, list[1].issuer, list[1].renews, list[1].access, list[1].refresh },
    { 1, mcp, base, true, nil, nil })
  t.same(oauth.logout(mcp), 1)
  t.same(#log "/revoke", 1)
  t.match(log("/revoke")[1].form.token, "^rt%-")
  t.same({ oauth.logout(mcp), #oauth.list(), oauth.token(mcp) }, { 0, 0, nil })
  oauth.logout_all()
  t.same(select(3, secrets.read "oauth"), "not_found")
end)

t.case("a registered client comes back to the port it named; when that is taken, it registers anew", function()
  world {}
  works()
  local redirect = opened[1].redirect_uri
  oauth.logout(mcp)
  works()
  t.same({ opened[2].redirect_uri, #log "/register" }, { redirect, 1 })
  oauth.logout(mcp)
  local held <close> = assert(require("sys.loopback").listen(url.parse(redirect).port))
  works()
  t.same({ opened[3].redirect_uri ~= redirect, #log "/register" }, { true, 2 })
end)

t.case("the redirect address can be chosen, on this machine", function()
  world {}
  works("tools/list", { redirect = "http://localhost/signed/in" })
  t.match(opened[1].redirect_uri, "^http://localhost:%d+/signed/in$")
  world {}
  fails("bad_redirect", "not http on this machine", { redirect = "http://evil.example/x" })
  fails("bad_redirect", "not http on this machine", { redirect = "https://127.0.0.1/x" })
end)

t.done()
