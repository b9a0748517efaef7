---@meta sys.regex

-- The part of sys.regex that is C. lua/lib/sys/regex.lua has the rest, and says what the module is.
---@class sys.regex
local regex = {}

--- Compiles a pattern for compile(), which also keeps the compiled ones.
---@param text string      in the syntax of PCRE2, UTF-8, at most 65536 bytes
---@param options? string  letters of "imsxu"; any other letter raises an error
---@return sys.regex.Pattern? pattern
---@return string? err  including the place
---@return string? code "invalid_pattern", "module_missing", "module_broken"
---@private
function regex.pattern(text, options) end

--- Makes a matcher for one text. A byte in it that is not UTF-8 is a character that only . and negated classes match.
---@param pattern sys.regex.Pattern
---@param text string
---@return sys.regex.Matcher
---@private
function regex.matcher(pattern, text) end

---@private
---@class sys.regex.Pattern
local pattern = {}

--- Returns how many groups capture.
---@return integer count
function pattern:groups() end

---@return table<string, integer> names  the number of the group of each name
function pattern:names() end

---@private
---@class sys.regex.Matcher
local matcher = {}

--- Finds the next match. Other tasks run meanwhile. It gives up after 100 ms of work at one place of the text, or after 2 s of
--- work of the matcher and 2 s more for each 2 MB of text.
---@param at integer          the byte where the search begins, 1 to #text + 1
---@param not_empty? boolean  true: an empty match at that place is skipped
---@return integer? first     nil if there is none, or if an error and its code follow
---@return integer|string|nil last  first - 1 for an empty match
---@return string? code       "pattern_too_costly", "pattern_failed"
function matcher:find(at, not_empty) end

--- Returns the captures of the last find(): [0] is the match, [1] the first group, and so on, and named groups also by their
--- names. A group that is not part of the match is nil.
---@return table<integer|string, string>
function matcher:captures() end

return regex
