#!/usr/bin/env tests/lua/run
--- sys.loopback: requests of a browser, and others that are refused before a script sees them.
local http     = require "sys.http"
local loopback = require "sys.loopback"
local process  = require "sys.process"
local t        = require "check"
local task     = require "sys.task"

--- Sends bytes as they are and gives what comes back.
local function raw(port, bytes)
  local r = assert(process.run {
    "python3", "-c", [[
import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
s.settimeout(20)
s.sendall(sys.stdin.buffer.read())
out = b""
while True:
    try: piece = s.recv(65536)
    except ConnectionResetError: break
    if not piece: break
    out += piece
sys.stdout.buffer.write(out)
]], port, input = bytes, timeout = 30 })
  return r.stdout
end

local function code_of(...) return (select(3, ...)) end

--- Runs both at once, and gives the results of the second.
local function with_browser(listener, answer, browse)
  return task.map({ answer, browse }, function(fn) return fn(listener) end)[2]
end

t.case("a request comes with path and query, and gets its page", function()
  local listener <close> = assert(loopback.listen())
  local seen
  local r = with_browser(listener, function()
    seen = assert(listener:next(20))
    t.same(listener:next(20).path, seen.path, "it stays the next one until it is answered")
    listener:reply(200, "<p>thanks")
  end, function()
    return assert(http.request { url = ("http://127.0.0.1:%d/callback?code=a%%20b&x=1"):format(listener:port()) })
  end)
  t.same(seen, { method = "GET", path = "/callback", query = "code=a%20b&x=1" })
  t.same({ r.status, r.body, r.headers["cache-control"], r.headers["referrer-policy"], r.headers["content-type"] },
    { 200, "<p>thanks", "no-store", "no-referrer", "text/html; charset=utf-8" })
  t.match(r.headers["content-security-policy"], "default%-src 'none'")
end)

t.case("several come one after another", function()
  local listener <close> = assert(loopback.listen())
  local paths = {}
  task.map({ 0, 1, 2, 3 }, function(n)
    if n > 0 then return http.request { url = ("http://localhost:%d/%d"):format(listener:port(), n) } end
    for _ = 1, 3 do
      paths[#paths + 1] = assert(listener:next(20)).path
      listener:reply(404, "")
    end
  end)
  table.sort(paths)
  t.same(paths, { "/1", "/2", "/3" })
end)

t.case("HEAD gets no page, only its length", function()
  local listener <close> = assert(loopback.listen())
  local answer = with_browser(listener, function()
    t.same(assert(listener:next(20)).method, "HEAD")
    listener:reply(200, "12345")
  end, function()
    return raw(listener:port(), ("HEAD / HTTP/1.1\r\nConnection: close\r\nHost: 127.0.0.1:%d\r\n\r\n"):format(listener:port()))
  end)
  t.match(answer, "Content%-Length: 5\r\n")
  t.match(answer, "\r\n\r\n$")
end)

t.case("a request that is not from a browser of this machine is refused unseen", function()
  local listener <close> = assert(loopback.listen())
  local port = listener:port()
  local host = ("Connection: close\r\nHost: 127.0.0.1:%d\r\n"):format(port)
  local cases = {
    { 403, "GET / HTTP/1.1\r\nConnection: close\r\nHost: evil.example\r\n\r\n" },
    { 403, ("GET / HTTP/1.1\r\nConnection: close\r\nHost: evil.example:%d\r\n\r\n"):format(port) },
    { 400, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n" },
    { 400, "GET / HTTP/1.1\r\n" .. host .. host .. "\r\n" },
    { 405, "POST / HTTP/1.1\r\n" .. host .. "Content-Length: 1\r\n\r\nx" },
    { 505, "GET / HTTP/2.0x\r\n" .. host .. "\r\n" },
    { 400, "GET /\1 HTTP/1.1\r\n" .. host .. "\r\n" },
    { 400, "GET / HTTP/1.1\r\n" .. host .. "nonsense\r\n\r\n" },
    { 400, "GET / HTTP/1.1\r\n" .. host .. "X: a\r\n b: c\r\n\r\n" },
    { 400, "GET / HTTP/1.1\n\n\r\n\r\n" },
    { 414, "GET /" .. ("a"):rep(20000) },
  }
  local alike = { [400] = 505, [414] = 431 }   -- one version of libmicrohttpd says so, another this
  for _, case in ipairs(cases) do
    local status = tonumber(raw(port, case[2]):match "^HTTP/1.1 (%d+) ")
    t.same(status == alike[case[1]] and case[1] or alike[status] == case[1] and case[1] or status, case[1], case[2]:sub(1, 60))
  end
  t.same(code_of(listener:next(0.01)), "timeout")
end)

t.case("a crowd of idle connections does not keep others out for ever, nor hangs the end", function()
  local listener <close> = assert(loopback.listen())
  local crowd <close> = assert(process.start { "python3", "-c", [[
import socket, sys
held = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(40)]
closed = sum(1 for s in held[16:] if s.recv(1) == b"")
print(closed, flush=True)
sys.stdin.read()
]], listener:port() })
  t.same(assert(crowd:read_line(20)), "24")
end)

t.case("a port that is taken says so; one that was given back can be had again", function()
  local first = assert(loopback.listen())
  local port = first:port()
  t.same(code_of(loopback.listen(port)), "address_in_use")
  first:close()
  first:close()
  t.same({ first:port(), code_of(first:next(1)) }, { 0, "closed" })
  first:reply(200, "")
  local second <close> = assert(loopback.listen(port))
  t.same(second:port(), port)
end)

t.case("a task that waits is told of the end", function()
  local listener = assert(loopback.listen())
  local codes = task.map({ 1, 2 }, function(n)
    if n == 1 then return code_of(listener:next(20)) end
    listener:close()
    return code_of(listener:next(20))
  end)
  t.same({ codes[1], codes[2] }, { "closed", "closed" })
end)

t.done()
