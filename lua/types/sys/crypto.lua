---@meta sys.crypto

--- Digests, random bytes, base64, hexadecimal digits, and comparison of secrets. Digests are bytes: crypto.hex(crypto.sha256
--- "abc"). Other tasks run while a long text is digested. sys.fs.digest() returns the digests of files.
---@class sys.crypto
local crypto = {}

--- Returns the SHA-256 digest.
---@param bytes string
---@return string? digest  32 bytes
---@return string? err
---@return string? code  "module_missing", "module_broken"
function crypto.sha256(bytes) end

--- Returns the SHA-512 digest.
---@param bytes string
---@return string? digest  64 bytes
---@return string? err
---@return string? code  as sha256
function crypto.sha512(bytes) end

--- Returns the SHA-1 digest, for protocols that have it: it is possible to make two inputs with the same digest.
---@param bytes string
---@return string? digest  20 bytes
---@return string? err
---@return string? code  as sha256
function crypto.sha1(bytes) end

--- Returns the MD5 digest, for protocols that have it: it is possible to make two inputs with the same digest.
---@param bytes string
---@return string? digest  16 bytes
---@return string? err
---@return string? code  as sha256
function crypto.md5(bytes) end

--- Returns the checksum of zip and PNG. It detects mistakes, but not intent.
---@param bytes string
---@return integer  0 to 0xFFFFFFFF
function crypto.crc32(bytes) end

--- Returns the HMAC with SHA-256: a digest that can be made only with the key.
---@param key string
---@param bytes string
---@return string? digest  32 bytes
---@return string? err
---@return string? code  as sha256
function crypto.hmac_sha256(key, bytes) end

--- Returns the HMAC with SHA-512.
---@param key string
---@param bytes string
---@return string? digest  64 bytes
---@return string? err
---@return string? code  as sha256
function crypto.hmac_sha512(key, bytes) end

--- Returns the HMAC with SHA-1.
---@param key string
---@param bytes string
---@return string? digest  20 bytes
---@return string? err
---@return string? code  as sha256
function crypto.hmac_sha1(key, bytes) end

--- Returns unpredictable random bytes.
---@param count integer  0 to 1048576
---@return string
function crypto.random(count) end

--- True if two strings are equal. The time does not depend on where they differ.
---@param a string
---@param b string
---@return boolean
function crypto.same(a, b) end

--- Returns bytes as hexadecimal digits.
---@param bytes string
---@return string digits  two for each byte, in lower case
function crypto.hex(bytes) end

--- Returns the bytes of hexadecimal digits.
---@param digits string  in lower or upper case
---@return string? bytes
---@return string? err
---@return string? code  "not_hex"
function crypto.unhex(digits) end

--- Returns bytes as base64, with padding.
---@param bytes string
---@return string text
function crypto.base64(bytes) end

--- Returns bytes as base64 with - and _ and without padding.
---@param bytes string
---@return string text
function crypto.base64url(bytes) end

--- Decodes base64. Padding is required in its place, and nothing else is allowed.
---@param text string
---@return string? bytes
---@return string? err
---@return string? code  "not_base64"
function crypto.unbase64(text) end

--- Decodes base64 with - and _. Padding is not allowed.
---@param text string
---@return string? bytes
---@return string? err
---@return string? code  "not_base64"
function crypto.unbase64url(text) end

return crypto
