--- The user's Gmail account: its tokens, stored as secrets and renewed as long as Google allows, and the login after that.
--
-- Google ends refresh tokens of an app in "testing" after seven days, and others when the user withdraws them. Then the user
-- has to log in at once, through the client's browser or on the terminal, and the call goes on.

local browser   = require "browser"
local client    = require "mail.gmail.client"
local crypto    = require "sys.crypto"
local file_lock = require "file_lock"
local flow      = require "oauth.flow"
local json      = require "sys.json"
local scope     = require "oauth.scope"
local secrets   = require "sys.secrets"
local task      = require "sys.task"
local time      = require "sys.time"
local token     = require "oauth.token"
local url       = require "oauth.url"

local M = {}

local NAME = "gmail"
local EARLY = 30          -- seconds before its end at which a token counts as expired
local PATIENCE = 60       -- seconds to wait while another program renews it
local LOGIN_SECONDS = 300

local GOOGLE = "https://www.googleapis.com/auth/gmail."
M.SEND, M.COMPOSE, M.READ = GOOGLE .. "send", GOOGLE .. "compose", GOOGLE .. "readonly"
M.SMTP = "https://mail.google.com/"   -- all of Gmail: what XOAUTH2 requires

-- The wider scopes that include a scope.
local WIDER = {
  [M.SEND] = { M.COMPOSE, GOOGLE .. "modify", M.SMTP }, [M.COMPOSE] = { GOOGLE .. "modify", M.SMTP },
  [M.READ] = { GOOGLE .. "modify", M.SMTP }, [M.SMTP] = {},
}

---@class mail.gmail.Kept
---@field client mail.gmail.Client
---@field access? string
---@field expires? number   seconds since 1970
---@field refresh? string
---@field granted string    the granted scopes
---@field lost? string      the scopes of a login that Google ended

local function fail(code, text, ...) return nil, text:format(...), code end


-- --- the stored tokens ------------------------------------------------------------------------------

local function hide(stored)
  for _, text in pairs { stored.access or false, stored.refresh or false, stored.client.secret or false } do
    if text then secrets.hide(text) end
  end
  return stored
end


local function read_stored()
  local bytes, err, code = secrets.read(NAME)
  if not bytes then
    if code == "not_found" then return false end
    return nil, err, code
  end
  local stored = json.decode(bytes)
  if type(stored) ~= "table" or type(stored.client) ~= "table" or type(stored.granted) ~= "string" then
    return fail("damaged", "the stored Gmail login is damaged. Run `perigee logout gmail`, then `perigee login gmail`")
  end
  return hide(stored)
end


local function write_stored(stored) return secrets.write(NAME, stored and json.encode(hide(stored)) or nil) end


local function is_same(a, b) return a.id == b.id and a.auth == b.auth and a.token == b.token end


--- Returns the stored tokens of the client that the files name now. A token.json is used if no tokens are stored, and a file in
--- the working directory if there is no login. A token goes only to the server that issued it.
---@return mail.gmail.Kept? kept
---@return string? err
---@return string? code  "no_client", ...
local function current()
  local stored, err, code = read_stored()
  if stored == nil then return nil, err, code end
  local found
  found, err, code = client.find()
  if code then return nil, err, code end
  if not found and not stored then
    return fail("no_client", "Gmail is not set up: there is no %s. docs/mail.md says how to get the file from the Google Cloud "
      .. "console; then run `perigee login gmail`", client.wanted())
  end
  if stored and (not found or is_same(stored.client, found.client)) then
    if found then stored.client = found.client end
    return stored
  end
  local given = found.token or {}
  return { client = found.client, refresh = given.refresh, granted = given.granted or "" }
end


---@param granted string
---@param wanted string
---@return boolean
function M.covers(granted, wanted)
  if scope.within(wanted, granted) then return true end
  for _, wider in ipairs(WIDER[wanted] or {}) do
    if scope.within(wider, granted) then return true end
  end
  return false
end


-- --- renewing ---------------------------------------------------------------------------------------

local function metadata_of(who)
  return {
    issuer = url.parse(who.auth).origin, token_endpoint = who.token,
    authorization_endpoint = url.with(who.auth, { { "access_type", "offline" }, { "prompt", "consent" },
      { "include_granted_scopes", "true" } }),
  }
end


local function updated(stored, got, wanted)
  stored.access, stored.expires = got.access, got.expires
  stored.refresh = got.refresh or stored.refresh
  stored.granted, stored.lost = got.granted or wanted or stored.granted, nil
  return stored
end


local function is_fresh(stored) return stored.access and not (stored.expires and stored.expires < time.now() + EARLY) end


--- Returns, under the lock, a usable access token without asking the user. false: a login is needed, and the reason.
---@param refused? string  an access token that Google refused
---@return mail.gmail.Kept|false|nil kept
---@return string? err
---@return string? code
local function renew(wanted, refused)
  local held_here <close> = task.lock "gmail"
  local there <close>, busy, busy_code = file_lock.hold(NAME, PATIENCE)
  if not there then return nil, busy, busy_code end
  local stored, err, code = current()
  if not stored then return nil, err, code end
  if not M.covers(stored.granted, wanted) then
    return false, stored.granted == "" and "you have not logged in yet" or "it needs a permission that you have not given yet"
  end
  if is_fresh(stored) and stored.access ~= refused then return stored end
  if not stored.refresh then return false, "there is no login that can be renewed" end
  local got
  got, err, code = token.refresh(metadata_of(stored.client), stored)
  if code == "invalid_grant" then
    stored.lost, stored.granted = scope.union(stored.lost, stored.granted), ""
    stored.access, stored.refresh, stored.expires = nil, nil, nil
    local ok
    ok, err, code = write_stored(stored)
    if not ok then return nil, err, code end
    return false, "Google ended the last login (for apps in testing it does so after seven days)"
  end
  if not got then return nil, err, code end
  local ok
  ok, err, code = write_stored(updated(stored, got))
  if not ok then return nil, err, code end
  return stored
end


-- --- logging in -------------------------------------------------------------------------------------

--- Shows the page through the client. If a call starts again (docs/resources.md), the page is another one, and the earlier
--- answer does not apply to it.
local function opener(call, why, landing, told)
  local key = "gmail_login_" .. crypto.hex(crypto.random(8))
  return function(address)
    local message = ("Perigee needs you to log in to Gmail: %s. Open this page."):format(why)
    local ok, err, code = call:ask { key = key, url = address, message = message, timeout = LOGIN_SECONDS }
    if not ok then
      told.err, told.code = err, code
      landing.listener:close()
    end
    return true
  end
end


local function log_in(stored, scopes, open, landing)
  local got, err, code = flow.run({
    server = { host = "Gmail" }, metadata = metadata_of(stored.client), client = stored.client, scope = scopes, landing = landing,
  }, { open = open, say = function() end, timeout = LOGIN_SECONDS })
  if not got then return nil, err, code end
  return got
end


local function keep_login(got, wanted)
  local held_here <close> = task.lock "gmail"
  local there <close>, err, code = file_lock.hold(NAME, PATIENCE)
  if not there then return nil, err, code end
  local stored
  stored, err, code = current()
  if not stored then return nil, err, code end
  updated(stored, got, wanted)
  local ok
  ok, err, code = write_stored(stored)
  if not ok then return nil, err, code end
  return stored
end


---@param scopes string
---@param make_open fun(landing: oauth.Landing): fun(address: string): true?, string?
local function login_with(scopes, make_open)
  local stored, err, code = current()
  if not stored then return nil, err, code end
  local wanted = scope.union(stored.granted, stored.lost, scopes)   -- scopes that were granted before are kept
  local landing
  landing, err, code = flow.land()
  if not landing then return nil, err, code end
  local held <close> = landing.listener
  local got
  got, err, code = log_in(stored, wanted, make_open(landing), landing)
  if not got then return nil, err, code end
  return keep_login(got, wanted)
end


local function login_by_call(call, wanted, why)
  local told = {}
  local stored, err, code = login_with(wanted, function(landing) return opener(call, why, landing, told) end)
  if stored then return stored end
  if told.code == "declined" or told.code == "dismissed" then
    return fail("login_declined", "the user did not log in to Gmail (%s)", why)
  end
  if told.code then
    return fail("login_required", "Gmail requires a login: %s. The client cannot show its page (%s). Ask the user to run "
      .. "`perigee login gmail`, then call again", why, told.err)
  end
  return nil, err, code
end


--- Returns an access token for this scope. It may ask the user to log in, so the caller must hold no lock.
---@param call Call
---@param wanted string     the scope
---@param refused? string   an access token that Google refused
---@return string? access
---@return string? err
---@return string? code  "login_required", "login_declined", "missing_scope", "no_client", those of the OAuth flow
function M.access(call, wanted, refused)
  local stored, err, code = renew(wanted, refused)
  if stored then return stored.access end
  if stored == nil then return nil, err, code end
  stored, err, code = login_by_call(call, wanted, err)
  if not stored then return nil, err, code end
  if not M.covers(stored.granted, wanted) then
    return fail("missing_scope", "Google's page did not get your permission for %s. Call again, and tick its box", wanted)
  end
  return stored.access
end


--- Does the same without asking the user; nil alone means that a login is needed.
---@param wanted string
---@return string? access
---@return string? err
---@return string? code
function M.quiet_access(wanted)
  local stored, err, code = renew(wanted)
  if stored then return stored.access end
  if stored == nil then return nil, err, code end
end


--- Reports how far the account is set up, without asking Google.
---@return "no_client"|"no_login"|"kept"|nil status
---@return string? err
---@return string? code
function M.status()
  local stored, err, code = current()
  if code == "no_client" then return code end
  if not stored then return nil, err, code end
  return stored.refresh and "kept" or "no_login"
end


--- Logs in, for `perigee login gmail`.
---@param options {scopes: string, no_browser?: boolean, print: fun(text: string)}
---@return true? ok
---@return string? err
---@return string? code
function M.login(options)
  local stored, err, code = login_with(options.scopes, function()
    return function(address)
      local ok = not options.no_browser and browser.open(address)
      options.print((ok and "The browser is open; log in there. If it is not, open this:\n"
        or "Open this URL in a browser on this machine:\n") .. address)
      return true
    end
  end)
  if not stored then return nil, err, code end
  options.print("Logged in to Gmail; may " .. stored.granted .. ".")
  return true
end


--- Removes the stored login.
---@return true? ok
---@return string? err
---@return string? code
function M.logout()
  local held_here <close> = task.lock "gmail"
  local there <close>, err, code = file_lock.hold(NAME, PATIENCE)
  if not there then return nil, err, code end
  return write_stored(nil)
end


return M
