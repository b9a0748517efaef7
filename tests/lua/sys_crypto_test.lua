#!/usr/bin/env tests/lua/run
--- sys.crypto: the test vectors of FIPS 180-4, RFC 4231, RFC 4648 and RFC 7636.
local crypto = require "sys.crypto"
local t      = require "check"

local function hex(bytes)
  return (bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end

t.case("SHA-256", function()
  t.same(hex(crypto.sha256 ""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  t.same(hex(crypto.sha256 "abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  t.same(hex(crypto.sha256(("a"):rep(1000000))), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
end)

t.case("HMAC-SHA-256", function()
  t.same(hex(crypto.hmac_sha256("Jefe", "what do ya want for nothing?")),
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  t.same(hex(crypto.hmac_sha256(("\xaa"):rep(131), "Test Using Larger Than Block-Size Key - Hash Key First")),
    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
end)

t.case("the challenge of a PKCE verifier", function()
  t.same(crypto.base64url(crypto.sha256 "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
    "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
end)

t.case("base64 and back", function()
  local pairs_of = { [""] = "", f = "Zg==", fo = "Zm8=", foo = "Zm9v", foob = "Zm9vYg==", fooba = "Zm9vYmE=", foobar = "Zm9vYmFy" }
  for bytes, text in pairs(pairs_of) do
    t.same({ crypto.base64(bytes), crypto.unbase64(text) }, { text, bytes })
    local bare = text:gsub("=", "")
    t.same({ crypto.base64url(bytes), crypto.unbase64url(bare) }, { bare, bytes })
  end
  t.same({ crypto.base64 "\xfb\xff\xfe", crypto.base64url "\xfb\xff\xfe" }, { "+//+", "-__-" })
  t.same({ crypto.unbase64 "+//+", crypto.unbase64url "-__-" }, { "\xfb\xff\xfe", "\xfb\xff\xfe" })
end)

t.case("what is no base64 is refused, and so is a second way to write a value", function()
  for _, text in ipairs { "Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "====", "=", "Zm 9v", "Zm9v\n", "Zg==Zg==", "-__-", "Zm9v=" } do
    t.same({ select(3, crypto.unbase64(text)) }, { "not_base64" }, text)
  end
  for _, text in ipairs { "Z", "Zh", "Zg==", "+//+", "Zm9v ", "Z\0" } do
    t.same({ select(3, crypto.unbase64url(text)) }, { "not_base64" }, text)
  end
end)

t.case("random bytes have the length asked for, and differ", function()
  t.same({ #crypto.random(0), #crypto.random(1), #crypto.random(1000) }, { 0, 1, 1000 })
  t.same(crypto.random(16) == crypto.random(16), false)
  t.same(pcall(crypto.random, -1), false)
  t.same(pcall(crypto.random, 1048577), false)
end)

t.case("comparing secrets", function()
  t.same({ crypto.same("", ""), crypto.same("abc", "abc"), crypto.same("abc", "abd"), crypto.same("abc", "ab") },
    { true, true, false, false })
end)

t.done()
