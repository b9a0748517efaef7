---@meta sys.picture

--- Files of images: PNG, JPEG and WebP. What a file is comes from its first bytes, never from its name. An image has at most 64 MiB
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
---@field longest? integer  pixels: a longer side is scaled down to it, and the other with it; 0 or absent: any size
---@field most? integer     bytes of the file, at least 2000; absent: any number
---@field types? string[]   media types that it may have, "image/png" or "image/jpeg" among them; absent: all three

---@class sys.picture.Fitted: sys.picture.Head
---@field bytes string   of the file: the same string if it fitted already
---@field factor number  new pixels for an old one, at most 1

---@class sys.picture.Word
---@field text string        UTF-8: data from the image
---@field x integer          pixels from the image's top left
---@field y integer
---@field width integer
---@field height integer
---@field confidence number  0 to 1, what the recognizer says of itself
---@field label integer      words that belong together have the same number, from 1; these rise from top to bottom

--- What the bytes of a file are an image of. Decodes nothing, so what follows may be damaged.
---@param bytes string
---@return sys.picture.Head? head
---@return string? err
---@return string? code  "not_an_image", "damaged", "too_large", "animated"
function picture.look(bytes) end

--- Reads an image file; anything else is refused. The one place where a script may read what was not granted: an image, and nothing
--- else. In a call of run_lua's code, only in granted directories. Waits.
---@param path string  "~/" is the home folder, others start at the current folder
---@return sys.picture.File? file
---@return string? err   with the path
---@return string? code  those of look(), "not_found", "not_a_file", "permission_denied", "not_granted", "bad_path", ...
function picture.read(path) end

--- Makes an image fit. Returns at once, with the same bytes, if it fits as it is. Otherwise scales by the mean of areas and encodes:
--- as PNG what was not a JPEG, as long as that has few enough bytes; otherwise as JPEG, smaller and smaller. Then it waits.
---@param bytes string
---@param wanted sys.picture.Wanted
---@return sys.picture.Fitted? fitted
---@return string? err
---@return string? code  those of look(), "too_large" (it does not become so small), "encode_failed", "module_missing"
function picture.fit(bytes, wanted) end

--- The words in an image, by tesseract. Waits.
---@param bytes string
---@param options? {language?: string, budget?: number}  default "eng" and 10 seconds, at most 60
---@return {words: sys.picture.Word[], cut: boolean}? reading  cut: the budget was too small for all
---@return string? err
---@return string? code  those of look(), "not_built" (the program was built without tesseract), "no_language", "recognition_failed"
function picture.words(bytes, options) end

return picture
