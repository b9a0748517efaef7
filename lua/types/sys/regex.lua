---@meta sys.regex

-- The part of sys.regex that is C. lua/lib/sys/regex.lua has the rest, and says what the module is.
---@class sys.regex
local regex = {}

--- For compile(), which also keeps what it compiled.
---@param text string      in the syntax of PCRE2, UTF-8, at most 65536 bytes
---@param options? string  letters of "imsxu"; any other raises
---@return sys.regex.Pattern? pattern
---@return string? err  with the place
---@return string? code "invalid_pattern", "module_missing", "module_broken"
---@private
function regex.pattern(text, options) end

--- Searches one text. A byte in it that is not UTF-8 is a character that only . and negated classes match.
---@param pattern sys.regex.Pattern
---@param text string
---@return sys.regex.Matcher
---@private
function regex.matcher(pattern, text) end

---@private
---@class sys.regex.Pattern
local pattern = {}

--- How many groups capture.
---@return integer count
function pattern:groups() end

---@return table<string, integer> names  the group of each name
function pattern:names() end

---@private
---@class sys.regex.Matcher
local matcher = {}

--- The next match. Others have their turns meanwhile. It is given up after 100 ms of work at one place of the text, or after 2 s of
--- work of the matcher and 2 s more for each 2 MB of text.
---@param at integer          the byte where the search begins, 1 to #text + 1
---@param not_empty? boolean  an empty match at that place does not count
---@return integer? first     nil: there is none, or an error and its code follow
---@return integer|string|nil last  first - 1 for an empty match
---@return string? code       "pattern_too_costly", "pattern_failed"
function matcher:find(at, not_empty) end

--- What the last find() captured: [0] is the match, [1] the first group, and so on, and named groups by their names too. A group
--- that is not part of the match is nil.
---@return table<integer|string, string>
function matcher:captures() end

return regex
