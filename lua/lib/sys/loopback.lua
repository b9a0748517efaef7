--- sys.loopback: a listener on 127.0.0.1 for a browser that returns from another site, for example at the end of a login. It is
--- not a web server: it accepts GET and HEAD on a few connections. Requests with a Host that is not this machine are refused.

local webhook = require "sys.webhook"

local M = {}

local WAIT = 30        -- seconds for a request, unless told otherwise
local ANSWER = 600     -- seconds for an answer
local WAITING = 16     -- requests

-- Nothing of a page may be kept, framed, or send its address, which has a code in it, on.
local HEADERS = { ["Content-Type"] = "text/html; charset=utf-8", ["Referrer-Policy"] = "no-referrer",
  ["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'" }

local CODES = { ["in_use"] = "address_in_use", ["denied"] = "permission_denied" }


---@class sys.loopback.Visit
---@field method "GET"|"HEAD"
---@field path   string  decoded
---@field query  string  the part after the "?", not decoded; "" if there is none

---@class sys.loopback.Listener
---@field private hook sys.webhook.Hook
---@field private request? sys.webhook.Request  that next() returned
local Listener = {}
Listener.__index = Listener
Listener.__name = "sys.loopback.Listener"


local function visit_of(request) return { method = request.method, path = request.path, query = request.query } end


--- Returns the request that waits longest. Answer it with reply(): until then it stays the next one.
---@param timeout? number  seconds; default 30
---@return sys.loopback.Visit? visit
---@return string? err
---@return string? code  "timeout", "closed"
function Listener:next(timeout)
  if not self.request then
    local request, err, code = self.hook:next(timeout or WAIT)
    if not request then return nil, err, code end
    self.request = request
  end
  return visit_of(self.request)
end


--- Answers the request that next() returned.
---@param status integer
---@param html string
function Listener:reply(status, html)
  local request = self.request
  self.request = nil
  if request then request:reply(status, html, HEADERS) end
end


---@return integer port  0 if it is closed
function Listener:port() return self.hook:port() end


--- Stops listening; an answer that is being sent is completed. `local l <close> = ...` does the same.
function Listener:close()
  self.request = nil
  self.hook:close()
end

Listener.__close = Listener.close


---@param port? integer  default: any free port
---@return sys.loopback.Listener? listener
---@return string? err
---@return string? code  "address_in_use", "permission_denied"
function M.listen(port)
  local hook, err, code = webhook.listen { port = port, methods = { "GET", "HEAD" }, origins = { "*" }, queue = WAITING,
    timeout = ANSWER }
  if not hook then return nil, err, CODES[code] or code end
  return setmetatable({ hook = hook }, Listener)
end


return M
