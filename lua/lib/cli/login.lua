--- Does the work of `perigee login` and `perigee logout`.

local browser = require "browser"
local json    = require "sys.json"
local mcp     = require "sys.mcp"
local oauth   = require "oauth"
local time    = require "sys.time"
local url     = require "oauth.url"

local M = {}


local function opener(options, io)
  return function(address)
    if options.no_browser then
      io:print("Open this URL in a browser on this machine:\n" .. address)
      return true
    end
    local ok, why = browser.open(address)
    if ok then io:print("The browser is open; log in there. If it is not, open this:\n" .. address) end
    return ok, why
  end
end


local function counted(count, what)
  return ("%d %s%s"):format(count, what, count == 1 and "" or "s")
end


--- Connects and lists the tools, because some servers let every client connect. Returns the challenge of a server that refuses;
-- otherwise nil, its name and the number of its tools.
---@param address string
---@param token? string
---@return oauth.Challenge|nil wants
---@return string? name
---@return integer|string|nil tools  their number, or the message if they cannot be listed
local function visit(address, token)
  local wants
  local client <close>, err = mcp.connect { url = address, token = token, authorize = function(met)
    wants = { status = met.status, header = met.challenge, token = met.token }
    return nil, "it wants a login", "login_required"
  end }
  if not client then return wants, nil, err end
  local tools
  tools, err = client:list_tools()
  return wants, client.server.title or client.server.name or "an MCP server", tools and #tools or err
end


--- Returns the URL of the authorization server's metadata that mcp.json has for this server; nil if it has none.
local function own_metadata(address, config)
  local wanted = url.parse(address)
  for _, spec in pairs(wanted and config and mcp.servers(config) or {}) do
    local server = spec.login_metadata and url.parse(spec.url)
    if server and url.text(server) == url.text(wanted) then return spec.login_metadata end
  end
end


---@param options oauth.Options|{no_browser?: boolean}
---@param io perigee.IO
---@return boolean|nil ok
---@return string? err
function M.login(options, io)
  options.interactive, options.rebind = true, true
  options.metadata = own_metadata(options.url, io.config)
  options.open, options.say = opener(options, io), function(line) io:print(line) end
  local wants, name, tools = visit(options.url)
  if not wants then
    if not name then return nil, tools end
    io:print(name .. " asks for no login.")
    return true
  end
  local record, err = oauth.login(options, wants)
  if not record then return nil, err end
  wants, name, tools = visit(options.url, record.access)
  if wants then return nil, ("%s gave a token that the server refuses"):format(record.issuer) end
  if not name then return nil, tools end
  io:print(("Logged in to %s%s."):format(name, math.type(tools) and ", which has " .. counted(tools, "tool") or ""))
  return true
end


local function ending(token)
  local left = token.expires and token.expires - time.now()
  if token.renews then return "renewed by itself" end
  if not left then return "without an end" end
  if left <= 0 then return "over: log in again" end
  if left < 5400 then return counted(math.ceil(left / 60), "minute") .. " left" end
  return counted(math.floor(left / 3600 + 0.5), "hour") .. " left"
end


local function plain(token)
  local servers = json.array()
  for server in pairs(token.servers) do servers[#servers + 1] = server end
  table.sort(servers)
  return {
    resource = token.resource, issuer = token.issuer, servers = servers, scope = token.granted, client_id = token.client.id,
    expires = token.expires and time.iso(token.expires), renews = token.renews,
  }
end


---@param as_json boolean
---@param io perigee.IO
---@return boolean|nil ok
---@return string? err
function M.list(as_json, io)
  local tokens, err = oauth.list()
  if not tokens then return nil, err end
  if as_json then
    local list = json.array()
    for i, token in ipairs(tokens) do list[i] = plain(token) end
    io:json(list)
    return true
  end
  for _, token in ipairs(tokens) do
    io:print(token.resource)
    io:print(("  from %s, %s%s"):format(token.issuer, ending(token),
      token.granted and token.granted ~= "" and "; may " .. token.granted or ""))
  end
  if not tokens[1] then io:print "Nothing is kept. `perigee login URL` logs in." end
  return true
end


---@param address? string  nil means all of them
---@param io perigee.IO
---@return boolean|nil ok
---@return string? err
function M.logout(address, io)
  if not address then
    local ok, err = oauth.logout_all()
    if ok then io:print "Everything is forgotten." end
    return ok, err
  end
  local count, err = oauth.logout(address)
  if not count then return nil, err end
  io:print(count > 0 and "Logged out of " .. address .. "." or "There was no token for " .. address .. ".")
  return true
end

return M
