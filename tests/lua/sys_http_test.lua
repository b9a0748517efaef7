#!/usr/bin/env tests/lua/run
--- sys.http against tests/lib/http_double.py.
local t       = require "check"
local engine  = require "sys.engine"
local http    = require "sys.http"
local json    = require "sys.json"
local process = require "sys.process"
local task    = require "sys.task"

local double <close> = assert(process.start {
  "python3", "tests/lib/http_double.py", env = { NO_PROXY = "127.0.0.1", no_proxy = "127.0.0.1" },
})
local base = "http://127.0.0.1:" .. assert(double:read_line())

local function get(path, more)
  local request = { url = base .. path }
  for key, value in pairs(more or {}) do request[key] = value end
  return http.request(request)
end

local function code_of(...) return (select(3, ...)) end

t.case("a response has status, headers, body, address and time", function()
  local r = get "/twice"
  t.same({ r.status, r.body, r.url, r.attempts }, { 200, "", base .. "/twice", 1 })
  t.same({ r.headers["set-cookie"], r.headers["x-empty"] }, { "a=1, b=2", "" })
  t.same(math.type(r.elapsed), "float")
end)

t.case("method, headers and body arrive", function()
  local seen = json.decode(get("/echo?a=1", { method = "PATCH", headers = { ["X-A"] = "b c" }, body = "body" }).body)
  t.same({ seen.method, seen.target, seen.headers["x-a"], seen.body }, { "PATCH", "/echo?a=1", "b c", "body" })
  t.same(json.decode(get("/echo").body).method, "GET")
  t.same(json.decode(get("/echo", { body = "x" }).body).method, "POST")
  t.match(json.decode(get("/echo").body).headers["user-agent"], "^perigee/")
end)

t.case("json is the body, with its type", function()
  local seen = json.decode(get("/echo", { json = { list = json.array(), n = 1 } }).body)
  t.same({ seen.method, seen.headers["content-type"], seen.body }, { "POST", "application/json", '{"list":[],"n":1}' })
  t.same(code_of(get("/echo", { json = print })), "not_json")
end)

t.case("any status is a response", function()
  for _, status in ipairs { 201, 204, 304, 400, 404, 429, 500 } do t.same(get("/status/" .. status).status, status) end
end)

t.case("bodies are joined from chunks, and unpacked", function()
  t.same(get("/chunked").body, "one,two,three")
  t.same(get("/gzip").body, ("small when squeezed "):rep(50))
  t.same(#get("/bytes/3000000").body, 3000000)
end)

t.case("redirects are followed, or not", function()
  local path = "/redirect?to=" .. http.escape(base .. "/chunked")
  t.same({ get(path).body, get(path).url }, { "one,two,three", base .. "/chunked" })
  t.same(get(path, { redirects = 0 }).status, 302)
  t.same(code_of(get "/circle"), "too_many_redirects")
end)

t.case("failures have codes", function()
  t.same(code_of(get "/cut"), "cut_off")
  t.same(code_of(get "/garbage"), "bad_response")
  t.same(code_of(get("/never", { timeout = 0.1 })), "timeout")
  t.same(code_of(get("/stall?send=x", { idle_timeout = 0.1 })), "timeout")
  t.same(code_of(get("/bytes/1000", { max_bytes = 999 })), "too_large")
  t.same(code_of(get("/bomb/100000000", { max_bytes = 1000000 })), "too_large")
  t.same(code_of(http.request { url = "http://127.0.0.1:1/" }), "connection_refused")
  t.same(code_of(http.request { url = "file:///etc/passwd" }), "bad_url")
  t.same(code_of(http.request { url = "http://" }), "bad_url")
  t.same(code_of(get("/echo", { headers = { ["X-A"] = "a\nX-B: c" } })), "bad_argument")
end)

t.case("tries are repeated when asked for", function()
  local quick = { base = 0.001 }
  t.same(get("/flaky/a?fail=2&status=503").status, 503)
  local r = get("/flaky/b?fail=2&status=503", { retry = quick })
  t.same({ r.status, r.attempts }, { 200, 3 })
  t.same(get("/flaky/c?fail=9&status=429", { retry = { attempts = 4, base = 0.001 } }).attempts, 4)
  t.same(get("/flaky/d?fail=1&status=503", { body = "x", retry = quick }).status, 503)
  t.same(get("/flaky/e?fail=1&status=503", { body = "x", retry = { base = 0.001, unsafe = true } }).status, 200)
  t.same(get("/drop/f?fail=1", { retry = quick }).body, "2")
end)

t.case("no error has a secret in it", function()
  local function err_of(request)
    local ok, _, err = pcall(http.request, request)
    if ok then return err end
    return _
  end
  local secret = { Authorization = "Bearer sesame" }
  for _, request in ipairs {
    { url = "http://127.0.0.1:1/?key=sesame", headers = secret },
    { url = base .. "/cut?key=sesame", headers = secret },
    { url = base .. "/never?key=sesame", headers = secret, timeout = 0.05 },
    { url = base .. "/echo", headers = { Authorization = "sesame\0" } },
    { url = base .. "/echo", headers = { Authorization = "sesame\r\nX: y" } },
    { url = "http://user:sesame@127.0.0.1:1/", headers = secret },
  } do
    local err = err_of(request)
    t.ok(type(err) == "string" and #err > 10)
    t.hasnt(err, "sesame")
  end
end)

t.case("many requests go on at once", function()
  local items = {}
  for i = 1, 60 do items[i] = i end
  local sizes = task.map(items, function(i) return #get("/bytes/" .. i * 1000).body end, 30)
  for i = 1, 60 do t.same(sizes[i], i * 1000) end
end)

t.case("escape leaves nothing that means something in a URL", function()
  t.same(http.escape "a b/c?d&e=f%é~", "a%20b%2Fc%3Fd%26e%3Df%25%C3%A9~")
  t.same(http.escape "", "")
end)

t.case("a stream of events", function()
  for _, each in ipairs { 1, 5, 1000 } do
    local stream <close> = assert(http.stream { url = base .. "/sse?each=" .. each })
    t.same({ stream.status, stream.headers["content-type"] }, { 200, "text/event-stream" })
    local seen = {}
    for event in function() return (stream:event()) end do seen[#seen + 1] = event end
    t.same(seen, {
      { event = "message", data = "first" },
      { event = "delta", data = '{"text":"a\\nb"}', id = "7" },
      { event = "message", data = "line 1\nline 2", id = "7" },
      { event = "message", data = "€", id = "7" },
      { event = "message", data = "[DONE]", id = "7" },
    })
    t.same(select("#", stream:event()), 1, "the end is nil alone")
  end
end)

t.case("a stream of bytes, at the reader's pace", function()
  local stream <close> = http.stream { url = base .. "/bytes/5000000" }
  local size, most = 0, 0
  for bytes in function() return (stream:read()) end do
    get "/echo" -- meanwhile the server is held back
    size, most = size + #bytes, math.max(most, #bytes)
  end
  t.same(size, 5000000)
  t.ok(most < 600000, "as much as " .. most .. " was collected")
end)

t.case("a stream that breaks gives what came, then the error", function()
  local stream <close> = http.stream { url = base .. "/cut" }
  t.same(stream:read(), "ten bytes.")
  t.same(code_of(stream:read()), "cut_off")
  t.same(code_of(stream:read()), "cut_off")
  t.same(code_of(http.stream { url = base .. "/reset" }) ~= nil, true)
  t.same(http.stream { url = base .. "/status/404" }.status, 404)
end)

t.case("a closed stream is closed", function()
  local stream = http.stream { url = base .. "/stall?send=x" }
  t.same(stream:read(), "x")
  stream:close()
  stream:close()
  t.same(code_of(stream:read()), "closed")
end)

t.case("a stopped task ends its transfers", function()
  for _, path in ipairs { "/never", "/stall?send=x" } do
    local _, _, code = task.with_timeout(0.05, function()
      local stream <close> = http.stream { url = base .. path }
      while stream:read() do end
    end)
    t.same(code, "timeout")
  end
  t.same(code_of(task.with_timeout(0.05, function() return get "/never" end)), "timeout")
end)

t.case("wrong arguments raise", function()
  t.raises(function() http.request "x" end, "table expected")
  t.raises(function() http.request {} end, "'url': string expected")
  t.raises(function() get("/", { header = {} }) end, "'header': there is no such option")
  t.raises(function() get("/", { body = "x", json = 1 }) end, "there is a body already")
  t.raises(function() get("/", { retry = { tries = 1 } }) end, "#1 to 'request' %(field 'retry%.tries'")
  t.raises(function() get("/", { timeout = 0 }) end, "'timeout'")
  t.raises(function() http.escape() end, "string expected")
end)

t.case("guest scripts have none of it", function()
  local result, err = engine.run_lua 'return require "sys.http"'
  t.same(result, nil)
  t.has(err, "module 'sys.http' is not available here")
end)

t.done()
