--- Requests to the Gmail API, repeated after a delay if Google asks for it.

local account = require "mail.gmail.account"
local env     = require "sys.env"
local http    = require "sys.http"
local json    = require "sys.json"
local time    = require "sys.time"
local url     = require "oauth.url"

local M = {}

local HOST = "https://gmail.googleapis.com"
local TRIES, FIRST, LONGEST = 5, 1, 60   -- attempts; seconds before the second one, doubled each time; the longest delay
local SECONDS, RATE = 120, 100000        -- seconds for one answer; bytes per second that a connection must carry
local MOST = 10 * 1024 * 1024            -- bytes of an answer: the limit of sys.json

-- Errors after which the request has not reached the server, or not completely.
local NOT_SENT = { dns = true, connection_refused = true, tls = true, bad_url = true, bad_argument = true, not_secure = true }

local RATES = { rateLimitExceeded = true, userRateLimitExceeded = true }

local function fail(code, text, ...) return nil, text:format(...), code end


---@return string? base
---@return string? err
---@return string? code
local function base()
  local named = env.get("PERIGEE_GMAIL_URL", HOST)
  local address = url.parse(named)
  if not address or not url.is_secure(address) then
    return fail("not_secure", "PERIGEE_GMAIL_URL is %q, which is not an https URL. Correct it, or unset it", named)
  end
  return (named:gsub("/+$", ""))
end


--- Returns Google's message about a failure, and its reason.
local function explain(response)
  local document = json.decode(response.body)
  local said = type(document) == "table" and document.error
  if type(said) ~= "table" then return "", nil end
  local first = type(said.errors) == "table" and said.errors[1]
  local reason = type(first) == "table" and type(first.reason) == "string" and first.reason or said.status
  local text = type(said.message) == "string" and said.message:gsub("%c+", " "):sub(1, 300) or ""
  return text, type(reason) == "string" and reason or nil
end


--- Returns the message and the code for a failure, and true if it is certain that nothing was done.
local function refusal(response)
  local said, reason = explain(response)
  local status = response.status
  local tail = said ~= "" and ": " .. said or ""
  if status == 429 or status == 403 and RATES[reason] then
    return nil, ("Gmail's limit is reached%s. Wait some minutes, then call again"):format(tail), "rate_limited", true
  end
  if status == 403 then return nil, ("Gmail does not allow it%s"):format(tail), "forbidden", true end
  if status == 404 then return nil, ("Gmail has no such message%s"):format(tail), "not_found", true end
  if status == 503 then
    return nil, ("Gmail is not available now (status 503)%s. Call again later"):format(tail), "unavailable", true
  end
  if status >= 500 then return nil, ("Gmail failed (status %d)%s"):format(status, tail), "server_failed", false end
  return nil, ("Gmail refused the request (status %d)%s"):format(status, tail), "refused", true
end


--- True if the server asks to try again and has done nothing. A 500, 502 or 504 may come after it has.
local function is_busy(response, repeatable)
  if response.status == 429 or response.status == 503 then return true end
  if response.status == 403 then
    local _, reason = explain(response)
    return RATES[reason] == true
  end
  return repeatable and response.status >= 500
end


local function wait_before(try, response)
  local asked = tonumber(response.headers["retry-after"])
  local seconds = asked or FIRST * 2 ^ (try - 1) * (0.75 + math.random() / 2)
  if seconds > LONGEST then return false end
  time.sleep(seconds)
  return true
end


local function send_once(address, spec, access)
  local headers = { Authorization = "Bearer " .. access, Accept = "application/json" }
  for name, value in pairs(spec.headers or {}) do headers[name] = value end
  return http.request { url = address, method = spec.method, headers = headers, body = spec.body, json = spec.json, redirects = 0,
    timeout = SECONDS + #(spec.body or "") // RATE, max_bytes = MOST }
end


---@class mail.gmail.Request
---@field path string        the path and the query of the URL
---@field scope string       the required scope
---@field method? string
---@field headers? table<string, string>
---@field body? string
---@field json? table
---@field quiet? boolean     true: the user is not asked to log in

--- Makes a request and returns the JSON of the answer. After a failure, `certain` is true if Gmail did nothing.
---@param call Call
---@param spec mail.gmail.Request
---@return table? document
---@return string? err
---@return string? code  those of mail.gmail.account and sys.http, "rate_limited", "unavailable", "forbidden", "not_found",
---                      "refused", "server_failed", "bad_response"
---@return boolean? certain
function M.request(call, spec)
  local host, err, code = base()
  if not host then return nil, err, code, true end
  local function access_for(refused)
    if spec.quiet then return account.quiet_access(spec.scope) end
    return account.access(call, spec.scope, refused)
  end
  local access
  access, err, code = access_for()
  if not access then return nil, err or "no login", code or "login_required", true end
  local repeatable, logged_in_again = spec.method == nil or spec.method == "GET", false
  local try = 1
  while true do
    local response
    response, err, code = send_once(host .. spec.path, spec, access)
    if not response then return nil, ("Gmail: %s"):format(err), code, NOT_SENT[code] == true end
    if response.status >= 200 and response.status < 300 then
      local document = json.decode(response.body)
      if type(document) ~= "table" then return nil, "Gmail's answer is not JSON", "bad_response", false end
      return document
    end
    if response.status == 401 and not logged_in_again and not spec.quiet then
      logged_in_again = true
      access, err, code = access_for(access)
      if not access then return nil, err, code, true end
    elseif try < TRIES and is_busy(response, repeatable) and wait_before(try, response) then
      try = try + 1
    else
      return refusal(response)
    end
  end
end


return M
