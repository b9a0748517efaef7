--- The authorization code flow with PKCE: opens the browser, receives its visit on 127.0.0.1, and exchanges the code for a
-- token.

local crypto   = require "sys.crypto"
local fetch    = require "oauth.fetch"
local loopback = require "sys.loopback"
local page     = require "oauth.page"
local scope    = require "oauth.scope"
local secrets  = require "sys.secrets"
local task     = require "sys.task"
local time     = require "sys.time"
local token    = require "oauth.token"
local url      = require "oauth.url"

local M = {}

local PATH = "/callback"


local function fail(code, text, ...) return nil, text:format(...), code end


---@class oauth.Landing
---@field listener sys.loopback.Listener
---@field redirect string
---@field path     string

--- Listens where the browser will return: at the wanted redirect URL (at any port, if it names none), or at that of an earlier
--- registration, or at any port of 127.0.0.1.
---@param wanted? string
---@param earlier? string
---@return oauth.Landing? landing
---@return string? err
---@return string? code  "bad_redirect", "address_in_use"
function M.land(wanted, earlier)
  local address = url.parse(wanted or earlier)
  if wanted and not (address and address.scheme == "http" and url.is_loopback(address) and not address.query) then
    return fail("bad_redirect", "the redirect URL %s is not http on this machine. Use http://127.0.0.1:PORT", wanted)
  end
  local port = (wanted or earlier or ""):match "^http://[^/]*:%d+" and address.port or nil
  local listener, err, code = loopback.listen(port)
  if not listener and not wanted and code == "address_in_use" then
    address = nil
    listener, err, code = loopback.listen()
  end
  if not listener then return nil, err, code end
  local path = address and address.path ~= "" and address.path or PATH
  return {
    listener = listener, path = path,
    redirect = ("http://%s:%d%s"):format(address and address.host or "127.0.0.1", listener:port(), path),
  }
end


local function unguessable()
  return crypto.base64url(crypto.random(32))
end


---@class oauth.Attempt
---@field server   oauth.Url
---@field metadata table
---@field client   oauth.Client
---@field resource string
---@field scope?   string
---@field landing  oauth.Landing
---@field verifier string
---@field state    string

--- Returns the URL that the browser opens.
---@param attempt oauth.Attempt
---@return string? address
---@return string? err
---@return string? code
function M.address(attempt)
  local digest, err, code = crypto.sha256(attempt.verifier)
  if not digest then return nil, err, code end
  local lasting = scope.within("offline_access", attempt.scope)
  return url.with(attempt.metadata.authorization_endpoint, {
    { "response_type", "code" }, { "client_id", attempt.client.id }, { "redirect_uri", attempt.landing.redirect },
    { "code_challenge", crypto.base64url(digest) }, { "code_challenge_method", "S256" }, { "state", attempt.state },
    { "scope", attempt.scope }, { "resource", attempt.resource }, { "prompt", lasting and "consent" or nil },
  })
end


--- Checks by the rules of RFC 9207 that the issuer that answered is the one that was asked.
local function check_issuer(attempt, answer)
  local promised = attempt.metadata.authorization_response_iss_parameter_supported == true
  if answer.iss == attempt.metadata.issuer or (not answer.iss and not promised) then return true end
  if not answer.iss then
    return fail("issuer_missing", "the response from %s lacks the issuer that its metadata promises", attempt.metadata.issuer)
  end
  return fail("issuer_mismatch", "the response came from %s instead of %s", fetch.clean(answer.iss), attempt.metadata.issuer)
end


local function check_answer(attempt, answer)
  local ok, err, code = check_issuer(attempt, answer)
  if not ok then return nil, err, code end
  if answer.error then
    local why = fetch.clean(answer.error_description)
    return fail(answer.error:match "^[%w_]+$" or "refused", "%s refused the login: %s%s", attempt.metadata.issuer,
      fetch.clean(answer.error), why ~= "" and ", " .. why or "")
  end
  if not answer.code or answer.code == "" then
    return fail("no_code", "%s sent the browser back without a code", attempt.metadata.issuer)
  end
  secrets.hide(answer.code)
  return answer.code
end


--- Waits for the visit that belongs to this attempt. Other visits get a page that says so.
local function await(attempt, stop)
  local landing = attempt.landing
  while true do
    local left = stop - time.monotonic()
    local visit, err, code
    if left > 0 then visit, err, code = landing.listener:next(left) else code = "timeout" end
    if not visit then
      if code ~= "timeout" then return nil, err, code end
      return fail("timeout", "the login in the browser was not finished in time. Run `perigee login` again")
    end
    local answer = visit.path == landing.path and visit.method == "GET" and url.decode(visit.query)
    if answer and crypto.same(answer.state or "", attempt.state) then return answer end
    landing.listener:reply(visit.path == landing.path and 400 or 404, page.stranger())
  end
end


local function finish(attempt, stop)
  local answer, err, code = await(attempt, stop)
  if not answer then return nil, err, code end
  local grant, got
  grant, err, code = check_answer(attempt, answer)
  if grant then
    got, err, code = token.exchange(attempt.metadata, attempt.client, grant, attempt.verifier, attempt.landing.redirect,
      attempt.resource)
  end
  attempt.landing.listener:reply(got and 200 or 400, got and page.done(attempt.server.host) or page.failed(err))
  return got, err, code
end


--- Runs one login to its end. `open` shows a URL to the user; `say` reports the progress.
---@param attempt oauth.Attempt  without verifier and state
---@param options {open: fun(address: string): (true?, string?), say: fun(text: string), timeout: number}
---@return {access: string, refresh?: string, expires?: number, granted?: string}? token
---@return string? err
---@return string? code  "timeout", "issuer_mismatch", "issuer_missing", "no_code", the server's ("access_denied", ...)
function M.run(attempt, options)
  attempt.verifier, attempt.state = unguessable(), unguessable()
  secrets.hide(attempt.verifier)
  local address, err, code = M.address(attempt)
  if not address then return nil, err, code end
  local stop = time.monotonic() + options.timeout
  local results = task.map({
    function()
      local ok, why = options.open(address)
      if not ok then options.say(("Open this URL in a browser on this machine (%s):\n%s"):format(why or "by hand", address)) end
    end,
    function() return table.pack(finish(attempt, stop)) end,
  }, function(fn) return fn() end)
  return table.unpack(results[2], 1, 3)
end

return M
