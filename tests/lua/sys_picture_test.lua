#!/usr/bin/env tests/lua/run
--- sys.picture: files of images. The script's first argument is a folder of its own.
local t       = require "check"
local crypto  = require "sys.crypto"
local fs      = require "sys.fs"
local picture = require "sys.picture"
local process = require "sys.process"
local task    = require "sys.task"

local folder = ... .. "/"
local WEBP = assert(crypto.unbase64 "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")

local function code(...)
  local value, text, what = ...
  t.same(value, nil)
  t.same(type(text), "string")
  return what
end

--- Adler-32 of RFC 1950.
local function adler(bytes)
  local a, b = 1, 0
  for i = 1, #bytes do
    a = (a + bytes:byte(i)) % 65521
    b = (b + a) % 65521
  end
  return b << 16 | a
end

--- A PNG file of this size, not packed.
local function png(width, height)
  local function chunk(kind, data)
    return (">s4"):pack(data):sub(1, 4) .. kind .. data .. (">I4"):pack(crypto.crc32(kind .. data))
  end
  local raw, blocks = ("\0" .. ("\10\20\30"):rep(width)):rep(height), {}
  for at = 1, #raw, 65535 do
    local part = raw:sub(at, at + 65534)
    blocks[#blocks + 1] = ("<BI2I2"):pack(at + 65535 > #raw and 1 or 0, #part, ~#part & 0xFFFF) .. part
  end
  return "\x89PNG\r\n\x1a\n" .. chunk("IHDR", (">I4I4BBBBB"):pack(width, height, 8, 2, 0, 0, 0))
    .. chunk("IDAT", "\x78\1" .. table.concat(blocks) .. (">I4"):pack(adler(raw))) .. chunk("IEND", "")
end

t.case("the bytes say what an image is, whatever it is called", function()
  assert(fs.write(folder .. "really.png", WEBP))
  local file = assert(picture.read(folder .. "really.png"))
  t.same(file, { bytes = WEBP, path = folder .. "really.png", mime_type = "image/webp", width = 1, height = 1 })
  t.same(picture.look(WEBP), { mime_type = "image/webp", width = 1, height = 1 })
end)

t.case("a file that is not an image is not read", function()
  assert(fs.write(folder .. "text.png", "not an image"))
  local _, err, what = picture.read(folder .. "text.png")
  t.same({ err, what }, { folder .. "text.png: it is not a PNG, JPEG or WebP image", "not_an_image" })
  t.same(code(picture.read(folder .. "missing.png")), "not_found")
  t.same(code(picture.read(folder)), "is_a_folder")
  t.same(code(picture.read ""), "bad_path")
  assert(process.run { "mkfifo", folder .. "pipe.png" })
  t.same(code(picture.read(folder .. "pipe.png")), "not_a_file")
  t.same(code(picture.read "/dev/zero"), "not_a_file")
  t.match(select(2, pcall(picture.read, "a\0b")), "NUL byte")
end)

t.case("an image that fits stays as it is", function()
  local bytes = png(40, 30)
  local fits = assert(picture.fit(bytes, { longest = 40, most = #bytes + 2000, types = { "image/png" } }))
  t.ok(rawequal(fits.bytes, bytes))
  t.same({ fits.width, fits.height, fits.factor, fits.mime_type }, { 40, 30, 1, "image/png" })
end)

t.case("an image that does not fit is made to fit", function()
  local bytes = png(400, 300)
  local half = assert(picture.fit(bytes, { longest = 200 }))
  t.same({ half.width, half.height, half.factor, half.mime_type }, { 200, 150, 0.5, "image/png" })
  t.same(picture.look(half.bytes), { width = 200, height = 150, mime_type = "image/png" })
  local jpeg = assert(picture.fit(bytes, { types = { "image/jpeg" } }))
  t.same(picture.look(jpeg.bytes), { width = 400, height = 300, mime_type = "image/jpeg" })
  local again = assert(picture.fit(jpeg.bytes, { longest = 50, types = { "image/png" } }))
  t.same({ again.width, again.height, again.factor, again.mime_type }, { 50, 38, 0.125, "image/png" })
end)

t.case("several are made to fit at the same time", function()
  local bytes = png(300, 200)
  local made = task.map({ 10, 20, 30, 40, 50, 60 }, function(longest) return picture.fit(bytes, { longest = longest }).width end, 6)
  t.same(table.concat(made, " "), "10 20 30 40 50 60")
end)

t.case("damaged images are refused with words", function()
  local bytes = png(40, 30)
  t.same(code(picture.fit(bytes:sub(1, 60), { longest = 10 })), "damaged")
  t.same(code(picture.look(bytes:sub(1, 10))), "damaged")
  t.same(code(picture.look "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\1\0\0\0\1\0\0"), "too_large")
  t.same(code(picture.look "GIF89a"), "not_an_image")
end)

t.case("wrong options raise", function()
  for _, options in ipairs { { longest = -1 }, { most = 10 }, { types = { "image/gif" } }, { types = { "image/webp" } }, { wide = 1 },
                             { types = "image/png" } } do
    t.ok(not pcall(picture.fit, WEBP, options))
  end
  t.ok(not pcall(picture.words, WEBP, { language = "../eng" }))
  t.ok(not pcall(picture.words, WEBP, { budget = 61 }))
end)

t.done()
