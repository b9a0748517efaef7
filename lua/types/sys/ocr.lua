---@meta sys.ocr

--- Text recognition: words in the image of a window or of a part of the desktop, by tesseract. The image is captured and read
--- on another thread. Parts that look as before are remembered, not read again.
---@class sys.ocr
local ocr = {}

---@class sys.ocr.Options
---@field window? {pid: integer, started: integer, id: integer}  any table with these; the window may be covered
---@field region? sys.screen.Rect  points; alone: what the desktop shows there; with `window`: that part of its image
---@field popups? boolean   true: the window with its open menus and other popups; on X11
---@field language? string  "eng" (default), "deu+eng": installed languages
---@field budget? number    seconds to read, default 3, at most 60; parts not read by then are left out and `cut` is set
---@field timeout? number   seconds in all; default 10 more than the budget, never beyond the call's time limit

---@class sys.ocr.Word
---@field text string        UTF-8, not cleaned: it is data from the screen
---@field x number           points of the desktop
---@field y number
---@field width number
---@field height number
---@field confidence number  0 to 1, as the recognizer reports it
---@field label integer      words that belong together have the same number, from 1; numbers rise from top to bottom

---@class sys.ocr.Reading
---@field words sys.ocr.Word[]
---@field labels integer      the number of places that look like text
---@field recognized integer  the number of them that were read for the first time
---@field cut boolean         true if the budget was too small for all
---@field scale number        pixels per point
---@field route string        how the image was captured


--- Reads the words. It waits. Failures are nil, message, code: "not_built" (the program was built without tesseract),
--- "no_language" (its data is not installed; the message names the package), "module_broken", "recognition_failed", and those
--- of sys.screen.capture().
---@param options sys.ocr.Options  window, region or both
---@return sys.ocr.Reading? reading
---@return string? err
---@return string? code
function ocr.read(options) end


--- Returns the library's version, and the languages whose data is installed, including "osd" and the like. Failures are nil,
--- message, code: "not_built", "module_broken".
---@return {version: string, languages: string[]}? installed
---@return string? err
---@return string? code
function ocr.installed() end


return ocr
