---@meta sys.picture

--- Image files: PNG, JPEG and WebP. The first bytes of a file decide its format, never its name. An image has at most 64 MiB
--- and 40 million pixels, which is checked before anything is decoded. Decoding, scaling and reading run on another thread.
---@class sys.picture
local picture = {}

---@class sys.picture.Head
---@field mime_type "image/png"|"image/jpeg"|"image/webp"
---@field width integer   pixels
---@field height integer

---@class sys.picture.File: sys.picture.Head
---@field bytes string  the whole file
---@field path string   absolute

---@class sys.picture.Wanted
---@field longest? integer  pixels: an image with a longer side is scaled down to it; 0 or absent: any size
---@field most? integer     limit of the file in bytes, at least 2000; absent: any number
---@field types? string[]   the allowed media types, "image/png" or "image/jpeg" among them; absent: all three

---@class sys.picture.Fitted: sys.picture.Head
---@field bytes string   the file: the same string if it fitted already
---@field factor number  new pixels per old one, at most 1

---@class sys.picture.Word
---@field text string        UTF-8: data from the image
---@field x integer          pixels from the image's top left
---@field y integer
---@field width integer
---@field height integer
---@field confidence number  0 to 1, as the recognizer reports it
---@field label integer      words that belong together have the same number, from 1; numbers rise from top to bottom

--- Reads the format and the size of an image file. It decodes nothing, so the rest may be damaged.
---@param bytes string
---@return sys.picture.Head? head
---@return string? err
---@return string? code  "not_an_image", "damaged", "too_large", "animated"
function picture.look(bytes) end

--- Reads an image file; anything else is refused. Only here may a script read a file that was not granted, and only an image.
--- In a call of run_lua's code, only granted directories are read. It waits.
---@param path string  "~/" is the home folder, others start at the current folder
---@return sys.picture.File? file
---@return string? err   including the path
---@return string? code  those of look(), "not_found", "not_a_file", "permission_denied", "not_granted", "bad_path", ...
function picture.read(path) end

--- Makes an image fit. Returns the same bytes at once if it fits as it is. Otherwise it waits: it scales by the mean of areas
--- and encodes, as PNG if it was not a JPEG and that has few enough bytes; otherwise as JPEG, smaller and smaller.
---@param bytes string
---@param wanted sys.picture.Wanted
---@return sys.picture.Fitted? fitted
---@return string? err
---@return string? code  those of look(), "too_large" (it cannot be made so small), "encode_failed", "module_missing"
function picture.fit(bytes, wanted) end

--- Returns the words in an image, by tesseract. It waits.
---@param bytes string
---@param options? {language?: string, budget?: number}  default "eng" and 10 seconds, at most 60
---@return {words: sys.picture.Word[], cut: boolean}? reading  cut: true if the budget was too small for all
---@return string? err
---@return string? code  those of look(), "not_built" (the program was built without tesseract), "no_language",
---                      "recognition_failed"
function picture.words(bytes, options) end

return picture
