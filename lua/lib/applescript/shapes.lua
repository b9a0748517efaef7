--- The shapes of statements: `set x to y`, `repeat with x in y`, `property x : y`, and the words that begin them.

local dictionaries = require "applescript.dictionaries"
local units        = require "applescript.units"
local words        = require "applescript.words"

local M = {}

--- Words that begin a statement and that may be misspelt.
local KEYWORDS = { "set", "copy", "tell", "if", "repeat", "return", "try", "considering", "ignoring", "global", "local",
                   "property", "script", "exit", "error", "else", "using", "display", "activate", "continue", "log", "end" }

--- Those that a newer dictionary will hardly have a command beside, one letter apart, as `edit` is beside `exit`.
local UNLIKELY = { set = true, tell = true, ["repeat"] = true, ["return"] = true, considering = true, ignoring = true,
                   property = true, global = true }

local LOOPS = { with = true, ["while"] = true, ["until"] = true }


--- The first unit from `from` that is this word, outside brackets.
---@param list applescript.Unit[]
---@param text string
---@param from integer
---@return integer?
function M.find(list, text, from)
  local depth = 0
  for k = from, #list do
    local unit = list[k]
    if unit.kind == "open" then depth = depth + 1 end
    if unit.kind == "close" then depth = depth - 1 end
    if depth == 0 and unit.text == text then return k end
  end
  return nil
end


-- --- the word at the beginning -------------------------------------------------------------

--- True if a word is a term here, or reserved.
local function is_known(scope, line, i)
  return words.WORDS[line.texts[i]] ~= nil or units.term(scope, line, i) ~= nil
end


--- True if a word is nearly a keyword. Where terms may be valid that are not known, only letters that changed places count.
local function is_nearly(text, keyword, foreign)
  if not dictionaries.one_slip(text, keyword) then return false end
  local ends = text:sub(1, 1) == keyword:sub(1, 1) and text:sub(-1) == keyword:sub(-1)
  return not foreign or ends and #text == #keyword and #keyword > 4
end


--- `retrun x`: a word that is no term, is followed by something else than an operator, and is nearly a keyword.
local function misspelt(grammar, scope, list)
  local head, after, line = list[1], list[2], grammar.line
  if line.kinds[head.first] ~= "word" or head.kind == "key" or not after then return false end
  local goes_on = after.left == "none" or after.kind == "any" or after.kind == "key" or LOOPS[after.text]
  if not goes_on or after.text == "(" then return false end
  if is_known(scope, line, head.first) then return false end
  local foreign = scope.foreign or scope.mixed or grammar.open
  for _, keyword in ipairs(KEYWORDS) do
    local sure = #scope.all == 0 or UNLIKELY[keyword] and (keyword ~= "set" or M.find(list, "to", 2) ~= nil)
    if is_nearly(head.text, keyword, foreign or not sure) and (not LOOPS[after.text] or keyword == "repeat")
      and (after.kind ~= "key" or keyword == "property") then
      local message = ("No statement begins with %s. Did you mean '%s'?"):format(grammar:shown(head), keyword)
      grammar:tell(head, "misspelt", message, nil, keyword)
      return true
    end
  end
  return false
end


local VARIABLE, HANDLER = "set x to y", "on x(y)"

--- Words that begin a declaration in other languages, and how AppleScript says it.
local DECLARES = { var = VARIABLE, let = VARIABLE, const = VARIABLE, int = VARIABLE, dim = VARIABLE, auto = VARIABLE,
                   def = HANDLER, ["function"] = HANDLER, func = HANDLER, fn = HANDLER, sub = HANDLER }

--- `var x = 5`, `def f(x)`.
local function of_another_language(grammar, list)
  local advice = DECLARES[list[1].text]
  local third = list[3] and list[3].text
  if not advice or list[1].kind ~= "name" or list[2].left == "operand" or list[2].text == "(" then return end
  if third == "=" or third == "as" or third == "(" then
    grammar:tell(list[1], "bad_declaration", ("AppleScript has no %s. Write: %s"):format(grammar:shown(list[1]), advice))
  end
end


-- --- targets ---------------------------------------------------------------------------------

--- Words after which an object is chosen by a test or a range: operators in these are not part of the target itself.
local CHOOSES = { whose = true, where = true, that = true, thru = true, through = true, from = true }

local function is_fixed(unit)
  return unit ~= nil and (unit.kind == "literal" or unit.text == "true" or unit.text == "false" or unit.text == "missing value")
end


--- True if a unit calculates or compares with the value before it. A sign may also begin a number.
local function calculates(unit, before)
  if unit.text == "+" or unit.text == "-" then return before.right == "none" and before.firm > 0 end
  local sides = words.SIGNS[unit.text] or words.WORDS[unit.text]
  return sides ~= nil and sides.always == true and sides.left == "operand" and unit.text ~= ":" and unit.text ~= ","
end


--- The unit from first to last, of what is given a value, that can have none: `set 5 to x`, `set 3 + 4 to x`, `set {a, 5} to x`.
local function without_value(list, first, last)
  local head = list[first].text == "-" and first + 1 or first
  if is_fixed(list[head]) and (head == last or head < last and calculates(list[head + 1], list[head])) then return list[first] end
  if head == last then return nil end
  local names, depth, found = list[first].text == "{" and list[last].text == "}", 0, nil
  for k = first, last do
    local unit = list[k]
    if unit.kind == "open" then
      depth = depth + 1
    elseif unit.kind == "close" then
      depth = depth - 1
    elseif names then
      local before, after = list[k - 1].text, list[k + 1].text
      local whole = (before == "{" or before == ",") and (after == "," or after == "}")
      if whole and is_fixed(unit) then return unit end
    elseif depth == 0 then
      if CHOOSES[unit.text] then return nil end
      if not found and k > first and calculates(unit, list[k - 1]) then found = unit end
    end
  end
  return found
end


local function check_target(grammar, list, first, last)
  local unit = first <= last and without_value(list, first, last)
  if not unit then return end
  local what = is_fixed(unit) and "%s cannot be given a value." or "What is given a value cannot be calculated: %s is in it."
  grammar:tell(unit, "bad_target", what:format(grammar:shown(unit):gsub("^this", "This")) .. " Name a variable or a property.")
end


-- --- statements by their first word ----------------------------------------------------------

local SHAPES = {}

function SHAPES.set(grammar, list, loose)
  local to, equals = M.find(list, "to", 2), M.find(list, "=", 2)
  if #list == 1 or to == 2 then
    grammar:tell(list[1], "missing_operand", "The name of what is set is missing after 'set'. Write: set x to y")
  elseif to and to == #list then
    grammar:tell(list[to], "missing_operand", "A value is missing after 'to'.")
  elseif not to and equals and not loose then
    grammar:tell(list[equals], "missing_to", "A value is given with 'to', not with '='. Write: set x to y")
  elseif not to and not loose then
    grammar:tell(list[1], "missing_to", "This 'set' has no 'to'. Write: set x to y")
  elseif to then
    check_target(grammar, list, 2, to - 1)
  end
end


function SHAPES.copy(grammar, list, loose, plain)
  if loose or not plain or #list == 1 then return end
  local to = M.find(list, "to", 2) or M.find(list, "into", 2)
  if to then return check_target(grammar, list, to + 1, #list) end
  grammar:tell(list[1], "missing_to", "This 'copy' has no 'to'. Write: copy x to y")
end


local FORMS = " The forms are: repeat, repeat 3 times, repeat while x, repeat until x, repeat with x in y, "
  .. "repeat with x from 1 to 3 by 2."

local function bad_repeat(grammar, unit, message)
  grammar:tell(unit, "bad_repeat", message .. FORMS)
end


--- `repeat with x from 1 to 3`, `repeat with x in y`.
local function with_variable(grammar, list, loose)
  local variable, after = list[3], list[4] and list[4].text
  local to = M.find(list, "to", 4)
  if not variable or variable.left == "operand" or is_fixed(variable) then
    bad_repeat(grammar, list[2], "The name of the variable is missing after 'with'.")
  elseif after == "from" and not to then
    bad_repeat(grammar, list[4], "This 'repeat' has 'from' without 'to'.")
  elseif after == "from" and to == #list then
    bad_repeat(grammar, list[to], "The last number is missing after 'to'.")
  elseif after ~= "from" and after ~= "in" then
    local later = M.find(list, "from", 4) or M.find(list, "in", 4)
    local names = variable.kind == "name" and list[4] and list[4].kind == "name"
    if later and (loose or not names) then return end
    bad_repeat(grammar, list[4] or variable, "After the variable comes 'from' or 'in'.")
  end
end


--- `repeat 3 times`, and what other languages write.
local function counted(grammar, list)
  local second = list[2]
  local times, from = M.find(list, "times", 2), M.find(list, "from", 2)
  if second.text == "for" or second.text == "each" then
    bad_repeat(grammar, second, ("There is no 'repeat %s'."):format(second.text))
  elseif times == 2 then
    bad_repeat(grammar, second, "The number is missing before 'times'.")
  elseif times and times < #list then
    bad_repeat(grammar, list[times + 1], "Nothing may follow 'times' in its line.")
  elseif from and not times and M.find(list, "to", from) then
    bad_repeat(grammar, second, "'with' is missing after 'repeat'.")
  end
end


SHAPES["repeat"] = function(grammar, list, loose)
  local second = list[2]
  if not second then return end
  if second.text == "with" then
    with_variable(grammar, list, loose)
  elseif second.text == "while" or second.text == "until" then
    if #list == 2 then bad_repeat(grammar, second, ("The condition is missing after '%s'."):format(second.text)) end
  elseif not loose then
    counted(grammar, list)
  end
end


--- `return * 2`: an operator cannot be first.
SHAPES["return"] = function(grammar, list)
  if list[2] and list[2].left == "operand" then
    grammar:tell(list[2], "missing_operand", ("A value is missing between 'return' and %s."):format(grammar:shown(list[2])))
  end
end


function SHAPES.exit(grammar, list, loose)
  if list[2] and list[2].text ~= "repeat" and not loose then
    grammar:tell(list[2], "bad_exit", "Only a loop can be left, by 'exit repeat'.", nil, "exit repeat")
  end
end


function SHAPES.try(grammar, list, loose)
  if list[2] and not loose then
    grammar:tell(list[2], "two_statements", "'try' is alone in its line. Put the statement on the next one.")
  end
end


function SHAPES.property(grammar, list)
  local second, third = list[2], list[3]
  if second and second.text == ":" then
    grammar:tell(second, "bad_declaration", "The name of the property is missing before ':'. Write: property x : 5")
  elseif second and second.kind == "literal" then
    grammar:tell(second, "bad_declaration", "The name of the property is missing before its value. Write: property x : 5")
  elseif third and (third.text == "=" or third.text == "to" or third.kind == "literal") then
    grammar:tell(third, "bad_declaration", "The value of a property is given after a colon. Write: property x : 5")
  end
end
SHAPES.prop = SHAPES.property


--- `global a, b`: names and commas only.
function SHAPES.global(grammar, list)
  local word = list[1].text
  if #list == 1 then grammar:tell(list[1], "bad_declaration", ("A name is missing after '%s'."):format(word)) end
  for k = 2, #list do
    local text = list[k].text
    if list[k].kind == "literal" or text == "=" or text == "to" or text == ":" then
      local message = "'%s' has only names, separated by commas. Give the values with 'set'."
      grammar:tell(list[k], "bad_declaration", message:format(word))
    end
  end
end
SHAPES["local"] = SHAPES.global


-- Considerations of comparisons and calls.
local CONSIDERED = { "case", "diacriticals", "hyphens", "numeric strings", "punctuation", "white space", "application responses" }

function SHAPES.considering(grammar, list, loose)
  for k = 2, loose and 1 or #list do
    if list[k].kind == "name" then
      local near = dictionaries.nearest(list[k].text, CONSIDERED)
      local message = "'%s' has no %s. It has: %s."
      grammar:tell(list[k], "wrong_choice", message:format(list[1].text, grammar:shown(list[k]), table.concat(CONSIDERED, ", ")),
        "warning", near)
    end
  end
end
SHAPES.ignoring = SHAPES.considering


--- `use framework "X"`: before a string there is one of these words.
local USES = { "framework", "script", "application", "app", "version" }

local function check_use(grammar, list)
  local line, at = grammar.line, list[2].last
  if line.kinds[at] ~= "word" or line.kinds[at + 1] ~= "string" then return end
  for _, each in ipairs(USES) do
    if line.texts[at] == each then return end
  end
  local near = dictionaries.nearest(list[2].text, USES)
  grammar:tell(list[2], near and "misspelt" or "adjacent", ("There is no 'use %s'.%s"):format(list[2].text,
    near and (" Did you mean '%s'?"):format(near) or ""), nil, near)
end


-- --- other lines -----------------------------------------------------------------------------

--- Statements that consist of names, not of values.
local SKIPPED = { script = true, using = true, ["end"] = true }


--- In the head of a handler names cannot be terms: `on f(a b)`, `on doIt a b`. A handler of an application's event has the
--- parameters of its dictionary.
local function firm_names(grammar, list)
  local own = grammar.line.mixed[2] or list[3] and list[3].text == "("
  for k = 2, own and #list or 1 do
    if list[k].kind == "name" then list[k].firm = 1 end
  end
end


--- Reports a value in the brackets of a handler's head, which has only names: `on f(5)`.
local function check_parameters(grammar, list)
  local close = list[3] and list[3].text == "(" and M.find(list, ")", 3)
  for k = 4, close or 0 do
    local before, after = list[k - 1].text, list[k + 1] and list[k + 1].text
    if is_fixed(list[k]) and before:find "^[({,]$" and (after or ""):find "^[)},]$" then
      grammar:tell(list[k], "bad_declaration", ("A handler's parameter is a name, not %s. Write: on f(x, y)"):format(
        grammar:shown(list[k])))
    end
  end
end


--- `with timeout of 5 seconds`: the unit is no value.
local function allow_unit(list)
  local last = list[#list]
  if last.text == "seconds" or last.text == "second" then last.left = "operand" end
end


--- True if a keyword is the name of something here: `end of x`, `script's y`.
local function is_name(list)
  return list[2] ~= nil and (list[2].text == "of" or list[2].text == "'s")
end


--- Checks the shape of a statement. True: its units are not checked any further.
---@param grammar applescript.Grammar
---@param scope applescript.Scope
---@param list applescript.Unit[]
---@param loose boolean
---@return boolean? skip
function M.check(grammar, scope, list, loose)
  local head, second = list[1], list[2]
  local text = head.kind ~= "term" and (head.kind ~= "key" or SHAPES[head.text] == SHAPES.property) and head.text or ""
  if text == "use" and second and second.left ~= "operand" then
    check_use(grammar, list)
    return true
  end
  if second and not loose then of_another_language(grammar, list) end
  if grammar.told or misspelt(grammar, scope, list) then return true end
  if is_name(list) then return false end
  if SKIPPED[text] then return true end
  if text == "then" then
    grammar:tell(head, "stray_then", "This 'then' belongs to no 'if'.")
  elseif (text == "on" or text == "to") and head.first == 1 then
    firm_names(grammar, list)
    check_parameters(grammar, list)
    head.left = "any"
  elseif text == "with" and second and (second.text == "timeout" or second.text == "transaction") then
    allow_unit(list)
    head.left, head.right = "any", "any"
  elseif SHAPES[text] then
    SHAPES[text](grammar, list, loose, #scope.all == 0)
    head.left, head.right = "any", "any"
  end
  return grammar.told
end


return M
