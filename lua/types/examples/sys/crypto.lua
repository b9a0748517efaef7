local crypto = require "sys.crypto"

--- sha256
print(crypto.hex(crypto.sha256 "abc"):sub(1, 16))   --> ba7816bf8f01cfea

--- sha512
print(#crypto.sha512 "abc")   --> 64

--- sha1
print(crypto.hex(crypto.sha1 "abc"))   --> a9993e364706816aba3e25717850c26c9cd0d89d

--- md5
print(crypto.hex(crypto.md5 "abc"))   --> 900150983cd24fb0d6963f7d28e17f72

--- crc32
print(("%08x"):format(crypto.crc32 "123456789"))   --> cbf43926

--- hmac_sha256
-- What a webhook's sender signs its body with.
local signature = "sha256=" .. crypto.hex(crypto.hmac_sha256("secret", "body"))
print(#signature)   --> 71

--- random
print(#crypto.random(16), crypto.random(16) ~= crypto.random(16))   --> 16	true

--- same
print(crypto.same("token", "token"), crypto.same("token", "Token"))   --> true	false

--- hex
print(crypto.hex "\0\xFF")   --> 00ff

--- unhex
print(#crypto.unhex "00ff", select(3, crypto.unhex "0g"))   --> 2	not_hex

--- base64
print(crypto.base64 "Perigee")   --> UGVyaWdlZQ==

--- base64url
print(crypto.base64url "\xFB\xFF\xFE")   --> -__-

--- unbase64
print(crypto.unbase64 "UGVyaWdlZQ==")   --> Perigee

--- unbase64url
print(crypto.unbase64url "-__-" == "\xFB\xFF\xFE")   --> true
