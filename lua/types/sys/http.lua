---@meta sys.http

--- HTTP and HTTPS requests. Certificates are always verified, by those in the file SSL_CERT_FILE if the environment names one;
--- proxies are those of the environment. No error message has a header's value, or more of a URL than its host.
---@class sys.http
local http = {}

---@class sys.http.Retry
---@field attempts? integer  attempts in all; default 3
---@field base?     number   seconds before the second attempt, doubled each time, with jitter; default 0.5
---@field max?      number   longest wait in seconds; default 20; a longer Retry-After ends the attempts
---@field unsafe?   boolean  true: also repeat methods that may change something (POST, PATCH)

---@class sys.http.Request
---@field url       string   http or https
---@field method?   string   default "GET", or "POST" if there is a body
---@field headers?  table<string, string|number>
---@field body?     string
---@field json?     any      encoded as the body, with its Content-Type
---@field timeout?  number   seconds for everything, including all attempts; default 60 for request, none for stream
---@field connect_timeout? number  seconds; default 10
---@field idle_timeout?    number  seconds without a byte (default: 60); not counted while no task reads the stream
---@field redirects?       integer how many are followed at most; default 5; 0: none. Secret headers and a body are not sent to
---                         another origin: a redirect that would need it fails with "redirected". One to another host is
---                         judged by the policy as a request of its own; the time of a question does not count
---@field max_bytes?       integer limit of the response's body; default 10485760 for request, none for stream; at most 268435456
---@field retry?    sys.http.Retry|false  for connection failures, 429 and 5xx; default: none

---@class sys.http.Response
---@field status   integer
---@field headers  table<string, string>  names in lower case; repeated ones joined by ", "
---@field body     string
---@field url      string   after redirects
---@field attempts integer
---@field elapsed  number   seconds

--- Makes a request. Any status is a response; only a request without a complete answer is a failure.
---@param request sys.http.Request
---@return sys.http.Response? response
---@return string? err
---@return string? code  "dns", "connection_refused", "connection_failed", "tls", "timeout", "cut_off", "too_large",
---                      "too_many_redirects", "bad_url", "bad_argument" (a method or header that cannot be sent),
---                      "bad_response", "not_json" (`json`); of a request or a redirect that the policy does not allow,
---                      its codes: "denied", ...
function http.request(request) end

--- Sends the request and returns when the response's headers have arrived. The body is read with event() or read(), by one task
--- at a time; data that no task reads stops the server from sending more.
---@param request sys.http.Request
---@return sys.http.Stream? stream
---@return string? err
---@return string? code
function http.stream(request) end

---@class sys.http.Stream
---@field status  integer
---@field headers table<string, string>
---@field url     string   after redirects
local stream = {}

---@class sys.http.Event
---@field event string   "message" if it has no name
---@field data  string
---@field id?   string

--- Returns the next server-sent event; nil alone at the end.
---@return sys.http.Event? event
---@return string? err
---@return string? code  as request(); "closed", "busy" (another task reads)
function stream:event() end

--- Returns the next bytes of the body, as many as there are; nil alone at the end.
---@return string? bytes
---@return string? err
---@return string? code
function stream:read() end

--- Stops the transfer. `local s <close> = ...` does the same.
function stream:close() end

--- Percent-encodes a string for a URL component: all but letters, digits and `-._~`.
---@param text string
---@return string
function http.escape(text) end

--- Classifies a host by its text alone; names are not resolved.
---@param host string  without port; IPv6 with or without brackets
---@return "world"|"network"|"machine"|"odd" scope  a name or a public address; a private, link-local or multicast address;
---                  localhost, 127.0.0.0/8, 0.0.0.0/8, ::, ::1; a number that some programs take for an address (127.1)
function http.host_scope(host) end

return http
