---@meta sys.text

-- The part of sys.text that is C. lua/lib/sys/text.lua has the rest, and says what the module is.
---@class sys.text
local text = {}

--- Returns the distance of two words: the number of characters to change, add, drop or swap with their neighbor.
---@param a string
---@param b string
---@param most? integer  the largest result (default: 64, maximum: 64)
---@return integer? count  nil if it is larger than `most`, or if a or b has more than 64 characters
function text.distance(a, b, most) end

---@class sys.text.InspectOptions
---@field depth? integer  levels of nested tables (default: 8, maximum: 60)
---@field items? integer  items of one table (default: 200)
---@field width? integer  columns in which a table is written on one line (default: 100)
---@field bytes? integer  of one string; it is cut at the beginning of a character, and its length is shown (default: 100000)
---@field hide? fun(key: string): boolean  returns true for a key whose value is shown as ***

--- Returns any value as text, as one would write it in Lua. `require "inspect"` uses it, and print for tables. It calls no
--- metamethods (except __tostring of userdata), and stays within its limits for any value: tables in themselves, a million
--- items, a long string. For an empty table that reads from another one, as modules are, it shows the other one.
---@param value any
---@param options? sys.text.InspectOptions
---@return string
function text.inspect(value, options) end

--- Returns for each of the strings, in their order, whether the regular expression (ECMA-262) matches somewhere in it.
---@param texts string[]  at most 256
---@param pattern string
---@return boolean[]? found
---@return string? err
---@return string? code  "invalid_pattern", "pattern_too_costly"
function text.matches(texts, pattern) end

--- Returns the text fit for one line: without control characters, invisible characters, and those that change the reading
--- direction. Line breaks and tabs become a space. Joiners of scripts and emoji stay.
---@param line string
---@return string
function text.plain(line) end

--- Returns the text in one case or form. Bytes that are not UTF-8 stay. It takes about 20 ms for 1 MB, without a break.
---@param bytes string
---@param form "lower"|"upper"|"fold"|"NFC"|"NFD"|"NFKC"|"NFKD"  fold: NFKC_Casefold
---@return string? converted
---@return string? err
---@return string? code  "module_missing", "module_broken"
---@private
function text.convert(bytes, form) end

--- Measures whole characters from a place on, as many as fit into both limits, and no more than 32 kB in one call.
---@param bytes string
---@param at integer           the byte at which a character begins; 1 to #bytes + 1
---@param characters? integer  the limit (default: none)
---@param columns? integer     the limit (default: none)
---@return integer? next       the byte behind them; or an error, with its code like convert()
---@return integer|string characters
---@return integer|string columns
---@private
function text.walk(bytes, at, characters, columns) end

return text
