---@meta sys.http

--- HTTP and HTTPS requests. Certificates are always verified, by those in the file SSL_CERT_FILE if the environment names one;
--- proxies are those of the environment. No error text has a header's value, or more of a URL than its host.
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
---@field headers?  table<string, string|number>
---@field body?     string
---@field json?     any      encoded as the body, with its Content-Type
---@field timeout?  number   seconds for everything, tries included; default 60 for request, none for stream
---@field connect_timeout? number  seconds; default 10
---@field idle_timeout?    number  seconds without a byte (default: 60); not counted while no task reads the stream
---@field redirects?       integer followed at most; default 5; 0: none. To another origin go neither secret headers nor a body:
---                         "redirected" is the code of a redirect that would carry one
---@field max_bytes?       integer of the response's body; default 10485760 for request, none for stream; at most 268435456
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
---@return string? code  "dns", "connection_refused", "connection_failed", "tls", "timeout", "cut_off", "too_large",
---                      "too_many_redirects", "bad_url", "bad_argument" (a method or header that cannot be sent), "bad_response",
---                      "not_json" (of `json`)
function http.request(request) end

--- Sends the request and returns when the response's headers are there. The body is read with event() or read(), by one task
--- at a time; data that no task reads holds the server back.
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
---@return string? code  as of request; "closed", "busy" (another task reads)
function stream:event() end

--- The next bytes of the body, as many as there are; nil alone at the end.
---@return string? bytes
---@return string? err
---@return string? code
function stream:read() end

--- Stops the transfer. Also `local s <close> = ...`.
function stream:close() end

--- Percent-encodes a string for a URL component: all but letters, digits and `-._~`.
---@param text string
---@return string
function http.escape(text) end

--- Whose a host is, by what is written; names are not resolved.
---@param host string  without port; IPv6 with or without brackets
---@return "world"|"network"|"machine"|"odd" scope  a name or a public address; a private, link-local or multicast address;
---                  localhost, 127.0.0.0/8, 0.0.0.0/8, ::, ::1; a number that some programs take for an address (127.1)
function http.host_scope(host) end

return http
