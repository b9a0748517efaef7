---@meta sys.loopback

--- A listener on 127.0.0.1 for a browser that returns from another site, for example at the end of a login. It is not a web
--- server: it accepts GET and HEAD without a body on a few connections. Requests with another Host than 127.0.0.1 or localhost
--- are refused.
---@class sys.loopback
local loopback = {}

---@param port? integer  default: any free port
---@return sys.loopback.Listener? listener
---@return string? err
---@return string? code  "address_in_use", "permission_denied"
function loopback.listen(port) end

---@class sys.loopback.Visit
---@field method "GET"|"HEAD"
---@field path   string  as sent: not decoded
---@field query  string  the part after the "?", not decoded; "" if there is none

---@class sys.loopback.Listener
local listener = {}

--- Returns the request that waits longest. Answer it with reply(): until then it stays the next one.
---@param timeout? number  seconds; default 30
---@return sys.loopback.Visit? visit
---@return string? err
---@return string? code  "timeout", "closed", "busy" (another task waits)
function listener:next(timeout) end

--- Answers the request that next() returned.
---@param status integer
---@param html string
function listener:reply(status, html) end

---@return integer port  0 if it is closed
function listener:port() end

--- Stops listening; an answer that is being sent is completed. `local l <close> = ...` does the same.
function listener:close() end

return loopback
