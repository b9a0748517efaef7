--- The grammar of statements: the units of a statement must join, and each kind of statement has its shape.
--
-- Two neighbors join if one of them completes a value and the other goes on after it, or if one requires a value and the other
-- begins it. This needs no reading of the whole statement, takes one pass, and finds what people and models get wrong: a
-- missing or double operator, two values side by side, a statement after a statement. If either of two neighbors may be a term
-- that is not known, they are accepted.

local dictionaries = require "applescript.dictionaries"
local shapes       = require "applescript.shapes"
local units        = require "applescript.units"
local words        = require "applescript.words"

local M = {}

local BAD_SIGN = "AppleScript has no sign '%s'.%s"
local SIGN_ADVICE = {
  ["!"] = " Write 'is not' or ≠, and 'not x'.", ["%"] = " Write 'mod' for the rest of a division.",
  [";"] = " Put each statement on a line of its own.", ["."] = " Write 'x of y' or y's x.",
  ["'"] = " Strings are written in double quotes.", ["`"] = " Strings are written in double quotes.",
  ["\\"] = " A statement is continued on the next line by ¬.", ["“"] = " Strings are written in straight quotes: \".",
}

--- A judge of one line.
---@class applescript.Grammar
local Grammar = {}
Grammar.__index = Grammar


--- A unit as a message shows it, in the script's own letters.
function Grammar:shown(unit)
  if unit.kind == "literal" and self.line.kinds[unit.first] == "string" then return "this string" end
  local text = self.source:sub(self.line.ats[unit.first], self.line.stops[unit.last]):gsub("%s*¬%s*", " ")
  return "'" .. text .. "'"
end


function Grammar:tell(unit, code, message, severity, nearest)
  if self.told then return end
  self.told = true
  self.report(self.line.ats[unit.first], code, message, severity, nearest)
end


--- The name nearest to a word that is not a term, among the names that are valid here.
local function nearest_to(scope, text)
  local best, distance = nil, nil
  for k = 0, #scope.all do
    local terms = k == 0 and dictionaries.language() or scope.all[k]
    local found, apart = dictionaries.nearest(text, terms:names())
    if found and (not distance or apart < distance) then best, distance = terms:written(found), apart end
  end
  return best, distance
end


--- The nearest name to two words side by side: to both together, or to the one that is not a term.
local function suggestion(scope, a, b)
  local best, distance = nil, nil
  local function look(text)
    local found, apart = nearest_to(scope, text)
    if found and (not distance or apart < distance) then best, distance = found, apart end
  end
  if a.kind ~= "literal" and b.kind ~= "literal" then look(a.text .. " " .. b.text) end
  if a.kind == "name" then look(a.text) end
  if b.kind == "name" then look(b.text) end
  return best
end


--- True if only a statement begins so: `set volume` does, too.
local function begins_statement(unit)
  return unit.kind == "word" and words.STATEMENTS[unit.text] or unit.kind == "term" and unit.text:find "^set " ~= nil
end


--- `beep beep`, but not `message message`: the second is the value of the first, a variable of that name.
local function is_twice(a, b)
  return a.kind == "term" and b.kind == "term" and a.text == b.text and not a.label
end


function Grammar:side_by_side(scope, a, b)
  local firm = math.min(a.firm, b.firm)
  local statement = begins_statement(b) or is_twice(a, b)
  if statement and (#scope.all == 0 or b.text == "tell" or b.text == "if" or self.ends_in_set) then firm = 2 end
  if self.before_then and b.command and #scope.all == 0 then firm = 2 end
  if a.kind == "name" and not statement and #scope.all > 0 then firm = 0 end
  if firm == 2 or firm == 1 and #scope.all == 0 then
    if statement then
      self:tell(b, "two_statements", ("A second statement begins with '%s'. Put it on a line of its own.%s"):format(b.text,
        self.before_then and " After the condition of a one-line 'if', write 'then'." or ""))
    else
      self:tell(b, "adjacent", ("There is no operator or comma between %s and %s."):format(self:shown(a), self:shown(b)))
    end
    return
  end
  local where = #scope.all > 0 and scope.all[1].name or "AppleScript"
  self:tell(a.kind == "literal" and b or a, "unknown_term", function()
    local near = suggestion(scope, a, b)
    local message = "There is no operator between %s and %s, and together they are not a term of %s.%s"
    return message:format(self:shown(a), self:shown(b), where, near and (" Did you mean '%s'?"):format(near) or ""), near
  end, "warning")
end


--- Reports that something is missing after a token.
function Grammar:missing_after(token, message)
  self:tell({ first = token }, "missing_operand", message)
end


function Grammar:missing(a, b, after)
  if after then
    self:tell(a, "missing_operand", ("A value is missing after %s."):format(self:shown(a)))
  else
    self:tell(b, "missing_operand", ("A value is missing before %s."):format(self:shown(b)))
  end
end


--- True if a class's name may be followed by this unit without anything between.
local function selects(a, b)
  return not a.class or units.selects(a, b)
end


--- True if a unit can only begin a statement, although something is before it.
local function is_second(a, b)
  if b.kind == "term" then return a.class and begins_statement(b) end
  return b.kind == "word" and words.ONLY_FIRST[b.text] and (a.kind ~= "any" or b.text == "tell") and a.text ~= "exit"
end


--- Reports the name of a parameter without its value: `display dialog "x" buttons`. Where a value may be, one word may be a
--- variable of that name: `display alert message`.
function Grammar:label(before, label, after)
  local ends = not after or after.kind == "close" or after.label and after.first < after.last
    or after.left == "operand" and after.firm == 2
  if not ends or not before or before.kind == "open" or before.right == "operand" then return end
  if (before.command or before.label) and label.first == label.last then return end
  self:tell(label, "missing_parameter", ("The value of the parameter %s is missing."):format(self:shown(label)), "warning")
end


--- Checks two neighbors. Both are units, or nil at an end of the statement.
function Grammar:pair(scope, a, b)
  if not a then
    if b.left == "operand" then self:missing(nil, b) end
  elseif not b or b.kind == "close" then
    if a.right == "operand" then self:missing(a, nil, true) end
  elseif a.right == "operand" then
    if b.left == "operand" then self:missing(a, b, a.firm == 2) end
  elseif a.kind == "open" then
    if b.left == "operand" then self:missing(nil, b) end
  elseif a.right == "none" and b.left == "none" then
    local call = b.text == "(" and b.kind == "open" and a.kind ~= "literal" and a.kind ~= "close"
    if not call then self:side_by_side(scope, a, b) end
  elseif not selects(a, b) or is_twice(a, b) or is_second(a, b) then
    self:side_by_side(scope, a, b)
  end
end


--- Reports signs that AppleScript does not have.
function Grammar:signs(list)
  local line = self.line
  for _, unit in ipairs(list) do
    local text = unit.text
    local whole = line.kinds[unit.first] == "sign" and unit.first == unit.last
    local point = text == "." and (line.kinds[unit.first - 1] == "number" or line.kinds[unit.first + 1] == "number")
    if whole and not words.SIGNS[text] and unit.kind == "sign" and not point then
      self:tell(unit, "bad_sign", BAD_SIGN:format(text, SIGN_ADVICE[text] or ""))
    end
  end
end


--- Reports a record's key that no comma separates from the value before: `{a:1 b:2}`.
function Grammar:records(list)
  local open = {}
  for k, unit in ipairs(list) do
    local top = open[#open]
    if unit.kind == "open" then
      open[#open + 1] = { record = unit.text == "{" }
    elseif unit.kind == "close" then
      open[#open] = nil
    elseif top and top.record then
      if unit.text == "," then
        top.keyed, top.call = false, false
      elseif unit.text == "my" or unit.text == "tell" or unit.text:find "^'" then
        top.call = true
      elseif unit.kind == "key" then
        local begins = list[k - 1].kind == "open" or list[k - 1].text == ","
        if top.keyed and not top.call then self:tell(unit, "adjacent", ("A comma is missing before '%s'."):format(unit.text)) end
        top.keyed = top.keyed or begins
      end
    end
  end
end


--- Reports a `then` that is none, because every condition ends before its own: `than` was meant in `x is greater then 3`. The
--- same of a `than` at the end of a condition.
function Grammar:misplaced(before, unit, what)
  local compares = before ~= nil and (before.text == "greater" or before.text == "less")
  if unit.text == "than" then
    if unit.kind == "name" and before and self.lacks_then and not compares then
      self:tell(unit, "misspelt", "After the condition of an 'if' comes 'then', not 'than'.", nil, "then")
    end
  elseif unit.kind == "word" and compares then
    self:tell(unit, "misspelt", ("After '%s' comes 'than', not 'then'."):format(before.text), nil, "than")
  elseif unit.kind == "word" and before and what == "statement" then
    self:tell(unit, "stray_then", "This 'then' belongs to no 'if'.")
  end
end


--- Checks the units of one part of a statement: all of it, or the condition of an `if`, or the object of a `tell`.
---@param scope applescript.Scope
---@param first integer
---@param last integer
---@param loose boolean  terms may be valid that are not known
---@param what "statement"|"condition"|"object"
function Grammar:part(scope, first, last, loose, what)
  local list = units.read(scope, self.line, first, last, loose)
  self.before_then = what == "condition"
  self.lacks_then = what == "condition" and self.line.texts[last + 1] ~= "then"
  self:signs(list)
  if #list == 0 or self.told then return end
  if what == "statement" then
    local skip = shapes.check(self, scope, list, loose)
    if skip then return end
  end
  local before = nil
  for k, unit in ipairs(list) do
    self.ends_in_set = unit.text == "set" and k < #list and shapes.find(list, "to", k + 1) ~= nil
    if unit.text == "then" or unit.text == "than" then self:misplaced(before, unit, what) end
    self:pair(scope, before, unit)
    if unit.label then self:label(before, unit, list[k + 1]) end
    if self.told then return end
    before = unit
  end
  self:pair(scope, before, nil)
  self:records(list)
end


---@param source string  the script's text
---@param line applescript.Line
---@param report applescript.Reporter
---@param open boolean  the script uses terms of a library or application, which are valid everywhere
---@return applescript.Grammar
function M.new(source, line, report, open)
  return setmetatable({ source = source, line = line, report = report, open = open, told = false }, Grammar)
end


return M
