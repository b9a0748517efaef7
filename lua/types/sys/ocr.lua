---@meta sys.ocr

--- Text recognition: words out of the picture of a window or of a part of the desktop, by tesseract. The picture is taken and read
--- on another thread. What looks as it did before is remembered, not read again.
---@class sys.ocr
local ocr = {}

---@class sys.ocr.Options
---@field window? {pid: integer, started: integer, id: integer}  any table with these, also a covered one
---@field region? sys.screen.Rect  points; alone: what the desktop shows there; with `window`: that part of its picture
---@field popups? boolean   the window with its open menus and other popups; on X11
---@field language? string  "eng" (default), "deu+eng": what is installed
---@field budget? number    seconds of reading, default 3, at most 60; what was not read then is left out and `cut` is set
---@field timeout? number   seconds in all; default 10 more than the budget, never beyond the call's deadline

---@class sys.ocr.Word
---@field text string        UTF-8, cleaned of nothing: it is data from the screen
---@field x number           points of the desktop
---@field y number
---@field width number
---@field height number
---@field confidence number  0 to 1, what the recognizer says of itself
---@field label integer      words that stand together have the same number, from 1; these rise from top to bottom

---@class sys.ocr.Reading
---@field words sys.ocr.Word[]
---@field labels integer      places that look like text
---@field recognized integer  of them for the first time
---@field cut boolean         the budget was too small for all
---@field scale number        pixels a point
---@field route string        how the picture was taken


--- Waits. nil, message, code: "not_built" (the program was built without tesseract), "no_language" (its data is not installed; the text
--- names the package), "module_broken", "recognition_failed", and those of sys.screen.capture().
---@param options sys.ocr.Options  window, region or both
---@return sys.ocr.Reading? reading
---@return string? err
---@return string? code
function ocr.read(options) end


--- The library's version, and the languages whose data is installed, "osd" and such among them. nil, message, code: "not_built",
--- "module_broken".
---@return {version: string, languages: string[]}? installed
---@return string? err
---@return string? code
function ocr.installed() end


return ocr
