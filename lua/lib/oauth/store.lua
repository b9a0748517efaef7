--- Stores tokens by resource and authorization server, and clients by authorization server, from one run to the next.
--
-- Clients and tokens belong to the server that issued them, and its issuer is part of their key: none of them is ever sent to
-- another server. Changes are made under a lock among programs, because a refresh token may be valid only once.

local file_lock = require "file_lock"
local json      = require "sys.json"
local secrets   = require "sys.secrets"
local task      = require "sys.task"

local M = {}

local NAME, PATIENCE = "oauth", 60


---@class oauth.Client
---@field id        string
---@field secret?   string
---@field method    "none"|"client_secret_basic"|"client_secret_post"
---@field source    "given"|"registered"|"document"
---@field redirect? string   the redirect URL with which it was registered
---@field unattended? boolean  true if it gets tokens by its secret, without a user
---@field expires?  number   when the secret expires; seconds since 1970

---@class oauth.Token
---@field resource   string
---@field issuer     string
---@field servers    table<string, true>  URLs for which it is used
---@field access     string
---@field expires?   number   seconds since 1970
---@field refresh?   string
---@field granted?   string   scopes
---@field requested? string   scopes
---@field client     oauth.Client
---@field obtained   number

---@class oauth.Stored
---@field clients table<string, oauth.Client>
---@field tokens  table<string, oauth.Token>

---@param resource string
---@param issuer string
---@return string
function M.key(resource, issuer)
  return resource .. " " .. issuer
end


local function hide(stored)
  for _, token in pairs(stored.tokens) do
    secrets.hide(token.access)
    if token.refresh then secrets.hide(token.refresh) end
  end
  for _, client in pairs(stored.clients) do
    if client.secret then secrets.hide(client.secret) end
  end
  return stored
end


--- Reads everything. It is a copy: changing it does not change the store.
---@return oauth.Stored? kept
---@return string? err
---@return string? code
function M.read()
  local bytes, err, code = secrets.read(NAME)
  if not bytes then
    if code == "not_found" then return { clients = {}, tokens = {} } end
    return nil, err, code
  end
  local stored = json.decode(bytes)
  if type(stored) ~= "table" or type(stored.clients) ~= "table" or type(stored.tokens) ~= "table" then
    return nil, "the token file is damaged. Run `perigee logout --all`, then log in again", "damaged"
  end
  return hide(stored)
end


local function lock()
  local held, err, code = file_lock.hold(NAME, PATIENCE)
  if code == "busy" then err = "another program has locked the token file for a minute. Try again later" end
  return held, err, code
end


--- Calls change(kept) while no other program can change the store, then stores the table as it left it. Returns its results; if
--- the first one is nil, nothing is stored.
---@param change fun(kept: oauth.Stored): any, string?, string?
---@return any
---@return string? err
---@return string? code
function M.change(change)
  local held_here <close> = task.lock "oauth.store"
  local held <close>, why, code = lock()
  if not held then return nil, why, code end
  local stored, err
  stored, err, code = M.read()
  if not stored then return nil, err, code end
  local result, text
  result, text, code = change(stored)
  if result == nil then return nil, text, code end
  local empty = not next(stored.clients) and not next(stored.tokens)
  local ok
  hide(stored)
  ok, err, code = secrets.write(NAME, not empty and json.encode { clients = stored.clients, tokens = stored.tokens } or nil)
  if not ok then return nil, err, code end
  return result, text, code
end


--- Removes everything, even if it cannot be read.
---@return true? ok
---@return string? err
---@return string? code
function M.clear()
  local held <close>, why, code = lock()
  if not held then return nil, why, code end
  return secrets.write(NAME)
end


--- Returns the token for the server at this URL.
---@param stored oauth.Stored
---@param server string
---@return oauth.Token?
function M.token_for(stored, server)
  local newest
  for _, token in pairs(stored.tokens) do
    if token.servers[server] and (not newest or token.obtained > newest.obtained) then newest = token end
  end
  return newest
end

return M
