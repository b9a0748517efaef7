--- The tokens of Lua text.

local M = {}

---@class cli.Token
---@field kind "name"|"keyword"|"string"|"number"|"symbol"|"end"
---@field text string   of a string: its content, with its escapes as they are written
---@field line integer

local KEYWORDS = {}
for word in ("and break do else elseif end false for function goto if in local nil not or repeat return then true until while")
  :gmatch "%a+" do
  KEYWORDS[word] = true
end

--- Symbols of three, two and one characters: longer ones first.
local SYMBOLS = {
  { ["..."] = true },
  { [".."] = true, ["=="] = true, ["~="] = true, ["<="] = true, [">="] = true, ["//"] = true, ["::"] = true, ["<<"] = true,
    [">>"] = true },
}
local SINGLE = {}
for symbol in ("+-*/%^#&~|<>=(){}[];:,."):gmatch "." do SINGLE[symbol] = true end


local function fail(line, message, ...) error({ line = line, message = message:format(...) }, 0) end


--- Returns the content of a long bracket that begins here, and the place behind it; nil if none does.
local function long_bracket(text, at, line)
  local level = text:match("^%[(=*)%[", at)
  if not level then return nil end
  local first = at + #level + 2
  local from, to = text:find("]" .. level .. "]", first, true)
  if not from then fail(line, "the long string or comment that begins here is not closed") end
  return text:sub(first, from - 1), to + 1
end


--- Returns the place behind a comment that begins here.
local function behind_comment(text, at, line)
  local _, behind = long_bracket(text, at + 2, line)
  return behind or text:find("\n", at, true) or #text + 1
end


--- Returns the content of a string in quotes that begins here, and the place behind it.
local function quoted(text, at, line)
  local quote, from = text:sub(at, at), at + 1
  local place = from
  while true do
    local found = text:find('[\\\n"\']', place)
    local c = found and text:sub(found, found)
    if not found or c == "\n" then fail(line, "the string that begins here is not closed") end
    if c == quote then return text:sub(from, found - 1), found + 1 end
    if text:find("^\\z", found) then
      place = text:find("%S", found + 2) or #text + 1
    else
      place = found + (text:find("^\\\r\n", found) and 3 or c == "\\" and 2 or 1)
    end
  end
end


local function number_end(text, at)
  local pattern = text:find("^0[xX]", at) and "^0[xX][%x%.]*[pP]?[%+%-]?%x*" or "^[%d%.]+[eE]?[%+%-]?%d*"
  local digits = text:match(pattern, at)
  -- A sign belongs to the number only behind an exponent.
  local sign = digits:find "[%+%-]"
  local exponent = digits:find "^0[xX]" and "[pP]$" or "[eE]$"
  if sign and not digits:sub(1, sign - 1):find(exponent) then digits = digits:sub(1, sign - 1) end
  return at + #digits
end


--- Returns the character at a byte, whole; of control characters, and of bytes that are none, the number of the first.
local function character_at(text, at)
  local whole = text:match("^[\194-\244][\128-\191]+", at) or text:match("^[\33-\126]", at)
  if whole and whole:find "^\194[\128-\159]" then whole = nil end
  return whole and utf8.len(whole) and whole or ("\\%d"):format(text:byte(at))
end


local function symbol_at(text, at, line)
  local symbol = text:sub(at, at)
  if not SINGLE[symbol] then fail(line, 'unexpected character "%s"', character_at(text, at)) end
  if not text:find("^[%.=~<>/:]", at + 1) then return symbol end
  for i, set in ipairs(SYMBOLS) do
    local longer = text:sub(at, at + 3 - i)
    if set[longer] then return longer end
  end
  return symbol
end


--- Reads one token; `kind` is nil for a comment.
local function token_at(text, at, line)
  local word = text:match("^[%a_][%w_]*", at)
  if word then return KEYWORDS[word] and "keyword" or "name", word, at + #word end
  local first = text:sub(at, at)
  if first == "-" and text:find("^-", at + 1) then return nil, nil, behind_comment(text, at, line) end
  local content, behind
  if first == '"' or first == "'" then content, behind = quoted(text, at, line) end
  if first == "[" then content, behind = long_bracket(text, at, line) end
  if content then return "string", content, behind end
  if text:find("^%.?%d", at) then
    behind = number_end(text, at)
    return "number", text:sub(at, behind - 1), behind
  end
  local symbol = symbol_at(text, at, line)
  return "symbol", symbol, at + #symbol
end


--- Returns the tokens of a text; the last is of the kind "end". Raises { line, message } if it cannot be read.
---@param text string
---@return cli.Token[]
function M.of(text)
  local tokens, line = {}, 1
  local at = text:find("^#", 1) and text:find("\n", 1, true) or 1
  local newline = text:find("\n", 1, true)
  local function count_lines(to)
    while newline and newline < to do
      line, newline = line + 1, text:find("\n", newline + 1, true)
    end
  end
  at = text:find("%S", at or #text + 1)
  while at do
    count_lines(at)
    local kind, word, behind = token_at(text, at, line)
    if kind then tokens[#tokens + 1] = { kind = kind, text = word, line = line } end
    at = text:find("%S", behind)
  end
  count_lines(#text + 1)
  tokens[#tokens + 1] = { kind = "end", text = "<eof>", line = line }
  return tokens
end


return M
