---@meta sys.http

--- HTTP and HTTPS requests.
---@class sys.http
local http = {}

---@class sys.http.Retry
---@field attempts? integer  tries in all; default 3
---@field base?     number   seconds before the second try, doubled each time, with jitter; default 0.5
---@field max?      number   longest wait in seconds; default 20; a longer Retry-After ends the tries
---@field unsafe?   boolean  also repeat methods that may change something (POST, PATCH)

---@class sys.http.Request
---@field url       string   http or https
---@field method?   string   default "GET", or "POST" when there is a body
---@field headers?  table<string, string>
---@field body?     string
---@field json?     any      encoded as the body, with its Content-Type
---@field timeout?  number   seconds for everything, tries included; default 60
---@field connect_timeout? number  seconds; default 10
---@field idle_timeout?    number  seconds without a byte; default 60
---@field redirects?       integer followed at most; default 5; 0: none
---@field max_bytes?       integer of the response's body; default 10485760
---@field retry?    sys.http.Retry|false  on connection failures, 429 and 5xx; default: none

---@class sys.http.Response
---@field status   integer
---@field headers  table<string, string>  names in lower case; repeated ones joined by ", "
---@field body     string
---@field url      string   after redirects
---@field attempts integer
---@field elapsed  number   seconds

--- Any status is a response; only a request that got no whole answer is a failure.
---@param request sys.http.Request
---@return sys.http.Response? response
---@return string? err
---@return string? code  "dns", "connection_refused", "tls", "timeout", "cut_off", "too_large", "bad_url", ...
function http.request(request) end

--- Sends the request and returns when the response's headers are there.
---@param request sys.http.Request
---@return sys.http.Stream? stream
---@return string? err
---@return string? code
function http.stream(request) end

---@class sys.http.Stream
---@field status  integer
---@field headers table<string, string>
local stream = {}

---@class sys.http.Event
---@field event string   "message" unless named
---@field data  string
---@field id?   string

--- The next server-sent event; nil alone at the end.
---@return sys.http.Event? event
---@return string? err
---@return string? code
function stream:event() end

--- The next bytes of the body; nil alone at the end.
---@return string? bytes
---@return string? err
---@return string? code
function stream:read() end

--- Stops the transfer. Also `local s <close> = ...`.
function stream:close() end

--- Percent-encodes a text for a URL component.
---@param text string
---@return string
function http.escape(text) end

return http
