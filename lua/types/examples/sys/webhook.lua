local http    = require "sys.http"
local webhook = require "sys.webhook"

--- module
-- In a service or a script: a function answers each request until the handle is stopped.
local handle = assert(webhook.listen({ path = "/build", secret = "a long secret" }, function(request)
  local build = assert(request:json())
  return 200, { seen = build.status }
end))

local headers = { Authorization = "Bearer a long secret" }
local build = { status = "failed" }
print(assert(http.request { url = handle:url(), headers = headers, json = build }).body)   --> {"seen":"failed"}
print(assert(http.request { url = handle:url(), json = build }).status)                    --> 401
handle:stop()

--- listen
-- In a tool: a loop takes the requests.
local task = require "sys.task"
local hook <close> = assert(webhook.listen { path = "/door" })
local sender = assert(task.spawn(http.request, { url = hook:url(), body = "a=1&b=x+y" }))

for request in hook do
  print(request.method, request.path, request:form().b)   --> POST	/door	x y
  request:reply(200, { opened = true })
  break
end
print(assert(sender:join(10)).body)                       --> {"opened":true}

--- Hook:next
local hook <close> = assert(webhook.listen {})
print(select(3, hook:next(0.01)))   --> timeout
