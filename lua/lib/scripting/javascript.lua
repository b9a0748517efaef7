--- Checks the structure of JavaScript: strings, comments, template literals, regular expressions and brackets.
--
-- A text that fails here is refused by every engine. One that passes may still be wrong: only an engine knows. Where a "/" may
-- be a division or begin a regular expression, the token before it decides, and in doubt the reading that raises no error.

local lexer  = require "applescript.lexer"
local set_of = require("word_set").of

local M = {}

local CLOSES = { [")"] = "(", ["]"] = "[", ["}"] = "{" }

-- Words after which a value begins.
local BEFORE_VALUE = set_of "await case delete do else extends in instanceof new of return throw typeof void yield"

-- Words before the brackets of a condition, after which a statement begins.
local CONDITION = set_of "if while for with"

local LINE_ENDS = "[\n\r\xE2]"


---@class scripting.JavaScript
---@field text string
---@field at integer
---@field begins integer  the first byte, behind a byte order mark
---@field open {sign: string, at: integer, condition?: boolean, template?: boolean}[]
---@field value boolean|"maybe"  the token before was the end of a value: "/" divides
---@field word? string            the token before, if it was a word
---@field dot? boolean            the token before was "."
---@field found {at: integer, code: string, message: string}[]
local Scan = {}
Scan.__index = Scan


function Scan:fail(at, code, message)
  self.found[#self.found + 1] = { at = at, code = code, message = message }
  self.at = #self.text + 1
  self.failed = true
end


function Scan:token(value, word, dot) self.value, self.word, self.dot = value, word, dot end


--- The end of the line at a place: its first byte, or the byte behind the text.
local function line_end(text, at)
  while true do
    local found = text:find(LINE_ENDS, at)
    if not found then return #text + 1 end
    if text:byte(found) ~= 0xE2 or text:find("^\xE2\x80[\xA8\xA9]", found) then return found end
    at = found + 1
  end
end


--- A string in ' or ". Only "\" continues it in the next line.
function Scan:string(quote)
  local begun, at = self.at, self.at + 1
  while true do
    local found = self.text:find("[\\\n\r" .. quote .. "]", at)
    local sign = found and self.text:sub(found, found)
    if sign == quote then
      self.at = found + 1
      return self:token(true)
    elseif sign ~= "\\" then
      return self:fail(begun, "open_string", ("A string begins here with %s and is not closed in its line."):format(quote))
    end
    at = found + (self.text:find("^\r\n", found + 1) and 3 or 2)
  end
end


--- The text of a template literal, up to its end or to "${".
function Scan:template(begun)
  local at = self.at
  while true do
    local found = self.text:find("[\\`$]", at)
    if not found then return self:fail(begun, "open_template", "A template literal begins here with ` and is never closed.") end
    local sign = self.text:sub(found, found)
    if sign == "`" then
      self.at = found + 1
      return self:token(true)
    elseif sign == "$" and self.text:sub(found + 1, found + 1) == "{" then
      self.open[#self.open + 1] = { sign = "{", at = found, template = begun }
      self.at = found + 2
      return self:token(false)
    end
    at = found + (sign == "\\" and 2 or 1)
  end
end


function Scan:comment()
  local _, stop = self.text:find("*/", self.at + 2, true)
  if not stop then return self:fail(self.at, "open_comment", "A comment begins here with /* and is never closed with */.") end
  self.at = stop + 1
end


--- The byte behind the regular expression at a place; nil if its line ends first.
local function past_expression(text, at)
  local stop, class = line_end(text, at), false
  at = at + 1
  while at < stop do
    local sign = text:sub(at, at)
    if sign == "\\" then at = at + 1
    elseif sign == "[" then class = true
    elseif sign == "]" then class = false
    elseif sign == "/" and not class then return (select(2, text:find("^[%w_$]*", at + 1)) or at) + 1 end
    at = at + 1
  end
end


--- A "/" that is no comment: a division, or a regular expression.
function Scan:slash()
  local past = self.value ~= true and past_expression(self.text, self.at)
  if past then
    self.at = past
    return self:token(true)
  end
  if not self.value then
    return self:fail(self.at, "open_expression", "A regular expression begins here with / and is not closed in its line.")
  end
  self.at = self.at + 1
  self:token(false)
end


function Scan:opening(sign)
  self.open[#self.open + 1] = { sign = sign, at = self.at, condition = sign == "(" and CONDITION[self.word or ""] or nil }
  self.at = self.at + 1
  self:token(false)
end


function Scan:closing(sign)
  local last = table.remove(self.open)
  if not last then
    return self:fail(self.at, "unbalanced", ("There is no '%s' before this '%s'."):format(CLOSES[sign], sign))
  elseif last.sign ~= CLOSES[sign] then
    local line = self.place(last.at)
    return self:fail(self.at, "unbalanced", ("This '%s' is here, but the '%s' of line %d must be closed first.")
      :format(sign, last.sign, line))
  end
  self.at = self.at + 1
  if last.template then return self:template(last.template) end
  self:token(last.condition and "maybe" or sign == "}" and "maybe" or true)
end


function Scan:word_or_number()
  local text = self.text
  local _, stop = text:find("^[%w_$\x80-\xFF]+", self.at)
  local word = text:sub(self.at, stop)
  if word:find "^%d" then
    _, stop = text:find("^[%w_.]+", self.at)
    self.at = stop + 1
    return self:token(true)
  end
  local is_member = self.dot   -- x.return is a name
  self.at = stop + 1
  if word == "await" and self.word == "for" then word = "for" end
  self:token(is_member or not BEFORE_VALUE[word], not is_member and word or nil)
end


--- Any other sign. After ++ and -- it is as before them: i++ / 2, but ++/x/.lastIndex.
function Scan:sign()
  local two = self.text:sub(self.at, self.at + 1)
  if two == "++" or two == "--" then
    self.at = self.at + 2
    return
  end
  self.at = self.at + 1
  self:token(false, nil, two:sub(1, 1) == ".")
end


function Scan:step()
  local text, at = self.text, self.at
  local sign = text:sub(at, at)
  if sign:find "%s" then self.at = select(2, text:find("^%s+", at)) + 1
  elseif sign == '"' or sign == "'" then self:string(sign)
  elseif sign == "`" then
    self.at = at + 1
    self:template(at)
  elseif text:find("^//", at) or text:find("^#!", at) and at == self.begins then self.at = line_end(text, at)
  elseif text:find("^/%*", at) then self:comment()
  elseif sign == "/" then self:slash()
  elseif sign:find "[%[({]" then self:opening(sign)
  elseif sign:find "[%])}]" then self:closing(sign)
  elseif sign:find "[%w_$\x80-\xFF]" then self:word_or_number()
  else self:sign() end
end


---@param text string
---@return {line: integer, column: integer, code: string, message: string}[] findings  of the first error
function M.check(text)
  local begins = text:find "^\u{FEFF}" and 4 or 1
  local scan = setmetatable({ text = text, at = begins, begins = begins,
    open = {}, value = false, found = {}, place = lexer.places(text) }, Scan)
  while scan.at <= #text do scan:step() end
  local last = scan.open[#scan.open]
  if last and not scan.failed then
    scan:fail(last.at, "unbalanced", last.template and "A ${ begins here and is never closed with }."
      or ("This '%s' is never closed."):format(last.sign))
  end
  for _, each in ipairs(scan.found) do each.line, each.column, each.at = scan.place(each.at) end
  return scan.found
end


return M
