#!/usr/bin/env tests/lua/run
--- sys.url: RFC 3986, with the examples of its section 5.4, and queries.
local t   = require "check"
local url = require "sys.url"

local function code_of(...) return (select(3, ...)) end

local PARSED = {
  ["https://User:pw@Example.COM:8443/a/b?q=1#top"] = { scheme = "https", userinfo = "User:pw", host = "example.com", port = 8443,
    path = "/a/b", query = "q=1", fragment = "top" },
  ["HTTP://example.com"] = { scheme = "http", host = "example.com", port = 80, path = "" },
  ["wss://[2001:DB8::7]/c"] = { scheme = "wss", host = "[2001:db8::7]", port = 443, path = "/c" },
  ["http://[::ffff:192.0.2.1]:1/"] = { scheme = "http", host = "[::ffff:192.0.2.1]", port = 1, path = "/" },
  ["http://127.0.0.1:0?"] = { scheme = "http", host = "127.0.0.1", port = 0, path = "", query = "" },
  ["file:///etc/a%20b"] = { scheme = "file", host = "", path = "/etc/a%20b" },
  ["mailto:ann@example.com?subject=x"] = { scheme = "mailto", path = "ann@example.com", query = "subject=x" },
  ["urn:isbn:0451450523"] = { scheme = "urn", path = "isbn:0451450523" },
  ["http://a/b?c?d/e#f?g/h"] = { scheme = "http", host = "a", port = 80, path = "/b", query = "c?d/e", fragment = "f?g/h" },
  ["x-my.app+1:go"] = { scheme = "x-my.app+1", path = "go" },
}

t.case("a URL is taken apart", function()
  for given, parts in pairs(PARSED) do t.same(url.parse(given), parts, given) end
end)

t.case("text that is not a URL is refused, and is not quoted", function()
  local cases = {
    { "example.com/a", "begins with a scheme" }, { "/a", "begins with a scheme" }, { "", "begins with a scheme" },
    { "1http://a", "begins with a scheme" }, { "ht tp://a", "begins with a scheme" },
    { "http://", "no host behind http://" }, { "https:/a", "no host" }, { "http://:80/", "no host" }, { "http:a", "no host" },
    { "http://a b/", "host of the URL has the byte %%20. Write it as %%20" }, { "http://a/b c", "path of the URL has the byte %%20" },
    { "http://a/ä", "path of the URL has the byte %%C3" }, { "http://ä/", "ASCII form, xn%-%-" },
    { "http://a/b\\c", "Write it as %%5C" },
    { "http://a/%zz", "%% without two" }, { "http://a/%a", "%% without two" }, { "http://a?%", "the query of the URL has a %%" },
    { "http://a%2Fb/", "encoded byte" }, { "http://a:b/", "port" }, { "http://a:65536/", "port" },
    { "http://a:-1/", "port" }, { "http://a:99999999999/", "port" },
    { "http://a:1:2/", "host of the URL has the byte :" }, { "http://u@v@w/", "host of the URL has the byte @" },
    { "http://[::1/", "not an IPv6" }, { "http://[1:2]/", "not an IPv6" }, { "http://[1::2::3]/", "not an IPv6" },
    { "http://[12345::]/", "not an IPv6" }, { "http://[::1]x/", "not an IPv6" }, { "http://[::256.0.0.1]/", "not an IPv6" },
    { "http://[1:2:3:4:5:6:7:8:9]/", "not an IPv6" }, { "http://[fe80::1%25eth0]/", "not an IPv6" },
    { "http://a/\0", "byte %%00" }, { "http://a/\r\nHost: b", "byte %%0D" }, { "http://a#b#c", "fragment of the URL has the byte #" },
    { "http://a/" .. ("x"):rep(65536), "more than 65536 bytes" },
  }
  for _, case in ipairs(cases) do
    local parts, err, code = url.parse(case[1])
    t.same({ parts, code }, { nil, "not_url" }, case[1]:sub(1, 40))
    t.match(err, case[2], case[1]:sub(1, 40))
  end
  t.hasnt(select(2, url.parse "https://user:secret@example.com/a b"), "secret")
end)

t.case("references, as in RFC 3986, 5.4", function()
  local examples = {
    ["g:h"] = "g:h", ["g"] = "http://a/b/c/g", ["./g"] = "http://a/b/c/g", ["g/"] = "http://a/b/c/g/", ["/g"] = "http://a/g",
    ["//g"] = "http://g", ["?y"] = "http://a/b/c/d;p?y", ["g?y"] = "http://a/b/c/g?y", ["#s"] = "http://a/b/c/d;p?q#s",
    ["g#s"] = "http://a/b/c/g#s", ["g?y#s"] = "http://a/b/c/g?y#s", [";x"] = "http://a/b/c/;x", ["g;x"] = "http://a/b/c/g;x",
    ["g;x?y#s"] = "http://a/b/c/g;x?y#s", [""] = "http://a/b/c/d;p?q", ["."] = "http://a/b/c/", ["./"] = "http://a/b/c/",
    [".."] = "http://a/b/", ["../"] = "http://a/b/", ["../g"] = "http://a/b/g", ["../.."] = "http://a/", ["../../"] = "http://a/",
    ["../../g"] = "http://a/g", ["../../../g"] = "http://a/g", ["../../../../g"] = "http://a/g", ["/./g"] = "http://a/g",
    ["/../g"] = "http://a/g", ["g."] = "http://a/b/c/g.", [".g"] = "http://a/b/c/.g", ["g.."] = "http://a/b/c/g..",
    ["..g"] = "http://a/b/c/..g", ["./../g"] = "http://a/b/g", ["./g/."] = "http://a/b/c/g/", ["g/./h"] = "http://a/b/c/g/h",
    ["g/../h"] = "http://a/b/c/h", ["g;x=1/./y"] = "http://a/b/c/g;x=1/y", ["g;x=1/../y"] = "http://a/b/c/y",
    ["g?y/./x"] = "http://a/b/c/g?y/./x", ["g?y/../x"] = "http://a/b/c/g?y/../x", ["g#s/./x"] = "http://a/b/c/g#s/./x",
    ["g#s/../x"] = "http://a/b/c/g#s/../x",
  }
  for reference, whole in pairs(examples) do t.same(url.join("http://a/b/c/d;p?q", reference), whole, reference) end
end)

t.case("references beyond the examples", function()
  t.same(url.join("http://a", "b"), "http://a/b")
  t.same(url.join("http://a?x", "?y"), "http://a?y")
  t.same(url.join("http://u@a:81/x", "/y"), "http://u@a:81/y")
  t.same(url.join("https://a/", "//B:443/c/../d"), "https://b/d")
  t.same(url.join("http://a/b", "HTTPS://C/./d"), "https://c/d")
  t.same(url.join("http://a/b/", "a%20b"), "http://a/b/a%20b")
  t.same(url.join("http://a//b/../c", "d"), "http://a//d")
  t.same(code_of(url.join("a/b", "c")), "not_url")
  t.same(code_of(url.join("http://a/", "b c")), "not_url")
  t.same(code_of(url.join("http://a/", "http:b")), "not_url")
  t.same(code_of(url.join("http://a/", "1:b")), "not_url")
end)

t.case("a URL is put together, and encoded where it has to be", function()
  t.same(url.build { scheme = "https", host = "Example.com", path = { "a b", "c/d", "ü" }, query = { q = "ä&b", n = 2 } },
    "https://example.com/a%20b/c%2Fd/%C3%BC?n=2&q=%C3%A4%26b")
  t.same(url.build { scheme = "http", host = "a", port = 80, path = "b c/%20/%x", query = "x y", fragment = "#" },
    "http://a/b%20c/%20/%25x?x%20y#%23")
  t.same(url.build { scheme = "http", host = "[::1]", port = 8080, userinfo = "me@home:a/b" }, "http://me%40home:a%2Fb@[::1]:8080")
  t.same(url.build { scheme = "file", host = "", path = "/tmp/a b.txt" }, "file:///tmp/a%20b.txt")
  t.same(url.build { scheme = "mailto", path = "ann@example.com", query = { subject = "a b" } }, "mailto:ann@example.com?subject=a%20b")
  for given in pairs(PARSED) do
    local parts = assert(url.parse(given))
    t.same(url.parse(assert(url.build(parts))), parts, given)
  end
end)

t.case("no part of a URL can become another one", function()
  for _, host in ipairs { "a/b", "a?b", "a#b", "u@a", "a:80", "a b", "[::1", "a\\b", "" } do
    t.same(code_of(url.build { scheme = "http", host = host, path = "/" }), "not_url", host)
  end
  t.same(code_of(url.build { scheme = "http", host = "a", port = 70000 }), "not_url")
  t.same(code_of(url.build { scheme = "a b", host = "a" }), "not_url")
  t.same(code_of(url.build { scheme = "http://evil.example/", host = "a" }), "not_url")
  t.same(code_of(url.build { host = "a", path = "/b" }), "not_url")
  t.same(code_of(url.build { scheme = "x", path = "//evil.example" }), "not_url")
  t.same(url.parse(url.build { scheme = "http", host = "a", path = "/?#", query = "#", userinfo = "@/?#" }),
    { scheme = "http", userinfo = "%40%2F%3F%23", host = "a", port = 80, path = "/%3F%23", query = "%23" })
end)

t.case("queries are written and read", function()
  t.same(url.encode_query { b = 1, a = "x y&=+", c = { "1", "2" }, d = true }, "a=x%20y%26%3D%2B&b=1&c=1&c=2&d=true")
  t.same(url.encode_query { { "z", 1 }, { "a", "ü" }, { "z", 2 } }, "z=1&a=%C3%BC&z=2")
  t.same(url.encode_query {}, "")
  t.same({ url.decode_query "a=1&b=x+y%2B&a=2&c&=d&e=f=g&%C3%BC=%" }, {
    { a = "1", b = "x y+", c = "", [""] = "d", e = "f=g", ["ü"] = "%" },
    { { "a", "1" }, { "b", "x y+" }, { "a", "2" }, { "c", "" }, { "", "d" }, { "e", "f=g" }, { "ü", "%" } } })
  t.same({ url.decode_query "" }, { {}, {} })
  t.same({ url.decode_query "&&a&&" }, { { a = "" }, { { "a", "" } } })
end)

t.case("escape and unescape any bytes", function()
  local all = {}
  for i = 0, 255 do all[#all + 1] = string.char(i) end
  all = table.concat(all)
  t.same(url.unescape(url.escape(all)), all)
  t.match(url.escape(all), "^[A-Za-z0-9%%._~-]+$")
  t.same(url.escape "a-b_c.d~e f/ä", "a-b_c.d~e%20f%2F%C3%A4")
  t.same(url.unescape "%41%zz%4", "A%zz%4")
end)

t.case("the origin of a URL", function()
  t.same(url.origin "HTTPS://u:p@Example.com:443/a?b", "https://example.com")
  t.same(url.origin "http://[::1]:8080", "http://[::1]:8080")
  t.same(code_of(url.origin "mailto:a@b"), "not_url")
  t.same(code_of(url.origin "a"), "not_url")
end)

t.done()
