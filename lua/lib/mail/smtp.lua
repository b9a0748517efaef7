--- Sends by an SMTP server: PERIGEE_MAIL=smtps://USER@HOST or smtp://USER@HOST:587, with the password in a file.

local account = require "mail.gmail.account"
local env     = require "sys.env"
local http    = require "sys.http"
local path    = require "sys.path"
local secrets = require "sys.secrets"
local smtp    = require "sys.smtp"
local time    = require "sys.time"
local url     = require "sys.url"

local M = {}

local TRIES, FIRST = 4, 2                     -- attempts after "not now"; seconds before the second one, doubled each time
local SECONDS, RATE = 120, 100000             -- seconds for all of it; bytes per second that a connection must carry
local GMAIL = { ["smtp.gmail.com"] = true, ["smtp.googlemail.com"] = true }
local PORTS = { smtp = 587, smtps = 465 }

local function fail(code, text, ...) return nil, text:format(...), code end


---@class mail.smtp.Server
---@field host string
---@field port integer
---@field tls "tls"|"starttls"|"plain"
---@field user? string
---@field password? string
---@field oauth boolean


--- Reads the first line of the file.
local function read_password(file)
  local bytes, err, code = secrets.read_file(path.expand(file))
  if code == "insecure" then return fail("bad_setting", "PERIGEE_MAIL_PASSWORD_FILE: %s", err) end
  if not bytes then return fail("bad_setting", "PERIGEE_MAIL_PASSWORD_FILE: %s (%s). Correct its path", err, code) end
  local line = bytes:match "^[^\r\n]*"
  if line == "" then return fail("bad_setting", "PERIGEE_MAIL_PASSWORD_FILE: %s is empty", file) end
  secrets.hide(line)
  return line
end


local function with_login(server)
  local auth, file = env.get "PERIGEE_MAIL_AUTH", env.get "PERIGEE_MAIL_PASSWORD_FILE"
  if auth and auth ~= "password" and auth ~= "xoauth2" then
    return fail("bad_setting", "PERIGEE_MAIL_AUTH is %q. Set it to password or xoauth2", auth)
  end
  if not server.user then return server end
  server.oauth = auth == "xoauth2"
  if not file and not (server.oauth and GMAIL[server.host]) then
    return fail("bad_setting", "there is no password for %s. Write it to a file that only you can read, and set "
      .. "PERIGEE_MAIL_PASSWORD_FILE to its path", server.user)
  end
  if file then
    local err, code
    server.password, err, code = read_password(file)
    if not server.password then return nil, err, code end
  end
  return server
end


--- Returns the server that PERIGEE_MAIL names.
---@param text string
---@return mail.smtp.Server? server
---@return string? err
---@return string? code  "bad_setting"
function M.server(text)
  local parts = url.parse(text)
  local scheme = parts and parts.scheme
  if not parts or not PORTS[scheme] or not parts.host or parts.host == "" or (parts.path or "") ~= "" and parts.path ~= "/" then
    return fail("bad_setting", "PERIGEE_MAIL is not a URL of an SMTP server. Set it to smtps://USER@HOST or smtp://USER@HOST:587")
  end
  local user = parts.userinfo
  if user and user:find(":", 1, true) then
    return fail("bad_setting", "PERIGEE_MAIL contains a password. Write it to a file instead, and set PERIGEE_MAIL_PASSWORD_FILE "
      .. "to its path")
  end
  local here = http.host_scope(parts.host) == "machine"
  return with_login {
    host = parts.host, port = parts.port or PORTS[scheme], user = user and url.unescape(user) or nil, oauth = false,
    tls = scheme == "smtps" and "tls" or here and "plain" or "starttls",
  }
end


--- Returns the token for XOAUTH2: that of the Gmail login, or that in the file, which another program renews.
local function token_for(server, call)
  if server.password then return server.password end
  return account.access(call, account.SMTP)
end


local function login_of(server, call)
  if not server.user then return {} end
  if not server.oauth then return { password = server.password } end
  local token, err, code = token_for(server, call)
  if not token then return nil, err, code end
  return { token = token }
end


--- Sends once, or again if the server says "not now".
local function attempt(mail)
  local try = 1
  while true do
    local ok, err, code, certain = smtp.send(mail)
    if ok or code ~= "unavailable" or not certain or try == TRIES then return ok, err, code, certain end
    time.sleep(FIRST * 2 ^ (try - 1) * (0.75 + math.random() / 2))
    try = try + 1
  end
end


---@param server mail.smtp.Server
---@return mail.Transport
function M.transport(server)
  local T = { name = server.host, keeps_bcc = false, domain = "localhost" }

  function T.ready(call, _, from)
    if not from then
      return fail("bad_setting", "the sender is not known. Set PERIGEE_MAIL_FROM to your address, like Ada <ada@example.com>")
    end
    local login, err, code = login_of(server, call)
    if not login then return nil, err, code end
    return true
  end

  --- Returns the thread of a message. SMTP knows nothing of another message but its message ID.
  function T.thread(_, id)
    local bare = id:match "^<?([^<>%s]+@[^<>%s]+)>?$"
    if not bare then return fail("bad_id", "reply_to_id %q is not a message ID. Pass one like 1@example.com", id) end
    return { in_reply_to = bare, references = {} }
  end

  --- Sends. The ID is the message's own, because the server gives it none that users know.
  function T.send(call, parcel)
    local login, err, code = login_of(server, call)
    if not login then return nil, err, code, true end
    local ok, certain
    ok, err, code, certain = attempt {
      host = server.host, port = server.port, tls = server.tls,
      user = server.user, password = login.password, token = login.token,
      from = parcel.from.address, recipients = parcel.recipients, message = parcel.bytes,
      attachments = parcel.attachments, begin = parcel.begin,
      timeout = SECONDS + #parcel.bytes // RATE,
    }
    if not ok then return nil, err, code, certain end
    return parcel.message.id
  end

  return T
end


return M
