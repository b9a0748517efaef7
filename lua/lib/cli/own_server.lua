--- The token of a server that the user runs: `perigee serve --http` on this machine.
--
-- The token is sent only if one of the user's engines was started for that port. Whoever else listens there never sees it.

local console = require "sys.console"
local env     = require "sys.env"
local home    = require "user_home"
local path    = require "sys.path"
local process = require "sys.process"
local urls    = require "oauth.url"

local M = {}


--- Returns the words of the command that a process runs, with a line end behind each.
local function words_of(pid, io)
  if env.platform == "linux" then return ((io:read(("/proc/%d/cmdline"):format(pid)) or ""):gsub("\0", "\n")) end
  local done = process.run { "ps", "-ww", "-o", "args=", "-p", tostring(pid), timeout = 10 }
  return done and (done.stdout:gsub("[ \n]+", "\n")) or ""
end


--- True if the process listens at this port.
local function listens(pid, port, io)
  if env.platform ~= "linux" then
    local done = process.run { "lsof", "-nP", "-a", "-p", tostring(pid), "-iTCP:" .. port, "-sTCP:LISTEN", "-t", timeout = 10 }
    return done ~= nil and done.stdout:find "%d" ~= nil
  end
  local files = process.run { "ls", "-l", ("/proc/%d/fd"):format(pid), timeout = 10 }
  local place = (":%04X"):format(tonumber(port))
  for _, kind in ipairs { "tcp", "tcp6" } do
    for line in (io:read("/proc/net/" .. kind) or ""):gmatch "[^\n]+" do
      local at, state, socket = line:match "^%s*%d+: (%S+) %S+ (%x+) %S+ %S+ %S+ +%d+ +%d+ (%d+)"
      local ours = at and at:sub(-#place) == place and state == "0A"
      if ours and files and files.stdout:find(("socket:[%s]"):format(socket), 1, true) then return true end
    end
  end
  return false
end


--- True if the engine was started to serve HTTP at this port, or at any free one and listens there, with the token of
--- `perigee token`.
local function serves(pid, port, io)
  local words = "\n" .. words_of(pid, io)
  if words:find "\n%-%-oauth%-issuer" and not words:find "\n%-%-token\n" then return false end
  for address in words:gmatch "\n%-%-http[=\n]([^\n]+)" do
    local named = (":" .. address:gsub("/.*$", "")):match ":(%d+)$"
    if named == port or named == "0" and listens(pid, port, io) then return true end
  end
  return false
end


---@param address string  the URL of a server
---@param io perigee.IO
---@return boolean
local function is_own(address, io)
  local server = urls.parse(address)
  if not server or not server.port or not urls.is_loopback(server) then return false end
  for _, engine in ipairs(console.engines()) do
    if serves(engine.pid, tostring(server.port), io) then return true end
  end
  return false
end


--- Returns the token that the user's own server at this URL requires; nil if it is not one, or has none.
---@param address string
---@param io perigee.IO
---@return string? token
function M.token(address, io)
  if not is_own(address, io) then return nil end
  local token = env.get "PERIGEE_TOKEN" or (io:read(path.join(home(), "token")) or ""):match "^%s*(%S+)%s*$"
  if token then io:hide(token) end
  return token
end


return M
