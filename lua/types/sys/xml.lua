---@meta sys.xml

-- The part of sys.xml that is C. lua/lib/sys/xml.lua has the rest, and says what the module is.
---@class sys.xml
local xml = {}

--- Makes a reader for one text.
---@param texts boolean  true: also events for the text between tags
---@return sys.xml.Reader? reader
---@return string? err
---@return string? code "module_missing", "module_broken"
---@private
function xml.reader(texts) end

---@private
---@class sys.xml.Reader
local reader = {}

--- Reads one more part of the text and returns its events, three values each: an element's name, its namespace and its
--- attributes (false: none); false, false, false for its end; true, the text and false for text.
---@param part string  UTF-8 without an XML declaration, at most 1 MB; it may end inside a character
---@param last boolean
---@return (string|boolean|table<string, string>)[]? events
---@return string? err   "line 3, column 7: ..."
---@return string? code  "malformed", "entity", "too_deep"
function reader:feed(part, last) end

return xml
