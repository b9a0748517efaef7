#!/usr/bin/env tests/lua/run
--- sys.webhook: requests of senders, refusals before a script sees them, and waits that end.
local crypto  = require "sys.crypto"
local http    = require "sys.http"
local json    = require "sys.json"
local process = require "sys.process"
local t       = require "check"
local task    = require "sys.task"
local time    = require "sys.time"
local webhook = require "sys.webhook"

local function code_of(...) return (select(3, ...)) end

local function opened(options) return assert(webhook.listen(options)) end

--- Runs both at once, and gives the sender's results.
local function with_sender(hook, answer, send)
  return task.map({ answer, send }, function(fn) return fn(hook) end)[2]
end

local function post(hook, options)
  options = options or {}
  options.url = hook:url() .. (options.query or "")
  options.query = nil
  options.method = options.method or "POST"
  return assert(http.request(options))
end

--- Sends each text as it is, on a connection of its own, and gives the heads that come back.
local function raw(port, texts)
  local r = assert(process.run {
    "python3", "-c", [[
import json, socket, sys
heads = []
for text in json.load(sys.stdin):
    s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    s.settimeout(20)
    try: s.sendall(text.encode())
    except (BrokenPipeError, ConnectionResetError): pass
    head = b""
    while b"\r\n\r\n" not in head:
        try: piece = s.recv(65536)
        except ConnectionResetError: break
        if not piece: break
        head += piece
    s.close()
    heads.append(head.decode())
json.dump(heads, sys.stdout)
]], port, input = json.encode(texts), timeout = 60 })
  return assert(json.decode(r.stdout))
end


-- --- requests and answers -----------------------------------------------------------------------------

t.case("a request comes with all it has, and gets its answer", function()
  local hook <close> = opened { path = "/build" }
  local seen
  local r = with_sender(hook, function()
    seen = assert(hook:next(20))
    t.same({ seen:json() }, { { name = "ü", ok = true } })
    t.same({ seen:parameters() }, { { a = "1 &", b = "" }, { { "a", "1 &" }, { "b", "" }, { "a", "2" } } })
    t.same(seen:reply(201, { done = true }, { ["X-Seen"] = "yes" }), true)
    t.same(code_of(seen:reply()), "gone", "only once")
  end, function()
    return post(hook, { json = { name = "ü", ok = true }, query = "?a=1%20%26&b&a=2", headers = { ["X-Event"] = "push" } })
  end)
  t.same({ seen.method, seen.path, seen.query }, { "POST", "/build", "a=1%20%26&b&a=2" })
  t.same({ seen.headers["x-event"], seen.headers["content-type"] }, { "push", "application/json" })
  t.same({ r.status, r.body, r.headers["content-type"], r.headers["x-seen"] }, { 201, '{"done":true}', "application/json", "yes" })
  t.same({ r.headers["cache-control"], r.headers["x-content-type-options"] }, { "no-store", "nosniff" })
end)

t.case("answers are text, JSON, or nothing", function()
  local hook <close> = opened()
  for _, case in ipairs {
    { function(r) return r:reply() end, 204, "", nil },
    { function(r) return r:reply(nil, "hello") end, 200, "hello", "text/plain; charset=utf-8" },
    { function(r) return r:reply(nil, "<p>", { ["content-type"] = "text/html" }) end, 200, "<p>", "text/html" },
    { function(r) return r:reply(503, nil, { ["Retry-After"] = 7 }) end, 503, "", nil },
    { function(r) return r:reply(200, ("x"):rep(300000)) end, 200, ("x"):rep(300000), "text/plain; charset=utf-8" },
  } do
    local r = with_sender(hook, function() t.same(case[1](assert(hook:next(20))), true) end, post)
    t.same({ r.status, r.body, r.headers["content-type"] }, { case[2], case[3], case[4] })
  end
end)

t.case("an answer that cannot be sent is an error, and the request still waits for one", function()
  local hook <close> = opened()
  local r = with_sender(hook, function()
    local request = assert(hook:next(20))
    t.same(code_of(request:reply(200, { print })), "not_json")
    t.raises(function() request:reply(99) end, "expected an HTTP status")
    t.raises(function() request:reply(200, "x", { ["Content-Length"] = 7 }) end, "sys_webhook_test.*writes the header Content%-Length")
    t.raises(function() request:reply(200, "x", { ["X-A"] = "b\r\nX-C: d" }) end, "X%-A")
    t.raises(function() request:reply(200, "x", { ["X A"] = "b" }) end, "header")
    request:reply(200, "at last")
  end, post)
  t.same({ r.status, r.body }, { 200, "at last" })
end)

t.case("a form is taken apart", function()
  local hook <close> = opened()
  with_sender(hook, function()
    local request = assert(hook:next(20))
    t.same({ request:form() }, { { text = "a b&c", n = "1" }, { { "text", "a b&c" }, { "n", "1" } } })
    t.same(code_of(request:json()), "json_syntax")
    request:reply()
  end, function() return post(hook, { body = "text=a+b%26c&n=1" }) end)
end)

t.case("other methods, when they are asked for", function()
  local hook <close> = opened { methods = { "GET", "PUT", "HEAD" } }
  for _, method in ipairs { "GET", "PUT" } do
    local r = with_sender(hook, function()
      local request = assert(hook:next(20))
      request:reply(200, request.method)
    end, function() return post(hook, { method = method }) end)
    t.same(r.body, method)
  end
  t.same(post(hook).status, 405)
end)


-- --- refusals -----------------------------------------------------------------------------------------

t.case("a request that is not for the script is refused unseen", function()
  local hook <close> = opened { path = "/hook", max_bytes = 100 }
  local port = hook:port()
  local host = ("Host: 127.0.0.1:%d\r\n"):format(port)
  local empty = "Content-Length: 0\r\n\r\n"
  local cases = {
    { 403, "POST /hook HTTP/1.1\r\nHost: evil.example\r\n" .. empty },
    { 403, ("POST /hook HTTP/1.1\r\nHost: evil.example:%d\r\n"):format(port) .. empty },
    { 400, "POST /hook HTTP/1.1\r\n" .. empty },
    { 400, "POST /hook HTTP/1.1\r\nHost: a@b\r\n" .. empty },
    { 400, "POST /hook HTTP/1.1\r\n" .. host .. host .. empty },
    { 403, "POST /hook HTTP/1.1\r\n" .. host .. "Origin: https://evil.example\r\n" .. empty },
    { 403, "POST /hook HTTP/1.1\r\n" .. host .. "Origin: null\r\n" .. empty },
    { 403, "POST /hook HTTP/1.1\r\n" .. host .. "Origin: http://localhost.evil.example\r\n" .. empty },
    { 404, "POST /other HTTP/1.1\r\n" .. host .. empty },
    { 404, "POST /hook/ HTTP/1.1\r\n" .. host .. empty },
    { 405, "GET /hook HTTP/1.1\r\n" .. host .. "\r\n" },
    { 405, "OPTIONS /hook HTTP/1.1\r\n" .. host .. "\r\n" },
    { 405, "post /hook HTTP/1.1\r\n" .. host .. empty },
    { 413, "POST /hook HTTP/1.1\r\n" .. host .. "Content-Length: 101\r\n\r\n" .. ("x"):rep(101) },
    { 413, "POST /hook HTTP/1.1\r\n" .. host .. "Content-Length: 101\r\n\r\n" },                 -- announced: at once
    { 413, "POST /hook HTTP/1.1\r\n" .. host .. "Content-Length: 99999999999\r\n\r\nx" },
    { 413, "POST /hook HTTP/1.1\r\n" .. host .. "Expect: 100-continue\r\nContent-Length: 101\r\n\r\n" },
    { 400, "POST /hook HTTP/1.0\r\n" .. host .. "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" },
    { 413, "POST /hook HTTP/1.1\r\n" .. host .. "Transfer-Encoding: chunked\r\n\r\n65\r\n" .. ("x"):rep(101) .. "\r\n0\r\n\r\n" },
    { 400, "POST /hook HTTP/1.1\r\n" .. host .. "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy" },
    { 400, "POST /hook HTTP/1.1\r\n" .. host .. "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" },
    { 400, "POST /hook HTTP/1.1\r\n" .. host .. "X: a\r\n b: c\r\n" .. empty },
    { 400, "POST /hook HTTP/1.1\n" .. host .. empty },
    { 431, "POST /hook HTTP/1.1\r\n" .. host .. "X: " .. ("a"):rep(20000) .. "\r\n" .. empty },
  }
  local texts = {}
  for i, case in ipairs(cases) do texts[i] = case[2] end
  local heads = raw(port, texts)
  for i, case in ipairs(cases) do t.same(tonumber(heads[i]:match "^HTTP/1.1 (%d+) "), case[1], case[2]:sub(1, 90)) end
  t.match(heads[11], "\r\nAllow: POST\r\n")
  t.same(code_of(hook:next(0.01)), "timeout")
end)

t.case("a page of another host cannot make a browser send anything, by any method", function()
  local hook <close> = opened { path = "/hook", methods = { "GET", "POST" } }
  local host = ("Host: 127.0.0.1:%d\r\nContent-Length: 0\r\n"):format(hook:port())
  local texts = {}
  for _, method in ipairs { "GET", "POST" } do
    for _, head in ipairs { "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Sec-Fetch-Site: new-kind",
      "Referer: https://evil.example/page", "Referer: https://localhost.evil.example/", "Referer: http://evil.example:80?http://localhost",
      "Sec-Fetch-Site: cross-site\r\nReferer: http://evil.example/", "Sec-Fetch-Site: none\r\nOrigin: https://evil.example" } do
      texts[#texts + 1] = ("%s /hook HTTP/1.1\r\n%s%s\r\n\r\n"):format(method, host, head)
    end
  end
  for i, head in ipairs(raw(hook:port(), texts)) do t.match(head, "^HTTP/1.1 403 ", texts[i]) end
  t.same(code_of(hook:next(0.01)), "timeout")
end)

t.case("pages and tunnels that are allowed may send", function()
  local hook <close> = opened { hosts = { "x.tunnel.example" }, origins = { "https://good.example" } }
  local senders = {
    { Host = "x.tunnel.example" }, { Host = "X.tunnel.example:443" }, { Host = "localhost" },
    { Origin = "https://good.example" }, { Origin = "http://localhost:3000" }, { Origin = "http://127.0.0.1" },
    { ["Sec-Fetch-Site"] = "cross-site", Referer = "https://good.example/a" },
    { ["Sec-Fetch-Site"] = "same-site", Referer = "http://localhost:3000/a?b" },
    { ["Sec-Fetch-Site"] = "none" }, { ["Sec-Fetch-Site"] = "same-origin" }, { Referer = "http://127.0.0.1:8000/" },
  }
  local statuses = with_sender(hook, function()
    for _ = 1, #senders do assert(hook:next(20)):reply() end
  end, function()
    return task.map(senders, function(headers) return post(hook, { headers = headers }).status end)
  end)
  for i in ipairs(senders) do t.same(statuses[i], 204, i) end
end)

t.case("without the secret nothing comes through", function()
  local hook <close> = opened { secret = "open sesame" }
  local body = '{"a":1}'
  local signature = crypto.hex(crypto.hmac_sha256("open sesame", body))
  local wrong = {
    {}, { Authorization = "Bearer open" }, { Authorization = "Basic open sesame" }, { Authorization = "Bearer " },
    { ["X-Hub-Signature-256"] = "sha256=" .. signature:sub(1, -2) .. "0x" }, { ["X-Hub-Signature-256"] = "" },
    { ["X-Hub-Signature-256"] = "sha256=" .. crypto.hex(crypto.hmac_sha256("other", body)) },
    { ["X-Signature"] = signature },
  }
  for i, headers in ipairs(wrong) do
    local r = post(hook, { headers = headers, body = body })
    t.same({ r.status, r.headers["www-authenticate"] }, { 401, 'Bearer realm="webhook"' }, i)
    t.hasnt(r.body, "sesame")
  end
  t.same(post(hook, { headers = { ["X-Hub-Signature-256"] = "sha256=" .. signature }, body = body .. " " }).status, 401)
  t.same(code_of(hook:next(0.01)), "timeout")
  local right = { { Authorization = "Bearer open sesame" }, { ["X-Hub-Signature-256"] = "sha256=" .. signature },
                  { ["X-Hub-Signature-256"] = signature } }
  local statuses = with_sender(hook, function()
    for _ = 1, #right do assert(hook:next(20)):reply() end
  end, function()
    return task.map(right, function(headers) return post(hook, { headers = headers, body = body }).status end)
  end)
  t.same(statuses, { 204, 204, 204, n = 3 })
end)

t.case("the header of signatures has the name that the sender gives it", function()
  local hook <close> = opened { secret = "s", signature = "X-Gitea-Signature" }
  local r = with_sender(hook, function() assert(hook:next(20)):reply() end, function()
    return post(hook, { headers = { ["X-Gitea-Signature"] = crypto.hex(crypto.hmac_sha256("s", "")) } })
  end)
  t.same(r.status, 204)
end)


-- --- limits -------------------------------------------------------------------------------------------

t.case("the queue is bounded, and a sender that is turned away is told to come again", function()
  local hook <close> = opened { queue = 2 }
  local turned_away = 0
  local answers = with_sender(hook, function()
    while turned_away < 3 do time.sleep(0.005) end
    local first, second = assert(hook:next(20)), assert(hook:next(20))
    t.same(code_of(hook:next(0.01)), "timeout")
    first:reply(200, "first")
    second:reply(200, "second")
  end, function()
    return task.map({ 1, 2, 3, 4, 5 }, function()
      local r = post(hook)
      if r.status == 503 then turned_away = turned_away + 1 end
      return r.status .. (r.headers["retry-after"] or "")
    end)
  end)
  table.sort(answers)
  t.same(table.concat(answers, " "), "200 200 5031 5031 5031")
end)

t.case("a request that is not answered in time gets 504", function()
  local hook <close> = opened { timeout = 0.2 }
  local answered
  local r = with_sender(hook, function()
    local request = assert(hook:next(20))
    while not answered do time.sleep(0.005) end
    t.same(code_of(request:reply(200, "late")), "gone")
  end, function()
    answered = post(hook)
    return answered
  end)
  t.same(r.status, 504)
  t.same(post(hook).status, 504, "nor one that nobody takes")
  local next_one = with_sender(hook, function() assert(hook:next(20)):reply() end, post)
  t.same(next_one.status, 204)
end)

t.case("a request that is given up gets 500", function()
  local hook <close> = opened()
  local r = with_sender(hook, function() assert(hook:next(20)).core:release() end, post)
  t.same(r.status, 500)
end)

t.case("a sender that has left cannot be answered", function()
  local hook <close> = opened()
  local code
  for _, patience in ipairs { 0, 0.05, 0.2, 1, 5 } do   -- the kernel tells of it in its own time
    local sender = assert(process.start { "python3", "-c", [[
import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
s.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
print("sent", flush=True)
sys.stdin.read()
]], hook:port() })
    t.same(sender:read_line(20), "sent")
    local request = assert(hook:next(20))
    sender:close()
    time.sleep(patience)
    code = code_of(request:reply(200, "anybody?"))
    if code then break end
  end
  t.same(code, "gone")
  t.same(with_sender(hook, function() assert(hook:next(20)):reply() end, post).status, 204)
end)

t.case("a crowd that sends nothing does not keep others out", function()
  local hook <close> = opened()
  local crowd <close> = assert(process.start { "python3", "-c", [[
import socket, sys
held = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(100)]
print(len(held), flush=True)
sys.stdin.read()
]], hook:port() })
  t.same(crowd:read_line(20), "100")
  t.same(with_sender(hook, function() assert(hook:next(20)):reply() end, post).status, 204)
end)


-- --- many at once -------------------------------------------------------------------------------------

t.case("serve answers many at once, each by what its handler returns", function()
  local hook <close> = opened()
  local now, most = 0, 0
  local answers = with_sender(hook, function()
    hook:serve(function(request)
      now = now + 1
      most = math.max(most, now)
      time.sleep(0.05)
      now = now - 1
      local n = tonumber(request.body)
      if n % 5 == 0 then error "oops" end
      if n % 5 == 1 then return "text " .. n end
      if n % 5 == 2 then return { n = n } end
      if n % 5 == 3 then return 202, "status " .. n, { ["X-N"] = n } end
    end, 6)
  end, function()
    local list = {}
    for i = 1, 40 do list[i] = i end
    local got = task.map(list, function(n)
      local r = post(hook, { body = tostring(n) })
      return ("%d %s %s"):format(r.status, r.body, r.headers["x-n"] or "-")
    end, 20)
    hook:close()
    return got
  end)
  local wanted = { "200 text %d -", '200 {"n":%d} -', "202 status %d %d", "204  -", "500 The request failed.\n -" }
  for n = 1, 40 do t.same(answers[n], wanted[(n - 1) % 5 + 1]:format(n, n)) end
  t.ok(most > 1 and most <= 6, most .. " at once")
end)

t.case("a function answers requests beside the script, until its handle is stopped", function()
  local handle = assert(webhook.listen({ path = "/n" }, function(request)
    if request.body == "bad" then error "oops" end
    if request.body == "worse" then return 99 end
    if request.body == "worst" then return 200, "", { ["Content-Length"] = 7 } end
    return { n = request.body }
  end))
  local port = handle:port()
  local function send(body) return assert(http.request { url = handle:url(), method = "POST", body = body }) end
  t.same({ send "1".body, send "bad".status, send "worse".status, send "worst".status, send "2".body },
    { '{"n":"1"}', 500, 500, 500, '{"n":"2"}' })
  t.same({ handle:runs(), handle.failures, handle:url() }, { true, 3, ("http://127.0.0.1:%d/n"):format(port) })
  handle:stop()
  for _ = 1, 100 do
    if handle:port() == 0 then break end
    time.sleep(0.01)
  end
  t.same({ handle:runs(), handle:port() }, { false, 0 })
  t.same(code_of(http.request { url = ("http://127.0.0.1:%d/n"):format(port), method = "POST" }), "connection_refused")
end)

t.case("a loop closes what it opened", function()
  local port
  task.map({ 1, 2 }, function(i)
    if i == 2 then
      while not port do time.sleep(0.01) end
      return http.request { url = ("http://127.0.0.1:%d/"):format(port), method = "POST" }
    end
    local hook = opened()
    port = hook:port()
    for request in hook, nil, nil, hook do
      request:reply()
      if request.method == "POST" then break end
    end
  end)
  t.same(code_of(http.request { url = ("http://127.0.0.1:%d/"):format(port), method = "POST" }), "connection_refused")
  t.same(#table.pack(webhook.listen()), 4)
end)

t.case("several tasks wait, and one that is cancelled takes nothing with it", function()
  local hook <close> = opened()
  local seen = {}
  task.map({ 1, 2, 3, 4 }, function(i)
    if i == 1 then
      t.same(code_of(task.with_timeout(0.05, function() hook:next() end)), "timeout")
    elseif i == 4 then
      time.sleep(0.3)
      for n = 1, 2 do post(hook, { body = tostring(n) }) end
    else
      local request = assert(hook:next(20))
      seen[#seen + 1] = request.body
      request:reply()
    end
  end)
  table.sort(seen)
  t.same(seen, { "1", "2" })
end)

t.case("closing ends the loops, and refuses the requests that wait", function()
  local hook = opened { queue = 10 }
  local port, held = hook:port(), {}
  local function take()
    for request in hook do
      held[#held + 1] = request
      if #held == 2 then hook:close() end
    end
    return "ended"
  end
  local function send() return post(hook).status end
  local ends = task.map({ take, take, send, send }, function(fn) return fn() end)
  t.same(ends, { "ended", "ended", 503, 503, n = 4 })
  for _, request in ipairs(held) do t.same(code_of(request:reply()), "gone") end
  t.same({ hook:port(), code_of(hook:next(1)) }, { 0, "closed" })
  hook:close()
  t.same(code_of(http.request { url = ("http://127.0.0.1:%d/"):format(port), method = "POST" }), "connection_refused")
  local again <close> = opened { port = port }
  t.same(again:port(), port)
end)

t.case("a hook that is closed right after its answer still sends it", function()
  for _ = 1, 20 do
    local hook = opened()
    local r = with_sender(hook, function()
      assert(hook:next(20)):reply(200, ("x"):rep(100000))
      hook:close()
    end, post)
    t.same({ r.status, #r.body }, { 200, 100000 })
  end
end)

t.case("a port that is taken says so", function()
  local hook <close> = opened()
  t.same(code_of(webhook.listen { port = hook:port() }), "in_use")
  t.same(code_of(webhook.listen { address = "192.0.2.1", secret = "s" }), "bad_address")
  t.same(code_of(webhook.listen { address = "an.example", secret = "s" }), "bad_address")
end)

t.case("options that cannot be meant raise", function()
  t.raises(function() webhook.listen { address = "0.0.0.0" } end, "sys_webhook_test.*other machines can reach 0.0.0.0. Give")
  t.raises(function() webhook.listen { address = "*" } end, "secret")
  t.raises(function() webhook.listen { secret = "" } end, "secret of a webhook is empty")
  t.raises(function() webhook.listen { path = "hook" } end, 'begins with "/"')
  t.raises(function() webhook.listen { prot = 1 } end, "prot")
  t.raises(function() webhook.listen { port = 70000 } end, "port")
  t.raises(function() webhook.listen { max_bytes = 1e9 } end, "max_bytes")
  t.raises(function() webhook.listen { at_once = 65 } end, "sys_webhook_test.*at_once: expected 1 to 64")
  t.raises(function() webhook.listen({}, "fn") end, "expected a function")
  t.raises(function() webhook.listen { methods = "POST" } end, "methods")
end)

t.case("all addresses of this machine, with a secret", function()
  local hook <close> = opened { address = "*", secret = "s" }
  t.match(hook:url(), "^http://127.0.0.1:%d+/$")
  local r = with_sender(hook, function() assert(hook:next(20)):reply() end, function()
    return post(hook, { headers = { Authorization = "Bearer s" } })
  end)
  t.same(r.status, 204)
end)

t.done()
