--- Finds the call, the table and the string at the end of a text that is being typed.

local M = {}


---@class repl.Context
---@field word string       the name or path at the end: "sys.window.mo"; "" within a string
---@field quoted? string     within a string: the typed part of it
---@field before? string     within a string: the text before its quote
---@field call? string       the path of the function whose arguments are being written
---@field braces boolean     true within a table, and not within parentheses alone
---@field index integer      the number of the argument, from 1
---@field key? string        within a table, behind KEY =


--- Returns the end of the string that begins at `at`; nil if it is not closed. A long string is [[...]].
local function string_end(line, at)
  local quote = line:sub(at, at)
  if quote == "[" then
    local level = line:match("^%[(=*)%[", at)
    if not level then return at end
    local _, stop = line:find("]" .. level .. "]", at, true)
    return stop
  end
  at = at + 1
  while at <= #line and line:sub(at, at) ~= quote do
    at = at + (line:sub(at, at) == "\\" and 2 or 1)
  end
  return at <= #line and at or nil
end


local function comment_end(line, at)
  local level = line:match("^%-%-%[(=*)%[", at)
  local _, stop
  if level then _, stop = line:find("]" .. level .. "]", at, true) else stop = line:find("\n", at, true) end
  return stop or #line
end


local CLOSES = { [")"] = true, ["]"] = true, ["}"] = true }

--- Returns the brackets that are open at the end, the innermost last; or, within a string, its beginning.
---@return {at: integer, commas: integer, comma: integer}[] stack
---@return integer? quote
local function scan(line)
  local stack, at = {}, 1
  while at <= #line do
    local c = line:sub(at, at)
    if c == '"' or c == "'" or c == "[" and line:find("^%[=*%[", at) then
      local stop = string_end(line, at)
      if not stop then return stack, at end
      at = stop
    elseif line:find("^%-%-", at) then
      at = comment_end(line, at)
    elseif c == "(" or c == "{" or c == "[" then
      stack[#stack + 1] = { at = at, commas = 0, comma = at }
    elseif CLOSES[c] then
      stack[#stack] = nil
    elseif (c == "," or c == ";") and #stack > 0 then
      local top = stack[#stack]
      top.commas, top.comma = top.commas + 1, at
    end
    at = at + 1
  end
  return stack
end


--- Returns the path of the function before a bracket: f(, f{, f({.
local function callee(line, bracket)
  local before = line:sub(1, bracket.at - 1)
  local name = before:match "tools%[[\"']([%w_]+)[\"']%]%s*$"
  if name then return "tools." .. name end
  local path = before:match "([%a_][%w_%.:]*)%s*$"
  if path == "function" or path == "return" or path == "and" or path == "or" or path == "not" then return nil end
  return path
end


local function find_call(line, stack, context)
  local top = stack[#stack]
  if not top then return end
  context.braces = line:sub(top.at, top.at) == "{"
  context.index = top.commas + 1
  context.key = context.braces and line:sub(top.comma + 1):match "^%s*([%a_][%w_]*)%s*=%s*[^=]*$" or nil
  context.call = callee(line, top)
  local outer = stack[#stack - 1]
  if context.braces and not context.call and outer and line:sub(outer.at, outer.at) == "("
    and line:sub(outer.comma + 1, top.at - 1):find "^%s*$" then
    context.call, context.index = callee(line, outer), outer.commas + 1
  elseif context.braces then
    context.index = 1
  end
end


---@param line string  the text before the cursor
---@return repl.Context
function M.of(line)
  local stack, quote = scan(line)
  local context = { word = "", braces = false, index = 1 }
  if quote then
    context.quoted = line:sub(quote + 1)
    context.before = line:sub(1, quote - 1)
    find_call(context.before, stack, context)
  else
    context.word = line:match "[%a_][%w_%.:]*$" or ""
    find_call(line:sub(1, #line - #context.word), stack, context)
  end
  return context
end


return M
