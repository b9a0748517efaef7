--- sys.regex: regular expressions in the syntax of PCRE2, that of Perl (https://www.pcre.org/current/doc/html/pcre2syntax.html).
--- The functions take their arguments in the order of those of Lua's string library.
--
-- A pattern is text or, with options, a value of compile(). Compiled patterns are kept, so that a pattern in a loop costs
-- nothing. Options are letters: i ignores case, m lets ^ and $ match at every line, s lets . match line feeds, x ignores white
-- space and comments in the pattern, u lets \w, \d, \s and \b know all languages. A pattern can also begin with (?i).
--
-- Pattern and text are UTF-8: . is a code point. Places are counted in bytes, as everywhere in Lua. A byte of the text that is
-- not UTF-8 is a character that only . and negated classes match.
--
-- A malformed pattern raises an error that names the place. So does a pattern that takes 100 ms at one place of the text, or 2
-- s in one call (4 s for 2 MB of text, and so on). For a pattern that comes from outside, call compile() first: it returns the
-- error. Other tasks run while a long text is searched.

local core = require "sys.regex"

---@class sys.regex
local M = {}

local KEPT = 64   -- compiled patterns in each of two generations

---@class sys.regex.Regex
---@field pattern string
---@field options string  letters of "imsxu"
---@field private core sys.regex.Pattern
local Regex = {}
Regex.__index = Regex

function Regex:__tostring() return ("/%s/%s"):format(self.pattern, self.options) end

---@class sys.regex.Match: table<integer|string, string>  [0] is the match, [1] the capture of the first group, and so on; named
---  groups also by their names. A group that is not part of the match is nil.


-- --- patterns -----------------------------------------------------------------------------------------

local young, old, count = {}, {}, 0


--- Keeps the patterns used last: when KEPT are young, they become the old ones, and the old ones are dropped.
local function keep(key, regex)
  if count == KEPT then young, old, count = {}, young, 0 end
  young[key], count = regex, count + 1
  return regex
end


--- Returns a compiled pattern, to be used many times or with options: local re = regex.compile("^a", "im").
---@param pattern string   at most 65536 bytes and 255 groups
---@param options? string  letters of "imsxu" (default: none); any other letter raises an error
---@return sys.regex.Regex? regex
---@return string? err  with the place in the pattern
---@return string? code "invalid_pattern", "module_missing", "module_broken"
function M.compile(pattern, options)
  options = options or ""
  if options:find "[^imsxu]" then error(('the options %q are not letters of "imsxu"'):format(options), 2) end
  local key = options .. "/" .. pattern
  local regex = young[key]
  if regex then return regex end
  if old[key] then return keep(key, old[key]) end
  local compiled, err, code = core.pattern(pattern, options)
  if not compiled then return nil, err, code end
  return keep(key, setmetatable({ pattern = pattern, options = options, core = compiled }, Regex))
end


--- Returns a pattern that matches this text and nothing else.
---@param text string
---@return string pattern
function M.escape(text) return (text:gsub("[^%w_\x80-\xFF]", "\\%0")) end


-- --- one match ----------------------------------------------------------------------------------------

--- Returns the place where a search from `init` begins; nil if it is behind the end.
local function start_of(text, init)
  init = init or 1
  if init < 0 then init = math.max(#text + init + 1, 1) end
  return init <= #text + 1 and math.max(init, 1) or nil
end


--- Finds the first match at or after `init`.
---@param text string
---@param init? integer  a byte, from the end if it is negative (default: 1)
---@return integer? first  nil if there is none
---@return integer? last   first - 1 if the match is empty
---@return sys.regex.Match? match
function Regex:find(text, init)
  local at, matcher = start_of(text, init), core.matcher(self.core, text)
  if not at then return nil end
  local first, last = matcher:find(at)
  if first then return first, last, matcher:captures() end
  if last then error(last, 2) end
end


--- Returns the first match at or after `init`.
---@param text string
---@param init? integer  as find
---@return sys.regex.Match? match  nil if there is none
---@return integer? first
---@return integer? last
function Regex:match(text, init)
  local at, matcher = start_of(text, init), core.matcher(self.core, text)
  if not at then return nil end
  local first, last = matcher:find(at)
  if first then return matcher:captures(), first, last end
  if last then error(last, 2) end
end


--- True if the pattern matches somewhere in the text.
---@param text string
---@return boolean
function Regex:test(text)
  local first, err = core.matcher(self.core, text):find(1)
  if not first and err then error(err, 2) end
  return first ~= nil
end


-- --- all matches --------------------------------------------------------------------------------------

--- Returns an iterator over the matches: the first and the last byte of each. After an empty match the search goes on at the
--- same place, but for a match that is not empty.
local function each(self, text, init)
  local matcher, at, not_empty = core.matcher(self.core, text), start_of(text, init), false
  return function()
    if not at then return nil end
    local first, last = matcher:find(at, not_empty)
    if not first then
      at = nil
      if last then error(last, 3) end
      return nil
    end
    not_empty = last < first
    at = not_empty and last + 1 or math.max(last + 1, at)
    return first, last
  end, matcher
end


--- Returns every match, for a loop: for match, first, last in re:gmatch(text) do ... end.
---@param text string
---@param init? integer  as find
---@return fun(): sys.regex.Match?, integer?, integer?
function Regex:gmatch(text, init)
  local next_match, matcher = each(self, text, init)
  return function()
    local first, last = next_match()
    if first then return matcher:captures(), first, last end
  end
end


--- Returns the parts of a replacement: text, and { group } for a group.
local function read_template(self, template)
  local parts, at = {}, 1
  local groups, names = self.core:groups(), self.core:names()
  while true do
    local dollar = template:find("$", at, true)
    parts[#parts + 1] = template:sub(at, (dollar or 0) - 1)
    if not dollar then return parts end
    local group, behind = template:match("^(%d%d?)()", dollar + 1)
    if not group then group, behind = template:match("^{([%w_]+)}()", dollar + 1) end
    if template:find("^%$", dollar + 1) then
      parts[#parts + 1], behind = "$", dollar + 2
    elseif not group then
      error('in a replacement, "$" must be part of $1, ${1}, ${name} or $$, which is "$"', 0)
    else
      local number = math.tointeger(tonumber(group)) or names[group]
      if not number or number > groups then
        error(("the replacement has the group %s, and the pattern has none with this %s"):format(group,
          tonumber(group) and "number. Write ${1}0 for group 1 and a 0" or "name"), 0)
      end
      parts[#parts + 1] = { number }
    end
    at = behind
  end
end


--- Returns a function that returns the replacement of a match.
local function replacer(self, replacement)
  if type(replacement) == "function" then return replacement end
  if type(replacement) == "table" then return function(match) return replacement[match[1] or match[0]] end end
  local parts = read_template(self, tostring(replacement))
  if #parts == 1 then return function() return parts[1] end end
  return function(match)
    local out = {}
    for i, part in ipairs(parts) do out[i] = type(part) == "table" and (match[part[1]] or "") or part end
    return table.concat(out)
  end
end


--- Returns the text with each match replaced.
---@param text string
---@param replacement string|table<string, string|number|false>|fun(match: sys.regex.Match, first: integer, last: integer): any
---  a string: $1 or ${1} is the capture of the first group, ${name} that of a named one, $0 the match, $$ a "$"; a table: its
---  value for the first group, or for the match; a function: its return value. With nil or false the match stays as it is.
---@param limit? integer  at most so many matches, from the beginning (default: all)
---@return string changed
---@return integer count  the number of matches
function Regex:gsub(text, replacement, limit)
  local made, replace = {}, replacer(self, replacement)
  local next_match, matcher = each(self, text)
  local copied, matches = 1, 0
  while not limit or matches < limit do
    local first, last = next_match()
    if not first then break end
    local value = replace(matcher:captures(), first, last)
    if value and type(value) ~= "string" and type(value) ~= "number" then
      error(("invalid replacement value (a %s)"):format(type(value)), 2)
    end
    made[#made + 1] = text:sub(copied, first - 1)
    made[#made + 1] = value or text:sub(first, last)
    copied, matches = last + 1, matches + 1
  end
  made[#made + 1] = text:sub(copied)
  return table.concat(made), matches
end


--- Returns the parts between the matches. An empty match cuts between two characters, but not at the ends.
---@param text string
---@param limit? integer  at most so many parts, the last of which has the rest (default: no limit)
---@return string[]
function Regex:split(text, limit)
  local parts, at = {}, 1
  for first, last in each(self, text) do
    if limit and #parts + 1 >= limit then break end
    if first <= last or first > 1 and first <= #text then
      parts[#parts + 1] = text:sub(at, first - 1)
      at = last + 1
    end
  end
  parts[#parts + 1] = text:sub(at)
  return parts
end


-- --- with a pattern as text ---------------------------------------------------------------------------

--- Returns the compiled pattern; raises errors where find() and the others were called.
local function regex_of(pattern)
  if type(pattern) == "table" and pattern.core then return pattern end
  if type(pattern) ~= "string" then error(("a pattern is text or what compile() returns, not a %s"):format(type(pattern)), 3) end
  local regex, err = M.compile(pattern)
  if not regex then error(err, 3) end
  return regex
end


--- Does the same as Regex:find.
---@param text string
---@param pattern string|sys.regex.Regex
---@param init? integer
---@return integer? first
---@return integer? last
---@return sys.regex.Match? match
function M.find(text, pattern, init) return regex_of(pattern):find(text, init) end


--- Does the same as Regex:match.
---@param text string
---@param pattern string|sys.regex.Regex
---@param init? integer
---@return sys.regex.Match? match
---@return integer? first
---@return integer? last
function M.match(text, pattern, init) return regex_of(pattern):match(text, init) end


--- Does the same as Regex:test.
---@param text string
---@param pattern string|sys.regex.Regex
---@return boolean
function M.test(text, pattern) return regex_of(pattern):test(text) end


--- Does the same as Regex:gmatch.
---@param text string
---@param pattern string|sys.regex.Regex
---@param init? integer
---@return fun(): sys.regex.Match?, integer?, integer?
function M.gmatch(text, pattern, init) return regex_of(pattern):gmatch(text, init) end


--- Does the same as Regex:gsub.
---@param text string
---@param pattern string|sys.regex.Regex
---@param replacement string|table|function
---@param limit? integer
---@return string changed
---@return integer count
function M.gsub(text, pattern, replacement, limit) return regex_of(pattern):gsub(text, replacement, limit) end


--- Does the same as Regex:split.
---@param text string
---@param pattern string|sys.regex.Regex
---@param limit? integer
---@return string[]
function M.split(text, pattern, limit) return regex_of(pattern):split(text, limit) end


return M
