local crypto = require "sys.crypto"
local picture = require "sys.picture"

-- A WebP file of one pixel.
local webp = assert(crypto.unbase64 "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")

--- look
local head = assert(picture.look(webp))
print(head.mime_type, head.width, head.height)   --> image/webp	1	1
print(picture.look "GIF89a")   --> nil	it is not a PNG, JPEG or WebP image	not_an_image

--- read
local _, _, code = picture.read "/etc/passwd"
print(code)   --> not_an_image

--- fit
-- For something that does not read WebP, at most 1568 pixels wide or high.
local fitted = assert(picture.fit(webp, { longest = 1568, types = { "image/png", "image/jpeg" } }))
print(fitted.mime_type, fitted.width, fitted.factor)   --> image/png	1	1
