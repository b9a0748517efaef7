local url = require "sys.url"

--- escape
print("https://example.com/" .. url.escape "a b/c")   --> https://example.com/a%20b%2Fc

--- unescape
print(url.unescape "a%20b")   --> a b

--- encode_query
print(url.encode_query { q = "ä", tag = { "x", "y" } })   --> q=%C3%A4&tag=x&tag=y

--- decode_query
local values, list = url.decode_query "a=1&b=x+y&a=2"
print(values.a, values.b, list[3][2])   --> 1	x y	2

--- parse
local parts = assert(url.parse "https://Example.com:8443/a?q=1#top")
print(parts.scheme, parts.host, parts.port)            --> https	example.com	8443
print(parts.path, parts.query, parts.fragment)         --> /a	q=1	top
print(select(3, url.parse "https://exa mple.com"))     --> not_url

--- build
print(url.build { scheme = "https", host = "example.com", path = { "a b", "c/d" }, query = { q = "ä" } })
--> https://example.com/a%20b/c%2Fd?q=%C3%A4

--- join
print(url.join("https://example.com/a/b", "../c?x"))   --> https://example.com/c?x

--- origin
print(url.origin "https://example.com:443/a?q=1")   --> https://example.com
