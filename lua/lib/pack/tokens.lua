--- Splits a Lua text into tokens, as Lua itself does. Nothing is run.

local M = {}

local ESCAPES = { a = "\a", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", v = "\v" }
local LONG = { ["..."] = true }
local PAIRS = { [".."] = true, ["=="] = true, ["~="] = true, ["<="] = true, [">="] = true, ["//"] = true, ["::"] = true,
  ["<<"] = true, [">>"] = true }

---@class pack.Token
---@field kind "name"|"string"|"number"|"mark"|"end"
---@field text string   the value of a string; a number as it is written
---@field line integer

---@class pack.Reader
---@field text string
---@field at integer    the next byte
---@field line integer
local Reader = {}
Reader.__index = Reader


local function wrong(reader, what) error({ wrong = what, line = reader.line }, 0) end


--- Moves on to a place and counts the lines up to it: "\n", "\r" and the two as one.
function Reader:move(to)
  local _, breaks = self.text:sub(self.at, to - 1):gsub("\r\n", "\n"):gsub("\n\r", "\n"):gsub("[\r\n]", "")
  self.line, self.at = self.line + breaks, to
end


--- Reads the long bracket that begins here; nil if none does.
function Reader:long_bracket()
  local level = self.text:match("^%[(=*)%[", self.at)
  if not level then return nil end
  local start = self.at + #level + 2
  local stop = self.text:find("]" .. level .. "]", start, true)
  if not stop then wrong(self, "a long bracket is not closed") end
  local value = self.text:sub(start, stop - 1):gsub("\r\n?", "\n"):gsub("^\n", "")
  self:move(stop + #level + 2)
  return value
end


--- Skips blanks and comments. A carriage return also ends a comment.
function Reader:skip()
  while true do
    self:move(self.text:find("[^ \t\r\n\v\f]", self.at) or #self.text + 1)
    if self.text:sub(self.at, self.at + 1) ~= "--" then return end
    self.at = self.at + 2
    if not self:long_bracket() then self:move(self.text:find("[\r\n]", self.at) or #self.text + 1) end
  end
end


--- Returns the character that an escape means, and moves behind it. self.at is behind its backslash.
function Reader:escape()
  local c = self.text:sub(self.at, self.at)
  local plain = ESCAPES[c] or c:match "[\\\"']"
  if plain then
    self.at = self.at + 1
    return plain
  end
  local digits, stop = self.text:match("^x(%x%x)()", self.at)
  if digits then
    self.at = stop
    return string.char(tonumber(digits, 16))
  end
  digits, stop = self.text:match("^u{(%x+)}()", self.at)
  if digits and #digits <= 8 and tonumber(digits, 16) < 0x80000000 then
    self.at = stop
    return utf8.char(tonumber(digits, 16))
  end
  digits, stop = self.text:match("^(%d%d?%d?)()", self.at)
  if digits and tonumber(digits) < 256 then
    self.at = stop
    return string.char(tonumber(digits))
  end
  if c == "z" then
    self:move(self.text:find("[^ \t\r\n\v\f]", self.at + 1) or #self.text + 1)
    return ""
  end
  stop = self.text:match("^\r\n()", self.at) or self.text:match("^\n\r()", self.at) or self.text:match("^[\r\n]()", self.at)
  if not stop then wrong(self, "a string has an escape that Lua does not know") end
  self:move(stop)
  return "\n"
end


--- Returns the value of the string in quotes that begins here.
function Reader:quoted()
  local quote, parts = self.text:sub(self.at, self.at), {}
  local special = "[\\\r\n" .. quote .. "]"
  self.at = self.at + 1
  while true do
    local stop = self.text:find(special, self.at)
    local c = stop and self.text:sub(stop, stop)
    if not stop or c == "\r" or c == "\n" then wrong(self, "a string is not closed") end
    parts[#parts + 1] = self.text:sub(self.at, stop - 1)
    self.at = stop + 1
    if c == quote then return table.concat(parts) end
    parts[#parts + 1] = self:escape()
  end
end


--- Moves behind the number that begins here: behind all that Lua takes as a part of it.
function Reader:number()
  local start = self.at
  local exponent = self.text:find("^0[xX]", start) and "[pP]" or "[eE]"
  while true do
    local stop = self.text:match("^" .. exponent .. "[+-]?()", self.at) or self.text:match("^[%w_.]()", self.at)
    if not stop then return self.text:sub(start, self.at - 1) end
    self.at = stop
  end
end


---@param reader pack.Reader
---@return pack.Token
local function next_token(reader)
  reader:skip()
  local text, at, line = reader.text, reader.at, reader.line
  local function token(kind, value) return { kind = kind, text = value, line = line } end
  if at > #text then return token("end", "") end
  local name = text:match("^[%a_][%w_]*", at)
  if name then
    reader.at = at + #name
    return token("name", name)
  end
  if text:find("^%.?%d", at) then return token("number", reader:number()) end
  if text:find("^[\"']", at) then return token("string", reader:quoted()) end
  local long = reader:long_bracket()
  if long then return token("string", long) end
  local mark = text:sub(at, at + 2)
  if not LONG[mark] then mark = mark:sub(1, 2) end
  if not LONG[mark] and not PAIRS[mark] then mark = mark:sub(1, 1) end
  reader.at = at + #mark
  return token("mark", mark)
end


--- Returns an iterator over the tokens; the last one is the end.
---@param text string
---@return fun(): pack.Token?, string?, integer?   or nil, the error of a text that Lua cannot read either, and its line
function M.each(text)
  local reader = setmetatable({ text = text, at = 1, line = 1 }, Reader)
  return function()
    local ok, token = pcall(next_token, reader)
    if ok then return token end
    if type(token) == "table" and token.wrong then return nil, token.wrong, token.line end
    error(token, 0)
  end
end


--- Returns all tokens of a short text.
---@param text string
---@return pack.Token[]? tokens
---@return string? err
---@return integer? line
function M.of(text)
  local list, next_one = {}, M.each(text)
  repeat
    local token, err, line = next_one()
    if not token then return nil, err, line end
    list[#list + 1] = token
  until token.kind == "end"
  return list
end


return M
