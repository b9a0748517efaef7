--- Splits AppleScript text into logical lines of tokens: comments are left out, and lines that ¬ continues are joined.
--
-- This much of the language is the same for all applications' dictionaries. Lines are produced one at a time, so that a long
-- script is not in memory twice. Brackets must close within their logical line: only ¬ continues a line.

local M = {}

local LINE_TOKENS = 50000       -- tokens of one logical line
local LINE_DEPTH  = 500         -- levels of nested brackets

local CLOSES = { [")"] = "(", ["}"] = "{", ["]"] = "[" }
local SPECIAL = { ["¬"] = "continue", ["«"] = "data", ["»"] = "sign", ["≠"] = "sign", ["≤"] = "sign", ["≥"] = "sign",
                  ["÷"] = "sign", ["\u{A0}"] = "space", ["\u{2028}"] = "end", ["\u{2029}"] = "end" }

---@class applescript.Line
---@field n integer          the number of tokens
---@field kinds string[]     "word", "name" (|x|), "number", "string", "data" («x»), "sign"
---@field texts string[]     a word in lower case; a string or name without its signs, escapes as written
---@field ats integer[]      the byte at which a token begins
---@field stops integer[]    the last byte of the token
---@field mixed table<integer, true>  words with a capital after a small letter, by token
---@field broken boolean     its brackets do not match

--- A message that costs time may be a function that returns the message and the nearest term: only a finding that is kept calls
--- it.
---@alias applescript.Message string|fun(): string, string?
---@alias applescript.Severity "error"|"warning"
---@alias applescript.Reporter fun(at: integer, code: string, message: applescript.Message, how?: applescript.Severity,
---  near?: string)


--- Converts places to lines and columns. Lines end with \n, \r, \r\n, U+2028 or U+2029; columns count characters from 1.
---@param text string
---@return fun(at: integer): integer, integer
function M.places(text)
  local starts
  local function build()
    starts = { 1 }
    local at = 1
    while true do
      local found = text:find("[\n\r\xE2]", at)
      if not found then return end
      local byte, second, third = text:byte(found, found + 2)
      at = found + 1
      if byte == 0xE2 then
        if second == 0x80 and (third == 0xA8 or third == 0xA9) then
          at = found + 3
          starts[#starts + 1] = at
        end
      else
        if byte == 13 and second == 10 then at = found + 2 end
        starts[#starts + 1] = at
      end
    end
  end
  return function(at)
    if not starts then build() end
    local low, high = 1, #starts
    while low < high do
      local middle = (low + high + 1) // 2
      if starts[middle] <= at then low = middle else high = middle - 1 end
    end
    local column = at > starts[low] and utf8.len(text, starts[low], at - 1, true) or 0
    return low, (column or at - starts[low]) + 1
  end
end


--- The byte after a comment (* ... *), which may contain others; nil if it does not end.
local function past_comment(text, at)
  local depth = 1
  at = at + 2
  while depth > 0 do
    local found = text:find("[(*]", at)
    if not found then return nil end
    local pair = text:sub(found, found + 1)
    if pair == "(*" then
      depth, at = depth + 1, found + 2
    elseif pair == "*)" then
      depth, at = depth - 1, found + 2
    else
      at = found + 1
    end
  end
  return at
end


--- The byte of the quote that ends a string or name; nil if there is none, or if a line ends before it.
local function closing(text, at, quote, one_line)
  local stops = one_line and "[\\\n\r" .. quote .. "]" or "[\\" .. quote .. "]"
  while true do
    local found = text:find(stops, at)
    if not found then return nil end
    local sign = text:sub(found, found)
    if sign == quote then return found end
    if sign ~= "\\" then return nil end
    at = found + 2
  end
end


--- The byte after a word; `at` is inside or at its start.
local function past_word(text, at)
  while true do
    local _, stop = text:find("^[%w_]+", at)
    if stop then at = stop + 1 end
    local byte = text:byte(at)
    if not byte or byte < 0x80 then return at end
    local char = text:match("^" .. utf8.charpattern, at)
    if not char or SPECIAL[char] then return at end
    at = at + #char
  end
end


local function new_line()
  return { n = 0, kinds = {}, texts = {}, ats = {}, stops = {}, mixed = {}, broken = false }
end


local function add(line, kind, text, at, stop)
  local n = line.n + 1
  line.n = n
  line.kinds[n], line.texts[n], line.ats[n], line.stops[n] = kind, text, at, stop
end


local Scan = {}
Scan.__index = Scan


function Scan:fail(at, code, message)
  self.report(at, code, message)
  self.at = #self.text + 1
  self.failed, self.line.broken = true, true
end


function Scan:string()
  local at = self.at
  local stop = closing(self.text, at + 1, '"')
  if not stop then
    local where = self.long and (" Strings may span lines: also check the one that begins in line %d.")
      :format((self.place(self.long))) or ""
    return self:fail(at, "open_string", 'A string begins here with " and is never closed.' .. where)
  end
  if not self.long and self.text:sub(at, stop):find "[\n\r]" then self.long = at end
  add(self.line, "string", self.text:sub(at + 1, stop - 1), at, stop)
  self.at = stop + 1
end


function Scan:name()
  local stop = closing(self.text, self.at + 1, "|", true)
  if not stop then
    return self:fail(self.at, "open_name", "A |name| begins here and is not closed in its line.")
  end
  add(self.line, "name", self.text:sub(self.at + 1, stop - 1), self.at, stop)
  self.at = stop + 1
end


function Scan:data()
  local stop = self.text:find("»", self.at, true)
  local line_end = self.text:find("[\n\r]", self.at)
  if not stop or (line_end and line_end < stop) then
    return self:fail(self.at, "open_data", "« begins code or data here and » is not in its line.")
  end
  add(self.line, "data", self.text:sub(self.at + 2, stop - 1), self.at, stop + 1)
  self.at = stop + 2
end


function Scan:bracket(sign)
  local open = self.open
  if not CLOSES[sign] then
    if #open >= LINE_DEPTH then
      return self:fail(self.at, "limit", ("More than %d brackets are open here; the rest was not checked."):format(LINE_DEPTH))
    end
    open[#open + 1] = { sign, self.at }
  elseif #open == 0 then
    self.line.broken = true
    self.report(self.at, "unbalanced", ("There is no '%s' before this '%s' in its line."):format(CLOSES[sign], sign))
  elseif open[#open][1] ~= CLOSES[sign] then
    self.line.broken = true
    self.report(self.at, "unbalanced", ("This '%s' is here, but the '%s' before it must be closed first.")
      :format(sign, open[#open][1]))
    self.open = {}
  else
    open[#open] = nil
  end
  add(self.line, "sign", sign, self.at, self.at)
  self.at = self.at + 1
end


--- Skips ¬, the characters that may follow it, and the end of the line. Without that end ¬ has no effect.
function Scan:continue()
  local _, stop = self.text:find("^[ \t]*", self.at + #"¬")
  stop = stop + 1
  if self.text:find("^%-%-", stop) or self.text:find("^#", stop) then stop = self.text:find("[\n\r]", stop) or #self.text + 1 end
  local _, line_end = self.text:find("^\r?\n?", stop)
  if self.text:find("^\xE2\x80[\xA8\xA9]", stop) then line_end = stop + 2 end
  self.at = math.max(line_end, stop - 1) + 1
end


--- The line that ends here, or nil if it is empty. Begins the next one.
function Scan:finish()
  local line, open = self.line, self.open
  self.line, self.open = new_line(), {}
  if #open > 0 and not self.failed then
    line.broken = true
    self.report(open[#open][2], "unbalanced", ("This '%s' is not closed in its line."):format(open[#open][1]))
  end
  return line.n > 0 and line or nil
end


--- Adds a sign, or a character without any other meaning.
function Scan:sign(char)
  local two = self.text:sub(self.at, self.at + 1)
  if two == "<=" or two == ">=" or two == "/=" then char = two end
  add(self.line, "sign", char, self.at, self.at + #char - 1)
  self.at = self.at + #char
end


--- Reads a token that begins with a byte above 127. True if it ends the line.
function Scan:beyond_ascii()
  local char = self.text:match("^" .. utf8.charpattern, self.at)
  local what = SPECIAL[char]
  if what == "continue" then
    self:continue()
  elseif what == "data" then
    self:data()
  elseif what == "sign" then
    self:sign(char)
  elseif what then
    self.at = self.at + #char
    return what == "end"
  else
    self:word()
  end
  return false
end


function Scan:word()
  local past = past_word(self.text, self.at)
  local written = self.text:sub(self.at, past - 1)
  add(self.line, "word", written:lower(), self.at, past - 1)
  if written:find "%l%u" then self.line.mixed[self.line.n] = true end
  self.at = past
end


function Scan:number()
  local text, at = self.text, self.at
  local _, stop = text:find("^%d+", at)
  local _, fraction = text:find("^%.%d+", stop + 1)
  stop = fraction or stop
  local _, exponent = text:find("^[eE][+-]?%d+", stop + 1)
  stop = exponent or stop
  add(self.line, "number", text:sub(at, stop), at, stop)
  self.at = stop + 1
end


--- Reads one token, comment or gap. True if it ends the line.
function Scan:step()
  local text, at = self.text, self.at
  local byte = text:byte(at)
  if byte == 10 or byte == 13 then                               -- \n \r
    self.at = at + (byte == 13 and text:byte(at + 1) == 10 and 2 or 1)
    return true
  elseif byte >= 97 and byte <= 122 or byte >= 65 and byte <= 90 or byte == 95 then
    self:word()
  elseif byte >= 48 and byte <= 57 then
    self:number()
  elseif byte == 34 then                                         -- "
    self:string()
  elseif byte == 35 or byte == 45 and text:byte(at + 1) == 45 then    -- # --
    self.at = text:find("[\n\r]", at) or #text + 1
  elseif byte == 40 and text:byte(at + 1) == 42 then             -- (*
    local past = past_comment(text, at)
    if not past then return self:fail(at, "open_comment", "A comment begins here with (* and is never closed with *).") end
    self.at = past
  elseif byte == 124 then                                        -- |
    self:name()
  elseif byte >= 128 then
    return self:beyond_ascii()
  elseif byte <= 32 or byte == 127 then
    local _, stop = text:find("^[%z\1-\9\11\12\14-\32\127]+", at)
    self.at = stop + 1
  else
    local sign = string.char(byte)
    if sign:find "[][(){}]" then self:bracket(sign) else self:sign(sign) end
  end
  return false
end


--- Makes an iterator over the logical lines that are not empty. Errors go to `report`; after an open string, comment, name or
--- data there are no more lines.
---@param text string  UTF-8
---@param report applescript.Reporter
---@return fun(): applescript.Line?
function M.lines(text, report)
  local scan = setmetatable({ text = text, report = report, at = 1, line = new_line(), open = {}, place = M.places(text) }, Scan)
  local length = #text
  return function()
    while scan.at <= length do
      if scan:step() then
        local line = scan:finish()
        if line then return line end
      end
      if scan.line.n > LINE_TOKENS then
        scan:fail(scan.line.ats[1], "limit", "This line is too long to check. The rest was not checked.")
      end
    end
    return scan:finish()
  end
end


--- A line's code on one line: strings emptied, gaps as single spaces, words as in the text.
---@param text string
---@param line applescript.Line
---@return string
function M.code(text, line)
  local parts = {}
  for i = 1, line.n do
    if i > 1 and line.ats[i] > line.stops[i - 1] + 1 then parts[#parts + 1] = " " end
    parts[#parts + 1] = line.kinds[i] == "string" and '""' or text:sub(line.ats[i], line.stops[i])
  end
  return table.concat(parts)
end


return M
