---@meta sys.json

--- JSON text and Lua values. Arrays and objects are distinguished: a decoded array has a marker, and an empty table without one
--- is written as `{}`. A table with keys 1..n is written as an array.
---@class sys.json
---@field null userdata  JSON's null inside tables (a nil would be absent)
local json = {}

--- Returns the value of JSON text.
---@param text string
---@return any value  whole numbers of 64 bits are integers, others floats. A float with fewer digits than the text is written as
---                   it came, as long as it stays unchanged in the table that decode() made
---@return string? err   including line and column
---@return string? code  "json_syntax", "json_utf8", "json_surrogate", "json_number", "json_depth", "json_size", "json_nodes"
function json.decode(text) end

--- Does the same as `t[key] = json.decode(text)`. A number that is too long for a float is also written as it came.
---@param t table
---@param key string|integer
---@param text string
---@return true? ok
---@return string? err
---@return string? code
function json.put(t, key, text) end

---@class sys.json.EncodeOptions
---@field pretty? boolean  true: two spaces a level

--- Writes a value as JSON text. Keys are in the order that their object has, otherwise sorted by bytes: decoded objects have the
--- order of their text, with added keys at the end. Invalid UTF-8 becomes U+FFFD.
---@param value any
---@param options? sys.json.EncodeOptions
---@return string? text
---@return string? err   names the path of what cannot be written (a function, a cycle, a mixed table, NaN, infinity)
---@return string? code
function json.encode(value, options) end

--- Marks a table as an array, so that it is written as `[]` if it is empty. Returns the same table.
---@generic T: table
---@param t? T
---@return T
function json.array(t) end

--- Marks a table as an object, whatever its keys. Returns the same table.
---@generic T: table
---@param t? T
---@param order? string[]  its keys are written in this order, others after them
---@return T
function json.object(t, order) end

--- True if a value would be written as an array.
---@param value any
---@return boolean
function json.is_array(value) end

--- Checks a value against a JSON Schema (2020-12).
---@param schema table
---@param value any
---@return boolean ok
---@return string? err  names each path and what was expected there
function json.check(schema, value) end

return json
