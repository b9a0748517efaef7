---@meta sys.crypto

--- Digests, random bytes, base64, hexadecimal digits, and comparing secrets. Digests are bytes: crypto.hex(crypto.sha256 "abc").
--- Those of a long text give others their turns. sys.fs.digest() has those of files.
---@class sys.crypto
local crypto = {}

--- The SHA-256 digest.
---@param bytes string
---@return string? digest  32 bytes
---@return string? err
---@return string? code  "module_missing", "module_broken"
function crypto.sha256(bytes) end

--- The SHA-512 digest.
---@param bytes string
---@return string? digest  64 bytes
---@return string? err
---@return string? code  as sha256
function crypto.sha512(bytes) end

--- For protocols that have it: two inputs with the same digest can be made.
---@param bytes string
---@return string? digest  20 bytes
---@return string? err
---@return string? code  as sha256
function crypto.sha1(bytes) end

--- For protocols that have it: two inputs with the same digest can be made.
---@param bytes string
---@return string? digest  16 bytes
---@return string? err
---@return string? code  as sha256
function crypto.md5(bytes) end

--- The checksum of zip and PNG. It finds mistakes, and no intent.
---@param bytes string
---@return integer  0 to 0xFFFFFFFF
function crypto.crc32(bytes) end

--- The HMAC with SHA-256: a digest that only who has the key can make.
---@param key string
---@param bytes string
---@return string? digest  32 bytes
---@return string? err
---@return string? code  as sha256
function crypto.hmac_sha256(key, bytes) end

--- The HMAC with SHA-512.
---@param key string
---@param bytes string
---@return string? digest  64 bytes
---@return string? err
---@return string? code  as sha256
function crypto.hmac_sha512(key, bytes) end

--- The HMAC with SHA-1.
---@param key string
---@param bytes string
---@return string? digest  20 bytes
---@return string? err
---@return string? code  as sha256
function crypto.hmac_sha1(key, bytes) end

--- Unpredictable random bytes.
---@param count integer  0 to 1048576
---@return string
function crypto.random(count) end

--- Whether two strings are equal, in a time that does not depend on where they differ.
---@param a string
---@param b string
---@return boolean
function crypto.same(a, b) end

--- Bytes as hexadecimal digits.
---@param bytes string
---@return string digits  two for each byte, in lower case
function crypto.hex(bytes) end

--- The bytes of hexadecimal digits.
---@param digits string  in lower or upper case
---@return string? bytes
---@return string? err
---@return string? code  "not_hex"
function crypto.unhex(digits) end

--- Bytes as base64, with padding.
---@param bytes string
---@return string text
function crypto.base64(bytes) end

--- With - and _ and without padding.
---@param bytes string
---@return string text
function crypto.base64url(bytes) end

--- Strict: padding where it belongs, nothing else.
---@param text string
---@return string? bytes
---@return string? err
---@return string? code  "not_base64"
function crypto.unbase64(text) end

--- Strict, without padding.
---@param text string
---@return string? bytes
---@return string? err
---@return string? code  "not_base64"
function crypto.unbase64url(text) end

return crypto
