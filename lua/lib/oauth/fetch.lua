--- Fetches JSON documents from URLs that servers name: only over https (http on this machine), with a size limit, and each
--- redirect is checked before it is followed.

local http = require "sys.http"
local json = require "sys.json"
local url  = require "oauth.url"

local M = {}

local REDIRECTS, SECONDS, BYTES = 3, 20, 262144


--- Says why this URL must not be requested; nil if it may. A remote server must not name this machine or its network.
---@param address oauth.Url?
---@param text string
---@param server oauth.Url  the MCP server that named it
---@return string? why
function M.forbidden(address, text, server)
  if not address then return ("%s is not an http or https URL"):format(text:sub(1, 200)) end
  if not url.is_secure(address) then return ("%s is not https"):format(address.origin) end
  if url.is_nearer(address, server) then
    return ("%s is this machine or in a private network, which a remote server must not name"):format(address.origin)
  end
end


--- Shortens text from outside, on one line.
---@param text any
---@return string
function M.clean(text)
  if type(text) ~= "string" then return "" end
  text = text:gsub("[%c]+", " ")
  return #text > 200 and text:sub(1, 200) .. "..." or text
end


--- Makes a GET request. Any status is an answer.
---@param text string
---@param server oauth.Url  the MCP server that named it
---@return {status: integer, json?: table}? answer  json only for a 200 with an object
---@return string? err
---@return string? code
function M.document(text, server)
  local address = url.parse(text)
  for _ = 0, REDIRECTS do
    local why = M.forbidden(address, text, server)
    if why then return nil, why, "not_secure" end
    local answer, err, code = http.request {
      url = url.text(address), headers = { Accept = "application/json" }, redirects = 0, timeout = SECONDS, max_bytes = BYTES,
      retry = { attempts = 2 },
    }
    if not answer then return nil, err, code end
    local location = answer.status >= 301 and answer.status <= 308 and answer.headers.location
    if not location then
      local value = answer.status == 200 and json.decode(answer.body) or nil
      return { status = answer.status, json = type(value) == "table" and value or nil }
    end
    text, address = location, url.follow(address, location)
  end
  return nil, ("%s redirects more than %d times"):format(address and address.origin or "it", REDIRECTS), "too_many_redirects"
end

return M
