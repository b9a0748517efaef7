--- The OAuth client that the user registered with Google: credentials.json, and the token.json that Google's own samples write.

local env     = require "sys.env"
local home    = require "user_home"
local json    = require "sys.json"
local path    = require "sys.path"
local secrets = require "sys.secrets"
local url     = require "oauth.url"

local M = {}

local AUTH, TOKEN = "https://accounts.google.com/o/oauth2/v2/auth", "https://oauth2.googleapis.com/token"

local GOOGLE = { ["accounts.google.com"] = true, ["oauth2.googleapis.com"] = true, ["www.googleapis.com"] = true }

---@class mail.gmail.Client: oauth.Client
---@field auth  string   the URL where users log in
---@field token string   the URL that issues tokens

local function fail(code, text, ...) return nil, text:format(...), code end


--- Returns the path of credentials.json. A client may start us in a directory that came from elsewhere, so nothing is read there.
---@return string file
local function place()
  local named = env.get "PERIGEE_GMAIL_CREDENTIALS"
  if named then return path.expand(named) end
  return home() .. "/credentials.json"
end


local function read_json(file)
  local bytes, err, code = secrets.read_file(file)
  if not bytes then return nil, err, code end
  local document = json.decode(bytes)
  if type(document) ~= "table" then
    return fail("damaged", "%s is not JSON. Download it again from the Google Cloud console", file)
  end
  return document
end


local function text_of(value) return type(value) == "string" and value ~= "" and value or nil end


--- Checks the URLs to which tokens and secrets go and where users log in: only Google's, or this machine's, for tests.
local function checked(client, file)
  for _, field in ipairs { "auth", "token" } do
    local address = url.parse(client[field])
    if not address or not (url.is_loopback(address) or address.scheme == "https" and GOOGLE[address.host]) then
      return fail("not_secure", "%s: %q is not an https URL of Google's. Download the file again from the Google Cloud console",
        file, client[field])
    end
  end
  if client.secret then secrets.hide(client.secret) end
  return client
end


local function make(id, secret, auth, token, file)
  return checked({
    id = id, secret = secret, method = secret and "client_secret_post" or "none", source = "given",
    auth = text_of(auth) or AUTH, token = text_of(token) or TOKEN,
  }, file)
end


local function from_credentials(document, file)
  local kind = document.installed or document.web
  if type(kind) ~= "table" or not text_of(kind.client_id) then
    return fail("damaged", "%s has no client of the type \"Desktop app\". Create one in the Google Cloud console and "
      .. "download its JSON", file)
  end
  return make(kind.client_id, text_of(kind.client_secret), kind.auth_uri, kind.token_uri, file)
end


--- Reads a token of Google's samples, with the client that it was issued for.
local function from_token(document, file)
  if not text_of(document.refresh_token) or not text_of(document.client_id) then return nil end
  local client, err, code = make(document.client_id, text_of(document.client_secret), document.auth_uri, document.token_uri, file)
  if not client then return nil, err, code end
  local scopes = document.scopes
  return client, {
    refresh = document.refresh_token,
    granted = type(scopes) == "table" and table.concat(scopes, " ") or text_of(document.scope) or "",
  }
end


---@class mail.gmail.Found
---@field client mail.gmail.Client
---@field token? {refresh: string, granted: string}  from token.json

--- Reads the files. nil alone means that there are none.
---@return mail.gmail.Found? found
---@return string? err
---@return string? code
function M.find()
  local file = place()
  local document, err, code = read_json(file)
  if not document and code ~= "not_found" then return nil, err, code end
  local beside = read_json((file:gsub("[^/]*$", "token.json")))
  local client, token
  if beside then
    client, token, code = from_token(beside, "token.json")
    if code then return nil, token, code end
  end
  if document then
    local other = client
    client, err, code = from_credentials(document, file)
    if not client then return nil, err, code end
    if other and other.id ~= client.id then token = nil end   -- the token of another client
  end
  return client and { client = client, token = token }
end


--- Returns the path of the file, for messages.
---@return string
function M.wanted() return place() end


return M
