---@meta sys.text

--- What Lua's string library lacks.
---@class sys.text
local text = {}

--- How far apart two words are: the number of characters to change, add, drop or swap with their neighbor.
---@param a string
---@param b string
---@param most? integer  the largest result (default: 64, maximum: 64)
---@return integer? count  nil if it is larger than `most`, or if a or b has more than 64 characters
function text.distance(a, b, most) end

--- Which of the texts the regular expression (ECMA-262) matches somewhere, in their order.
---@param texts string[]  at most 256
---@param pattern string
---@return boolean[]? found
---@return string? err
---@return string? code  "invalid_pattern", "pattern_too_costly"
function text.matches(texts, pattern) end

--- The text fit to stand in a line: without control characters, what nobody sees and what turns the reading direction. Breaks
--- of lines and tabs become a space. Joiners of scripts and emoji stay.
---@param line string
---@return string
function text.plain(line) end

return text
