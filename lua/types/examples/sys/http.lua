local http    = require "sys.http"
local webhook = require "sys.webhook"

--- request
-- A server to ask: one of our own.
local server = assert(webhook.listen({ path = "/sum" }, function(request)
  local numbers = assert(request:json())
  return 200, { sum = numbers.a + numbers.b }
end))

local response = assert(http.request { url = server:url(), json = { a = 1, b = 2 }, timeout = 10 })
print(response.status, response.body)                                 --> 200	{"sum":3}
print(assert(http.request { url = server:url(), method = "GET" }).status)   --> 405
server:stop()

--- escape
print(http.escape "a b/c")   --> a%20b%2Fc

--- host_scope
print(http.host_scope "example.com", http.host_scope "192.168.1.1")   --> world	network

--- stream
local server = assert(webhook.listen({}, function()
  return "data: one\n\ndata: two\n\n", { ["Content-Type"] = "text/event-stream" }
end))
local stream <close> = assert(http.stream { url = server:url(), method = "POST", body = "" })
print(stream.status, stream:event().data, stream:event().data, stream:event())   --> 200	one	two	nil
server:stop()
