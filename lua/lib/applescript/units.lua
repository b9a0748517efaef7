--- Divides a statement into units: literals, signs, reserved words, terms of one word or several, and names of the script's own.
--
-- AppleScript reads words by the dictionaries that are valid at a place, and the longest term is used. Where an application is
-- addressed of which no dictionary is known, any words may be its terms: there only units count that mean the same everywhere.

local dictionaries = require "applescript.dictionaries"
local words        = require "applescript.words"

local M = {}

---@class applescript.Unit : applescript.Sides
---@field kind "literal"|"open"|"close"|"sign"|"word"|"term"|"name"|"key"|"any"
---@field first integer  its first token
---@field last integer   its last token
---@field text string    as in the line, in lower case; a string without its content
---@field firm 0|1|2     2: it has these sides with any dictionary; 1: in AppleScript itself; 0: a dictionary may say otherwise
---@field command? boolean  a command's name
---@field label? boolean  a parameter's name, which a value must follow
---@field class? boolean  a class's name: a number, name or text may select an object of it

local ORDINAL = { st = true, nd = true, rd = true, th = true }
local SELECTS = { literal = true, name = true, open = true, any = true, key = true }
local SELECTORS = { my = true, its = true, the = true, it = true, every = true, result = true, me = true }
local FILES = { file = true, alias = true, ["posix file"] = true, folder = true }
local ANY = { left = "any", right = "any" }
local VALUE = { left = "none", right = "none" }
local PREFIX = { left = "none", right = "operand" }
local OPENS = { left = "none", right = "any" }
local CLOSES = { left = "any", right = "none" }
local JOINS = { left = "operand", right = "operand" }


local function word(line, i)
  return line.kinds[i] == "word" and line.texts[i] or nil
end


--- True if a name is that of a parameter of a command before it, in any of the dictionaries; with the parameter, if it is known.
local function is_label(list, scope, name)
  if list.any_command then return true end
  for _, command in ipairs(list.commands) do
    for k = 0, #scope.all do
      local known = (k == 0 and dictionaries.language() or scope.all[k]).commands[command]
      if known and known.parameters[name] then return true, known.parameters[name] end
    end
  end
  return false
end


--- True if a value must follow a parameter's name: it is nothing else, and no switch, which `with` turns on.
local function needs_value(parameter, roles)
  if roles.command or roles.class or roles.property or roles.value then return false end
  for _, kind in ipairs(parameter.types) do
    if kind.name == "boolean" then return false end
  end
  return true
end


--- The sides of a term, by all the meanings that it has in the dictionaries; nil if it has none here.
local function sides_of(roles, label)
  if roles.parameter and label then return ANY end
  if roles.command or roles.class then return OPENS end
  return (roles.property or roles.value) and VALUE or nil
end


--- The roles of both.
local function joined(roles, more)
  local both = {}
  for role in pairs(roles) do both[role] = true end
  for role in pairs(more) do both[role] = true end
  return both
end


--- The longest term of the dictionaries in a scope that begins at a token.
---@param scope applescript.Scope
---@param line applescript.Line
---@param i integer
---@return integer? last
---@return table<string, boolean>? roles  its meanings in all of them
function M.term(scope, line, i)
  local last, roles
  for k = 0, #scope.all do
    local terms = k == 0 and dictionaries.language() or scope.all[k]
    local name, stop = terms:term(line, i)
    local more = name and (not last or stop >= last) and terms:roles(name)
    if more then
      roles = stop == last and joined(roles, more) or more
      last = stop
    end
  end
  return last, roles
end


--- The text of tokens, with single spaces between.
local function joined_text(line, first, last)
  return first == last and line.texts[first] or table.concat(line.texts, " ", first, last)
end


local function add(list, kind, sides, line, first, last, firm)
  local text = joined_text(line, first, last)
  list[#list + 1] = { kind = kind, left = sides.left, right = sides.right, first = first, last = last, text = text, firm = firm }
  return last + 1
end


local function add_sign(list, line, i)
  local text = line.texts[i]
  if text == "(" or text == "{" or text == "[" then return add(list, "open", OPENS, line, i, i, 2) end
  if text == ")" or text == "}" or text == "]" then return add(list, "close", CLOSES, line, i, i, 2) end
  if text == "'" and i > 1 and line.stops[i - 1] + 1 == line.ats[i] and word(line, i + 1) == "s" then
    return add(list, "sign", JOINS, line, i, i + 1, 2)
  end
  return add(list, "sign", words.SIGNS[text] or ANY, line, i, i, 2)
end


--- Reads a word where only the language's own words are sure.
local function add_loose(list, line, i)
  local last = words.comparison(line, i)
  if last and last > i then return add(list, "word", { left = "operand", right = "any" }, line, i, last, 2) end
  local sides = words.WORDS[line.texts[i]]
  if sides and sides.always then return add(list, "word", sides, line, i, i, 2) end
  local twice = line.texts[i] == "is" and (word(line, i + 1) == "is" or list[#list] and list[#list].text == "is")
  if twice then return add(list, "word", JOINS, line, i, i, 2) end
  return add(list, "any", ANY, line, i, i, 0)
end


--- True if `end with` compares: a value is before it, which `at end with properties {...}` does not have.
local function is_end_with(list, line, i)
  local before = list[#list]
  return line.texts[i] == "end" and word(line, i + 1) == "with" and before and before.right ~= "operand"
end


local function add_reserved(list, line, i)
  local text = line.texts[i]
  if is_end_with(list, line, i) then return add(list, "word", JOINS, line, i, i + 1, 2) end
  local reference = text == "a" and (word(line, i + 1) == "reference" or word(line, i + 1) == "ref") and i + 1
    or (text == "reference" or text == "ref") and i
  if reference and word(line, reference + 1) == "to" then return add(list, "word", PREFIX, line, i, reference + 1, 2) end
  local last = words.comparison(line, i)
  if last then return add(list, "word", JOINS, line, i, last, 2) end
  local sides = words.WORDS[text]
  if text == "error" or text == "count" then list.commands[#list.commands + 1] = text end
  return sides and add(list, "word", sides, line, i, i, 2)
end


local function add_word(list, scope, line, i)
  local last, roles = M.term(scope, line, i)
  local name = last and joined_text(line, i, last)
  local label, parameter
  if last and roles.parameter then label, parameter = is_label(list, scope, name) end
  local sides = last and sides_of(roles, label)
  if not sides or last == i then
    local after = add_reserved(list, line, i)
    if after then return after end
  end
  if sides then
    local after = add(list, "term", sides, line, i, last, 0)
    list[#list].class = roles.class and sides ~= ANY and not roles.command
    list[#list].command = roles.command
    list[#list].label = parameter and sides == ANY and needs_value(parameter, roles)
    if roles.command then list.commands[#list.commands + 1] = name end
    return after
  end
  if last and last > i then return add(list, "any", ANY, line, i, i, 0) end      -- a shorter term, perhaps
  return add(list, "name", VALUE, line, i, i, line.mixed[i] and 1 or 0)
end


--- The token of the ":" after the words that begin here, if they are the key of a record or the label of a parameter.
local function colon_after(line, i, last)
  local k = i + 1
  if line.kinds[i] ~= "word" and line.kinds[i] ~= "name" then return nil end
  return line.texts[k] == ":" and line.kinds[k] == "sign" and k <= last and k or nil
end


--- The raw form of a term: «class abcd», «event abcdefgh», «data utxt0041».
local function add_data(list, line, i)
  local what = line.texts[i]:match "^%s*(%a+)"
  if what == "data" or what == "constant" then return add(list, "term", VALUE, line, i, i, 0) end
  if what ~= "class" and what ~= "property" then
    list.any_command = true
    return add(list, "any", ANY, line, i, i, 0)
  end
  local after = add(list, "term", OPENS, line, i, i, 0)
  list[#list].class = true
  return after
end


--- The units of the tokens first to last.
---@param scope applescript.Scope
---@param line applescript.Line
---@param first integer
---@param last integer
---@param loose boolean  terms may be valid that are not known
---@return applescript.Unit[]
function M.read(scope, line, first, last, loose)
  local list, i = { commands = {} }, first        -- with the commands so far, of which there may be parameters
  while i <= last do
    local kind = line.kinds[i]
    if kind == "sign" then
      i = add_sign(list, line, i)
    elseif kind == "string" then
      i = add(list, "literal", VALUE, line, i, i, 2)
      list[#list].text = '""'
    elseif kind == "number" then
      if ORDINAL[word(line, i + 1) or ""] and line.stops[i] + 1 == line.ats[i + 1] then
        i = add(list, "word", PREFIX, line, i, i + 1, 2)
      else
        i = add(list, "literal", VALUE, line, i, i, 2)
      end
    elseif colon_after(line, i, last) then
      i = add(list, "key", ANY, line, i, i, 0)
    elseif kind == "name" then
      i = add(list, loose and "any" or "name", loose and ANY or VALUE, line, i, i, 1)
    elseif kind == "data" then
      i = add_data(list, line, i)
    elseif loose then
      i = add_loose(list, line, i)
    else
      i = add_word(list, scope, line, i)
    end
  end
  return list
end


--- True if a class's name may be followed by this unit: it selects an object (`window 1`, `text last word thru 2`), or gives the
--- file of `alias choose file`.
---@param class applescript.Unit
---@param unit applescript.Unit
---@return boolean
function M.selects(class, unit)
  if SELECTS[unit.kind] or unit.left ~= "none" or SELECTORS[unit.text] or FILES[unit.text] then return true end
  return FILES[class.text] and unit.command or unit.kind == "word" and unit.right == "any" and not words.ONLY_FIRST[unit.text]
end


return M
