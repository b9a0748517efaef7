---@meta sys.loopback

--- A listener on 127.0.0.1 for a browser that comes back from somewhere else, as at the end of a login. No web server: GET and
--- HEAD without a body, a few connections. Requests with another Host than 127.0.0.1 or localhost are refused unseen.
---@class sys.loopback
local loopback = {}

---@param port? integer  default: any that is free
---@return sys.loopback.Listener? listener
---@return string? err
---@return string? code  "address_in_use", "permission_denied"
function loopback.listen(port) end

---@class sys.loopback.Visit
---@field method "GET"|"HEAD"
---@field path   string  as sent: not decoded
---@field query  string  after the "?", not decoded; "" if there is none

---@class sys.loopback.Listener
local listener = {}

--- The request that waits longest. Answer it with reply(): until then it is the next one.
---@param timeout? number  seconds; default 30
---@return sys.loopback.Visit? visit
---@return string? err
---@return string? code  "timeout", "closed", "busy" (another task waits)
function listener:next(timeout) end

--- Answers the request that next() gave.
---@param status integer
---@param html string
function listener:reply(status, html) end

---@return integer port  0 when it is closed
function listener:port() end

--- Listens no more; an answer that is on its way still goes out. Also `local l <close> = ...`.
function listener:close() end

return loopback
