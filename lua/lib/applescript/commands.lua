--- Checks commands and their arguments: parameters that are required, options in records, and names from a list of choices.

local dictionaries = require "applescript.dictionaries"
local expressions  = require "applescript.expressions"
local standard     = require "applescript.standard"
local words        = require "applescript.words"

local M = {}

local CHOICES = 10      -- choices that a message lists
local ENDS_VALUE = { with = true, without = true, to = true, [","] = true, ["}"] = true, [")"] = true }


local function word(line, i)
  return line.kinds[i] == "word" and line.texts[i] or nil
end


local function sign(line, i)
  return line.kinds[i] == "sign" and line.texts[i] or nil
end


local function listed(names)
  table.sort(names)
  if #names > CHOICES then
    names = { table.unpack(names, 1, CHOICES) }
    names[#names + 1] = "..."
  end
  return table.concat(names, ", ")
end


--- Every name of a dictionary's properties and classes.
---@param terms applescript.Terms
---@return string[]
function M.names(terms)
  if terms.all_names then return terms.all_names end
  local names = {}
  for name in pairs(terms.owners) do names[#names + 1] = name end
  for name in pairs(terms.classes) do names[#names + 1] = name end
  table.sort(names)
  terms.all_names = names
  return names
end


--- The enumerations that contain all values of these types; nil if other values are possible.
local function enumerations_of(terms, types)
  local list = {}
  for i, kind in ipairs(types) do
    if not terms.enumerations[kind.name] or terms.classes[kind.name] then return nil end
    list[i] = kind.name
  end
  return #list > 0 and list or nil
end


--- A choice as its dictionary writes it.
local function named(terms, value)
  return terms.enumerations[next(terms.values[value])].values[value]
end


--- True if a value of one name ends before this token.
local function ends_value(line, i, command)
  local after = i <= line.n and (word(line, i) or sign(line, i))
  return not after or ENDS_VALUE[after] or word(line, i) ~= nil and command ~= nil and M.parameter_at(command, line, i) ~= nil
end


--- The choices of some enumerations, as their dictionary writes them.
local function choices_of(terms, keys)
  local choices = {}
  for _, key in ipairs(keys) do
    for _, value in pairs(terms.enumerations[key].values) do choices[#choices + 1] = value end
  end
  return choices
end


--- True if a token is a word that means nothing here: no term, no reserved word, no name that the script gives a value.
function M.is_unknown(judge, scope, line, i)
  local text = word(line, i)
  if not text or words.WORDS[text] or judge.assigned[text] or words.comparison(line, i) then return false end
  if dictionaries.language():term(line, i) then return false end
  for _, terms in ipairs(scope.all) do
    if terms:term(line, i) then return false end
  end
  return true
end


local function wrong_choice(judge, line, i, said, wanted, choices)
  local advice, nearest = judge.near(said, choices)
  judge:tell(line.ats[i], "wrong_choice", ("'%s' is not a choice for '%s'. Use one of these: %s.%s"):format(said, wanted.name,
    listed({ table.unpack(choices) }), nearest and nearest:lower() ~= said:lower() and advice or ""), nearest)
end


--- Reports a value that is none of the choices: one from another list than the wanted one, or an unknown name.
---@param judge applescript.Judge
---@param scope applescript.Scope
---@param line applescript.Line
---@param i integer  the value's token
---@param wanted {name: string, types: applescript.Type[]}
---@param command? applescript.Command  whose parameters may follow
function M.check_value(judge, scope, line, i, wanted, command)
  local terms = scope.terms
  local allowed = enumerations_of(terms, wanted.types)
  if not allowed then return end
  if sign(line, i) == "{" then
    local close = expressions.brackets(line)[i] or line.n
    for k = i, close - 1 do
      if sign(line, k) == "{" or sign(line, k) == "," then
        if sign(line, k + 1) ~= "{" then M.check_value(judge, scope, line, k + 1, wanted) end
      end
    end
    return
  end
  local name, last = terms:term(line, i)
  if name and terms.values[name] then
    if judge.assigned[name] or not ends_value(line, last + 1, command) then return end
    for _, key in ipairs(allowed) do
      if terms.values[name][key] then return end
    end
    wrong_choice(judge, line, i, named(terms, name), wanted, choices_of(terms, allowed))
  elseif not name and ends_value(line, i + 1, command) and M.is_unknown(judge, scope, line, i) then
    wrong_choice(judge, line, i, judge:said(line, i), wanted, choices_of(terms, allowed))
  end
end


--- The keys of the record at a token, as (name, first token, token of the value). Only those of the outer level.
local function keys_of(line, open)
  local close = expressions.brackets(line)[open] or line.n
  local keys, i = {}, open
  while i < close do
    local from = i + 1
    local to = from
    while line.kinds[to] == "word" do to = to + 1 end
    if to > from and sign(line, to) == ":" then
      keys[#keys + 1] = { name = table.concat(line.texts, " ", from, to - 1), first = from, value = to + 1 }
    elseif line.kinds[from] == "name" and sign(line, from + 1) == ":" then
      to = from + 1
    end
    i = to
    while i < close and sign(line, i) ~= "," do i = (expressions.brackets(line)[i] or i) + 1 end
  end
  return keys
end


--- Checks the keys of a command's record: they must be those of its record type.
local function check_options(judge, scope, line, open, command, record)
  for _, key in ipairs(keys_of(line, open)) do
    local property = record.properties[key.name]
    if not property then
      local names = {}
      for _, one in pairs(record.properties) do names[#names + 1] = one.name end
      local advice, nearest = judge.near(key.name, names)
      judge:tell(line.ats[key.first], "unknown_option", ("'%s' is not an option of %s. Use one of these: %s.%s"):format(key.name,
        command.name, listed({ table.unpack(names) }), advice), nearest)
    else
      M.check_value(judge, scope, line, key.value, property)
    end
  end
end


--- Checks the keys of `make new X with properties {...}`: they must be properties of X.
local function check_properties(judge, scope, line, open, class)
  local context = judge:context(line, scope)
  for _, key in ipairs(keys_of(line, open)) do
    if scope.terms.owners[key.name] then
      context.check(key.name, { name = class.name:lower(), list = false }, key.first)
      local property = scope.terms:property(class, key.name)
      if property then M.check_value(judge, scope, line, key.value, property) end
    elseif not key.name:find(" ", 1, true) and not standard.ANYTHING[key.name] and select(2, scope.terms:chain(class)) then
      local names = scope.terms:properties_of(class)
      local advice, nearest = judge.near(key.name, names)
      judge:tell(line.ats[key.first], "no_such_property", ("The class '%s' has no property '%s'.%s"):format(class.name, key.name,
        advice), nearest)
    end
  end
end


--- The parameter whose name begins at a token, and the token after the name.
---@param command applescript.Command
---@param line applescript.Line
---@param i integer
---@return applescript.Parameter? parameter
---@return integer? after
function M.parameter_at(command, line, i)
  local best, after
  for name, parameter in pairs(command.parameters) do
    local k, fits = i, true
    for part in name:gmatch "%S+" do
      fits = fits and word(line, k) == part
      k = k + 1
    end
    if fits and (not after or k > after) then best, after = parameter, k end
  end
  return best, after
end


local function check_parameter(judge, scope, line, command, parameter, at, made)
  local terms = scope.terms
  if sign(line, at) ~= "{" or enumerations_of(terms, parameter.types) then
    M.check_value(judge, scope, line, at, parameter, command)
    return
  end
  if made and parameter.name:lower() == "with properties" then
    check_properties(judge, scope, line, at, made)
  elseif #parameter.types == 1 and terms.records[parameter.types[1].name] then
    check_options(judge, scope, line, at, command, terms.records[parameter.types[1].name])
  end
end


--- Commands of the language: their parameters are part of a statement's shape.
local OWN = { set = true, get = true, copy = true, make = true, count = true, exists = true, ["return"] = true, error = true }

local BEGINS = { ["("] = true, to = true, get = true, ["return"] = true, ["then"] = true, ["&"] = true, ["="] = true,
                 [","] = true, ["{"] = true, ["else"] = true }


--- True if the tokens are the call of a command, and not another term of the same name, or a handler's name.
local function is_call(scope, line, first, last)
  local before, after = word(line, first - 1) or sign(line, first - 1), line.texts[last + 1]
  local roles = scope.terms:roles(table.concat(line.texts, " ", first, last)) or {}
  if roles.class or roles.property or roles.value or roles.parameter then return false end
  if first > 1 and not BEGINS[before or ""] then return false end       -- this is also why a handler's head is none
  return after ~= "of" and after ~= ":" and not (sign(line, last + 1) and after ~= "(" and after ~= "{" and after ~= "-")
end


--- Reports parameters that a call may not leave out.
local function check_required(judge, line, first, command, given)
  local missing = {}
  for key, parameter in pairs(command.parameters) do
    if parameter.optional == false and not given[key] then missing[#missing + 1] = parameter.name end
  end
  if #missing == 0 then return end
  table.sort(missing)
  judge:tell(line.ats[first], "missing_parameter", ("'%s' requires the parameter%s '%s', which %s not given."):format(
    command.name, #missing > 1 and "s" or "", table.concat(missing, "', '"), #missing > 1 and "are" or "is"), missing[1])
end


--- Checks the names after `with` and `without`: each must be a parameter of the command.
local function check_switches(judge, scope, line, i, command)
  repeat
    local at = i + 1
    local _, after = M.parameter_at(command, line, at)
    if not after then
      local name, last = scope.terms:term(line, at)
      local unknown = M.is_unknown(judge, scope, line, at)
      if not unknown and not (name and scope.terms.values[name] and not scope.terms.parameters[name]) then return end
      local said = name or line.texts[at]
      local names = {}
      for _, parameter in pairs(command.parameters) do names[#names + 1] = parameter.name end
      local advice, nearest = judge.near(said, names)
      judge:tell(line.ats[at], "unknown_option", ("'%s %s' switches nothing of '%s' on or off. Its parameters are: %s.%s"):format(
        line.texts[i] == "," and "with" or line.texts[i], said, command.name, listed(names), advice), nearest)
      after = (last or at) + 1
    end
    i = after
  until sign(line, i) ~= "," and word(line, i) ~= "and"
end


--- Checks the arguments of a command whose name is the tokens first to last.
---@param judge applescript.Judge
---@param scope applescript.Scope
---@param line applescript.Line
---@param first integer
---@param last integer
function M.check(judge, scope, line, first, last)
  local before = word(line, first - 1)
  if before == "of" or before == "in" or before == "whose" or before == "my" then return end
  local command = scope.terms.commands[table.concat(line.texts, " ", first, last)]
  if not command then return end
  local closing, made, i = expressions.brackets(line), nil, last + 1
  local call = is_call(scope, line, first, last) and not OWN[command.name:lower()]
  local given, others = {}, false
  while i <= line.n do
    local text = sign(line, i)
    if text == ")" or text == "}" or text == "]" then break end
    local parameter, after = nil, nil
    if word(line, i) then parameter, after = M.parameter_at(command, line, i) end
    if parameter then given[parameter.name:lower()] = true end
    if parameter and parameter.name == "new" then
      local name = scope.terms:term(line, after)
      made = name and scope.terms:class(name) or made
      i = after
    elseif parameter then
      check_parameter(judge, scope, line, command, parameter, after, made)
      i = after
    elseif call and not others and (word(line, i) == "with" or word(line, i) == "without") then
      check_switches(judge, scope, line, i, command)
      i = i + 1
    else
      others = others or M.names_command(scope, line, i)
      i = (closing[i] or i) + 1
    end
  end
  if call then check_required(judge, line, first, command, given) end
end


--- True if a command begins at a token, of the application or of AppleScript itself.
function M.names_command(scope, line, i)
  for _, terms in ipairs { scope.terms, dictionaries.language() } do
    local name = terms:term(line, i)
    if name and terms.commands[name] and not (terms:class(name) or terms.owners[name]) then return true end
  end
  return false
end


--- Checks keys of more than one word: these exist only if a dictionary has them.
---@param judge applescript.Judge
---@param scope applescript.Scope
---@param line applescript.Line
function M.check_keys(judge, scope, line)
  if scope.mixed then return end
  for open in pairs(expressions.brackets(line)) do
    for _, key in ipairs(sign(line, open) == "{" and keys_of(line, open) or {}) do
      local first = line.texts[key.first]
      local known = not key.name:find(" ", 1, true) or judge.keys[key.name] or first == "my" or first == "its" or first == "the"
      for _, terms in ipairs(scope.all) do known = known or terms:is_key(key.name) end
      if not known then
        local advice, nearest = judge.near(key.name, M.names(scope.terms))
        local message = ("'%s' is not a term of %s.%s"):format(key.name, scope.terms.name, advice)
        judge:tell(line.ats[key.first], "unknown_term", message, nearest)
      end
    end
  end
end


return M
