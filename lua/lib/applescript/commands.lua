--- Checks commands and their arguments: options in records, and names from a list of choices.

local expressions = require "applescript.expressions"
local standard    = require "applescript.standard"

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


--- Reports a value that is a choice, but from another list than the wanted one.
---@param judge applescript.Judge
---@param scope applescript.Scope
---@param line applescript.Line
---@param i integer  the value's token
---@param wanted {name: string, types: applescript.Type[]}
function M.check_value(judge, scope, line, i, wanted)
  local terms = scope.terms
  local allowed = enumerations_of(terms, wanted.types)
  local name, last = terms:term(line, i)
  if not allowed or not name or not terms.values[name] or judge.assigned[name] then return end
  local after = last < line.n and (word(line, last + 1) or sign(line, last + 1))
  if after and not ENDS_VALUE[after] then return end
  local choices = {}
  for _, key in ipairs(allowed) do
    if terms.values[name][key] then return end
    for _, value in pairs(terms.enumerations[key].values) do choices[#choices + 1] = value end
  end
  judge:tell(line.ats[i], "wrong_choice", ("'%s' is not a choice for '%s'. Use one of these: %s.")
    :format(named(terms, name), wanted.name, listed(choices)))
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
      judge:tell(line.ats[key.first], "unknown_option", ("'%s' is not an option of %s. Use one of these: %s.%s"):format(key.name,
        command.name, listed({ table.unpack(names) }), judge.near(key.name, names)))
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
      judge:tell(line.ats[key.first], "no_such_property", ("The class '%s' has no property '%s'.%s"):format(class.name, key.name,
        judge.near(key.name, names)))
    end
  end
end


--- The parameter whose name begins at a token, and the token after the name.
local function parameter_at(command, line, i)
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
  if sign(line, at) ~= "{" then
    M.check_value(judge, scope, line, at, parameter)
    return
  end
  if made and parameter.name:lower() == "with properties" then
    check_properties(judge, scope, line, at, made)
  elseif #parameter.types == 1 and terms.records[parameter.types[1].name] then
    check_options(judge, scope, line, at, command, terms.records[parameter.types[1].name])
  end
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
  local closing, made, i = expressions.brackets(line), nil, last + 1
  if not command then return end
  while i <= line.n do
    local text = sign(line, i)
    if text == ")" or text == "}" or text == "]" then return end
    local parameter, after = nil, nil
    if word(line, i) then parameter, after = parameter_at(command, line, i) end
    if parameter and parameter.name == "new" then
      local name = scope.terms:term(line, after)
      made = name and scope.terms:class(name) or made
      i = after
    elseif parameter then
      check_parameter(judge, scope, line, command, parameter, after, made)
      i = after
    else
      i = (closing[i] or i) + 1
    end
  end
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
        judge:tell(line.ats[key.first], "unknown_term", ("'%s' is not a term of %s."):format(key.name, scope.terms.name)
          .. judge.near(key.name, M.names(scope.terms)))
      end
    end
  end
end


return M
