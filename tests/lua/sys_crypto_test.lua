#!/usr/bin/env tests/lua/run
--- sys.crypto: the test vectors of FIPS 180-4, RFC 1321, RFC 2202, RFC 4231, RFC 4648 and RFC 7636.
local crypto = require "sys.crypto"
local t      = require "check"
local task   = require "sys.task"
local time   = require "sys.time"

local hex = crypto.hex

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

t.case("SHA-512, SHA-1 and MD5", function()
  t.same(hex(crypto.sha512 ""), "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
    .. "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e")
  t.same(hex(crypto.sha512 "abc"), "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
    .. "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
  t.same(hex(crypto.sha1 "abc"), "a9993e364706816aba3e25717850c26c9cd0d89d")
  t.same(hex(crypto.sha1(("a"):rep(1000000))), "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
  t.same(hex(crypto.md5 ""), "d41d8cd98f00b204e9800998ecf8427e")
  t.same(hex(crypto.md5 "message digest"), "f96b697d7cb7938d525a2f31aaf161d0")
end)

t.case("CRC-32", function()
  t.same({ crypto.crc32 "", crypto.crc32 "123456789", crypto.crc32(("\0"):rep(32)) }, { 0, 0xCBF43926, 0x190A55AD })
end)

t.case("HMAC-SHA-1 and HMAC-SHA-512", function()
  t.same(hex(crypto.hmac_sha1("Jefe", "what do ya want for nothing?")), "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
  t.same(hex(crypto.hmac_sha1(("\xaa"):rep(80), "Test Using Larger Than Block-Size Key - Hash Key First")),
    "aa4ae5e15272d00e95705637ce8a3b55ed402112")
  t.same(hex(crypto.hmac_sha512("Jefe", "what do ya want for nothing?")),
    "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
      .. "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737")
  t.same(hex(crypto.hmac_sha256("", "")), "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
end)

t.case("the digest of a long text gives others their turns, and is the same", function()
  local long, naps, done, digests = ("0123456789abcdef"):rep(4000000), 0, false, nil
  task.map({ 1, 2 }, function(i)
    if i == 1 then
      digests = { hex(crypto.md5(long)), hex(crypto.hmac_sha256("key", long)), crypto.crc32(long) }
      done = true
      return
    end
    while not done do
      time.sleep(0.001)
      naps = naps + 1
    end
  end)
  t.same(digests, { "a99d8b558b62979a0620998192d7b4f5", "2f9ca27e77680ab92bd93a960e3154651b607dbfa035f185e4ae406c5b3690a9",
    0x5D4BBF51 })
  t.ok(naps >= 5, naps .. " naps")
end)

t.case("hexadecimal digits and back", function()
  t.same({ crypto.hex "", crypto.hex "\0\x7f\xff", crypto.unhex "", crypto.unhex "007FfF" }, { "", "007fff", "", "\0\x7f\xff" })
  for _, digits in ipairs { "0", "0g", "g0", " 00", "0x", "00\0\0" } do
    t.same(select(3, crypto.unhex(digits)), "not_hex", digits)
  end
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

t.case("text that is not base64 is refused, and so is a second way to write a value", function()
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
