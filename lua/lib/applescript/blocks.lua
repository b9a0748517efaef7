--- Finds the blocks that an AppleScript's lines open and close.
--
-- The first words of a line alone show whether it opens a block. Where AppleScript allows two readings, the one without an
-- error is used: `then` may be omitted, an `end` may be bare, and `tell x to` may begin a block.

local M = {}

local DEPTH = 500       -- levels of nested blocks
local STRAY = "This 'end' closes nothing: no block is open here."

--- The names that may follow `end`, by block. A handler's is its own name, or another one: AppleScript corrects it.
local ENDS = {
  ["tell"] = { tell = true }, ["if"] = { ["if"] = true }, ["repeat"] = { ["repeat"] = true },
  ["try"] = { try = true, error = true }, ["considering"] = { considering = true, ignoring = true },
  ["ignoring"] = { considering = true, ignoring = true }, ["timeout"] = { timeout = true, with = true },
  ["transaction"] = { transaction = true, with = true }, ["using terms from"] = { using = true }, ["script"] = { script = true },
}

local RESERVED = {}
for _, names in pairs(ENDS) do
  for name in pairs(names) do RESERVED[name] = true end
end

---@class applescript.Block
---@field kind string   "tell", "if", "repeat", "try", "considering", "ignoring", "timeout", "transaction",
---                     "using terms from", "script" or "handler"
---@field name string   the name in messages
---@field at integer    the byte at which it begins
---@field first integer the token of its first word in its line
---@field line applescript.Line
---@field answered? boolean  a try's `on error` was there, or an if's `else`
---@field handlers? {at: integer, name: string}[]  those that begin in it, where none may be


--- The first token from `from` that is this word and outside brackets.
---@param line applescript.Line
---@param word string
---@param from integer
---@return integer?
function M.find_word(line, word, from)
  local depth = 0
  for i = from, line.n do
    local kind, text = line.kinds[i], line.texts[i]
    if kind == "sign" then
      if text == "(" or text == "{" or text == "[" then depth = depth + 1 end
      if text == ")" or text == "}" or text == "]" then depth = depth - 1 end
    elseif depth == 0 and kind == "word" and text == word then
      return i
    end
  end
  return nil
end


local function word_at(line, i)
  return line.kinds[i] == "word" and line.texts[i] or nil
end


--- The token of the `then` that ends the condition of an `if`. In `if x is greater then 3 then` it is the second: the first was
--- meant as `than`.
---@param line applescript.Line
---@param first integer  the token `if`
---@return integer?
function M.find_then(line, first)
  local found = M.find_word(line, "then", first + 1)
  local before = found and word_at(line, found - 1)
  local later = (before == "greater" or before == "less") and M.find_word(line, "then", found + 1)
  return later or found
end


--- True if the `to` at this token belongs to a range: `items 1 to 3 of x`.
local function in_range(line, from, to)
  local before, after = line.kinds[to - 1], line.kinds[to + 1]
  if after == "number" or line.texts[to + 1] == "-" then return true end
  if before == "number" and (word_at(line, to - 2) or ""):find "s$" and word_at(line, to + 2) == "of" then return true end
  local start = M.find_word(line, "from", from)
  return start ~= nil and start < to and before ~= "sign"
end


--- The token at which the statement of `tell x to` begins; nil if the tell is a block.
---@param line applescript.Line
---@param first integer  the token `tell`
---@return integer? token
function M.told(line, first)
  local to = M.find_word(line, "to", first + 1)
  while to and to < line.n and in_range(line, first, to) do to = M.find_word(line, "to", to + 1) end
  return to and to < line.n and to + 1 or nil
end


local opened_by

local function opened_by_if(line, first)
  local after = M.find_then(line, first)
  if not after or after == line.n then return "if", first end
  return opened_by(line, after + 1)
end


local function opened_by_tell(line, first)
  local told = M.told(line, first)
  if not told then return "tell", first end
  return opened_by(line, told)
end


--- The kind of block that a statement opens, and the token that opens it.
---@param line applescript.Line
---@param first integer
---@return string? kind
---@return integer? token
function opened_by(line, first)
  local word, second = word_at(line, first), word_at(line, first + 1)
  if word == "tell" and first < line.n then return opened_by_tell(line, first) end
  if word == "if" and first < line.n then return opened_by_if(line, first) end
  if word == "repeat" then return "repeat", first end
  if word == "try" and first == line.n then return "try", first end
  if (word == "considering" or word == "ignoring") and first < line.n then return word, first end
  if word == "with" and (second == "timeout" or second == "transaction") then return second, first end
  local from = word == "using" and second == "terms" and word_at(line, first + 2) == "from"
  if from then return "using terms from", first end
  local named = first + 1 == line.n and line.kinds[line.n] ~= "sign"
  if word == "script" and (first == line.n or named) then return "script", first end
  return nil
end


local Blocks = {}
Blocks.__index = Blocks


function Blocks:top()
  return self[#self]
end


function Blocks:push(kind, name, line, first)
  if #self >= DEPTH then
    self.full = true
    self.report(line.ats[1], "limit", ("More than %d blocks are open here; the rest was not checked."):format(DEPTH))
    return
  end
  self[#self + 1] = { kind = kind, name = name, at = line.ats[1], first = first, line = line }
end


local function fits(block, said)
  if block.kind == "handler" then return not RESERVED[said] end
  return ENDS[block.kind][said] == true
end


function Blocks:unclosed(block)
  self.report(block.at, "open_block", ("The '%s' that begins here is never closed: its 'end' is missing.")
    :format(block.name))
end


--- Reports bare ends without a block. Scripts in use have them at their end, as if they closed the script itself; a line after
--- one shows that it did not.
function Blocks:strays(severity)
  for _, at in ipairs(self.stray) do self.report(at, "stray_end", STRAY, severity) end
  self.stray = {}
end


--- Reports what follows `end try` in its line. A handler's name may have several words, and so has `end using terms from`.
function Blocks:trailing(block, line)
  local whole = block.kind == "handler" or block.kind == "using terms from" or word_at(line, 2) ~= block.kind
  if whole or line.n == 2 then return end
  self.report(line.ats[3], "two_statements", ("Nothing may follow 'end %s' in its line. Put the statement on the next one.")
    :format(block.kind))
end


--- Reports the handlers in a block that its `end` closes. A block that is never closed has those behind it only by mistake.
function Blocks:nested(block)
  for _, handler in ipairs(block.handlers or {}) do
    self.report(handler.at, "nested_handler", ("The handler '%s' begins inside the '%s' of line %d. Put it before or behind "
      .. "that, in the script itself."):format(handler.name, block.name, (self.place(block.at))))
  end
end


--- Closes a block by `end`, bare or with a name. A name that fits an outer block shows that the blocks inside it were left
--- open.
function Blocks:close(line)
  local top = self:top()
  local said = line.texts[2]
  if not top then
    if line.n == 1 then
      self.stray[#self.stray + 1] = line.ats[1]
    else
      self.report(line.ats[1], "stray_end", STRAY)
    end
    return
  end
  if line.n > 1 and not fits(top, said:lower()) then
    for i = #self - 1, 1, -1 do
      if fits(self[i], said:lower()) then
        for j = #self, i + 1, -1 do self:unclosed(self[j]) end
        for j = #self, i, -1 do self[j] = nil end
        return
      end
    end
    self.report(line.ats[1], "wrong_end", ("'end %s' is here, but the '%s' of line %d must be closed first.")
      :format(said, top.name, (self.place(top.at))))
  end
  self:trailing(top, line)
  self:nested(top)
  self[#self] = nil
end


--- The innermost block of a kind around the line, not beyond a handler or script.
function Blocks:inside(kind)
  for i = #self, 1, -1 do
    if self[i].kind == kind then return self[i] end
    if self[i].kind == "handler" or self[i].kind == "script" then return nil end
  end
  return nil
end


--- The innermost block in which no handler may begin: any but a script, and `using terms from` in one.
function Blocks:around_handler()
  for i = #self, 1, -1 do
    if self[i].kind == "script" then return nil end
    if self[i].kind ~= "using terms from" then return self[i] end
  end
  return nil
end


--- Opens a handler for a line that begins with `on` or `to`. `on error` belongs to the try around it. Returns true if a handler
--- was opened.
function Blocks:handler(line)
  local top = self:top()
  local is_error = word_at(line, 1) == "on" and word_at(line, 2) == "error"
  if is_error and (line.texts[3] ~= "(" or top and top.kind == "try") then
    if not top or top.kind ~= "try" then
      local open = self:inside "try"
      self.report(line.ats[1], "stray_on_error", open
        and ("This 'on error' is inside the '%s' of line %d, which must be closed first.")
          :format(top.name, (self.place(top.at)))
        or "This 'on error' is not inside a 'try'.")
    end
    return false
  end
  local around = self:around_handler()
  if around then
    around.handlers = around.handlers or {}
    table.insert(around.handlers, { at = line.ats[1], name = line.texts[2] or "on" })
  end
  self:push("handler", line.texts[2] or "on", line, 1)
  return true
end


function Blocks:otherwise(line)
  local top = self:top()
  if top and top.kind == "if" then return end
  self.report(line.ats[1], "stray_else", top
    and ("This 'else' is inside the '%s' of line %d, not in an 'if'."):format(top.name, (self.place(top.at)))
    or "This 'else' is not inside an 'if'.")
end


local function exits_repeat(line)
  local exit = M.find_word(line, "exit", 1)
  return exit and word_at(line, exit + 1) == "repeat"
end


--- Follows one more line. Returns true if the line opened a block that is now on top.
---@param line applescript.Line
---@return boolean opened
function Blocks:follow(line)
  local first, second = word_at(line, 1), word_at(line, 2)
  if self.full then return false end
  if #self.stray > 0 and not (first == "end" and line.n == 1) then self:strays "error" end
  if not first then return false end
  if first == "end" and second ~= "of" then
    self:close(line)
  elseif first == "else" then
    self:otherwise(line)
  elseif (first == "on" or first == "to") and line.n > 1 then
    return self:handler(line)
  else
    if exits_repeat(line) and not self:inside "repeat" then
      self.report(line.ats[1], "stray_exit", "This 'exit repeat' is not inside a 'repeat'.")
    end
    local kind, token = opened_by(line, 1)
    if kind then
      self:push(kind, kind, line, token)
      return true
    end
  end
  return false
end


--- Reports blocks that are open at the end of the text.
function Blocks:finish()
  self:strays "warning"
  for i = #self, 1, -1 do self:unclosed(self[i]) end
end


--- A reader of blocks, with the open ones in order, the outermost first.
---@param report applescript.Reporter
---@param place fun(at: integer): integer, integer
function M.new(report, place)
  return setmetatable({ report = report, place = place, full = false, stray = {} }, Blocks)
end


return M
