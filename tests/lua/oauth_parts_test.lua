#!/usr/bin/env tests/lua/run
--- The parts of lib/oauth that ask nobody: addresses, challenges, scopes.
local challenge = require "oauth.challenge"
local scope     = require "oauth.scope"
local t         = require "check"
local url       = require "oauth.url"

t.case("an address has parts", function()
  t.same(url.parse "HTTPS://Example.COM:8443/a/B?c=d#e",
    { scheme = "https", host = "example.com", port = 8443, path = "/a/B", query = "c=d", origin = "https://example.com:8443" })
  t.same(url.parse("https://x:443/").origin, "https://x")
  t.same(url.parse("http://[::1]:80").origin, "http://[::1]")
  t.same(url.parse("http://[::1]:9").port, 9)
  t.same(url.parse("https://x?").query, "")
  for _, bad in ipairs { "", "x", "ftp://x", "https://", "https:///x", "https://u@x", "https://u:p@x/", "https://x:0", "https://x:65536",
    "https://x:a", "https://x/ y", "https://x\n", "https://x\\y", "https://[x]", "https://x<y", "javascript:alert(1)", "//x", 7 } do
    t.same(url.parse(bad), nil, bad)
  end
end)

t.case("secrets go over https, or stay on this machine", function()
  for text, secure in pairs { ["https://x"] = true, ["http://x"] = false, ["http://localhost:1"] = true, ["http://127.9.9.9"] = true,
    ["http://[::1]"] = true, ["http://localhost.evil.example"] = false, ["http://127.0.0.1.evil.example"] = false } do
    t.same(url.is_secure(url.parse(text)), secure, text)
  end
end)

t.case("a server may name addresses that are as near as its own, or farther away", function()
  for _, case in ipairs { { "https://10.0.0.1", "https://10.0.0.2", false }, { "https://x.example", "https://10.0.0.2", false },
    { "https://10.0.0.1", "https://x.example", true }, { "https://localhost", "https://10.0.0.2", true },
    { "https://localhost", "https://127.0.0.1", false }, { "https://127.1", "https://127.0.0.1", true } } do
    t.same(url.is_nearer(url.parse(case[1]), url.parse(case[2])), case[3], case[1])
  end
end)

t.case("a resource has one name", function()
  t.same(url.resource(url.parse "HTTPS://X.example/#f"), "https://x.example")
  t.same(url.resource(url.parse "https://x.example/mcp/"), "https://x.example/mcp/")
end)

t.case("a resource stands for what is at it and below it", function()
  local server = url.parse "https://x.example/a/mcp"
  for text, covers in pairs { ["https://x.example"] = true, ["https://x.example/"] = true, ["https://x.example/a"] = true,
    ["https://x.example/a/mcp"] = true, ["https://x.example/a/mcp/"] = true, ["https://x.example/a/m"] = false,
    ["https://x.example/b"] = false, ["https://y.example/a/mcp"] = false, ["http://x.example/a/mcp"] = false,
    ["https://x.example:8443/a/mcp"] = false, ["https://x.example/a/mcp/more"] = false, ["https://x.example/a/mcp?q"] = false } do
    t.same(url.covers(url.parse(text), server), covers, text)
  end
end)

t.case("parameters go out encoded and come back once", function()
  t.same(url.encode { { "a", "b c&d" }, { "n", nil }, { "e", "é" } }, "a=b%20c%26d&e=%C3%A9")
  t.same(url.decode "a=b+c%26&x&y=1=2", { a = "b c&", x = "", y = "1=2" })
  t.same(url.decode "a=1&a=2", nil)
  t.same(url.with("https://x/a?b=c", { { "d", 1 } }), "https://x/a?b=c&d=1")
end)

t.case("challenges are read as RFC 9110 writes them", function()
  local function read(text)
    local list = {}
    for i, one in ipairs(challenge.parse(text)) do list[i] = { one.scheme, one.parameters } end
    return list
  end
  t.same(read 'Bearer scope="a b", resource_metadata="https://x/y,z"',
    { { "bearer", { scope = "a b", resource_metadata = "https://x/y,z" } } })
  t.same(read 'Basic realm="x", Bearer error=invalid_token , scope = "s"',
    { { "basic", { realm = "x" } }, { "bearer", { error = "invalid_token", scope = "s" } } })
  t.same(read 'Newauth realm="apps", type=1, title="Login to \\"apps\\"", Basic realm="simple"',
    { { "newauth", { realm = "apps", type = "1", title = 'Login to "apps"' } }, { "basic", { realm = "simple" } } })
  t.same(read 'Negotiate YII=, Bearer A="b"', { { "negotiate", {} }, { "bearer", { a = "b" } } })
  t.same(read "Negotiate YII=", { { "negotiate", {} } })
  t.same(read ",, Bearer,\tDPoP", { { "bearer", {} }, { "dpop", {} } })
  t.same(read 'Bearer scope="a", scope="b"', { { "bearer", { scope = "a" } } })
  t.same(read "Bearer resource_metadata=https://x:8/y?z=1, error=e", -- a URL needs quotes, and some leave them out
    { { "bearer", { resource_metadata = "https://x:8/y?z=1", error = "e" } } })
  t.same(read "Basic YWI6Yw==, Bearer a=b", { { "basic", {} }, { "bearer", { a = "b" } } })
  t.same(read "", {})
  t.same(read 'Bearer scope="never ends', { { "bearer", {} } })
  t.same(read 'Bearer realm="x" nonsense, scope="a"', { { "bearer", { realm = "x" } }, { "nonsense", { scope = "a" } } })
  t.same(read(("Bearer "):rep(9000)), {})
end)

t.case("any bytes are read to an end", function()
  local alphabet, seed = { "Bearer", "Basic", " ", ",", "=", '"', "\\", "a", "realm", "\t", "é", "\0", "Zm9v=" }, 42
  for _ = 1, 3000 do
    local parts = {}
    for i = 1, 12 do
      seed = (seed * 1103515245 + 12345) % 2147483648
      parts[i] = alphabet[seed // 65536 % #alphabet + 1]
    end
    t.same(type(challenge.bearer(table.concat(parts))), "table")
  end
end)

t.case("the Bearer challenge that names the metadata counts", function()
  t.same(challenge.bearer 'Bearer realm="a", Bearer resource_metadata="u"', { resource_metadata = "u" })
  t.same(challenge.bearer 'Basic realm="a"', {})
  t.same(challenge.bearer(nil), {})
end)

t.case("scopes are sets", function()
  t.same(scope.union("a b", nil, { "b", "c" }, ""), "a b c")
  t.same(scope.union(nil, ""), nil)
  t.same({ scope.within("a", "b a"), scope.within("a c", "a b"), scope.within(nil, nil) }, { true, false, true })
end)

t.case("the scopes to ask for", function()
  local plain, lasting = {}, { scopes_supported = { "a", "offline_access" } }
  t.same(scope.choose("a", { "b", "c" }, nil, plain), "a")
  t.same(scope.choose(nil, { "b", "c" }, nil, plain), "b c")
  t.same(scope.choose(nil, nil, nil, plain), nil)
  t.same(scope.choose("w", { "b" }, "r", plain), "r w")
  t.same(scope.choose("a", nil, nil, lasting), "a offline_access")
  t.same(scope.choose(nil, nil, nil, lasting), nil)
end)

t.done()
