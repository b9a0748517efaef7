--- The dictionary check: finds terms, properties and options that an application does not have.
--
-- A script is read twice: first to learn the types of its variables, then to judge it. A variable with values of two types
-- counts as unknown. Lines that name another application are judged with care, because its terms are also valid there.

local blocks      = require "applescript.blocks"
local commands    = require "applescript.commands"
local dictionaries = require "applescript.dictionaries"
local expressions = require "applescript.expressions"
local scopes      = require "applescript.scopes"
local standard    = require "applescript.standard"

local M = {}

local LINE_TOKENS = 1000        -- tokens of a line that is judged
local NAMES = 8                 -- properties that a message lists

---@class applescript.Judge
local Judge = {}
Judge.__index = Judge


local function word(line, i)
  return line.kinds[i] == "word" and line.texts[i] or nil
end


local function sign(line, i)
  return line.kinds[i] == "sign" and line.texts[i] or nil
end


function Judge:tell(at, code, message, nearest)
  if self.learning then return end
  self.marked[at] = true
  self.report(at, code, message, nil, nearest)
end


--- A word as the script has it.
function Judge:said(line, i)
  return self.source:sub(line.ats[i], line.stops[i])
end


--- A suggestion of similar names, " Did you mean 'x' or 'y'?", or ""; and the nearest.
---@return string
---@return string? nearest
function Judge.near(name, names)
  local near = dictionaries.near(name, names)
  local nearest = near[1]
  if not nearest then return "" end
  for i, one in ipairs(near) do near[i] = "'" .. one .. "'" end
  return (" Did you mean %s?"):format(table.concat(near, " or ")), nearest
end


--- Adds the terms of an application that a literal names to a scope.
function Judge:enter(scope, name, by_id, at)
  local found = by_id and { self.known:by_id(name) } or self.known:by_name(name)
  local terms = found[1]
  if #found > 1 then
    local ids = {}
    for i, one in ipairs(found) do ids[i] = one.id or one.name end
    table.sort(ids)
    self:tell(at, "ambiguous_application", ("There are %d applications called '%s'. Name one by its ID: %s.")
      :format(#found, name, table.concat(ids, ", ")))
  end
  if terms then
    self.used[terms.id or terms.name] = true
    scope.terms, scope.foreign = terms, false
    local all = { terms }
    for _, one in ipairs(scope.all) do all[#all + 1] = one end
    scope.all = all
  else
    self.unknown[name] = true
    scope.terms, scope.foreign, scope.mixed = nil, true, true
  end
end


--- The variables of the handler that begins at a byte; 0 for those outside handlers.
function Judge:variables(at)
  self.holding[at] = self.holding[at] or {}
  return self.holding[at]
end


local function has_property(self, scope, name, kind, at)
  local terms = scope.terms
  local class = kind and terms.classes[kind.name]
  if not class or standard.LANGUAGE[kind.name] or terms:class(name) or terms:may_have(class, name) then return end
  local owners = {}
  for _, owner in ipairs(terms.owners[name] or {}) do owners[#owners + 1] = owner.class.name end
  table.sort(owners)
  local names = terms:properties_of(class)
  table.sort(names)
  if #names > NAMES then names = { table.unpack(names, 1, NAMES) } names[#names + 1] = "..." end
  local advice, nearest = Judge.near(name, terms:properties_of(class))
  self:tell(at, "no_such_property", ("The class '%s' has no property '%s'%s. It has: %s.%s"):format(class.name, name,
    #owners > 0 and (" (that is one of: %s)"):format(table.concat(owners, ", ", 1, math.min(3, #owners))) or "",
    table.concat(names, ", "), advice), nearest)
end


---@return applescript.Context
function Judge:context(line, scope)
  return {
    line = line, terms = not scope.foreign and scope.terms or nil, target = scope.target,
    variable = function(name) return scope.variables[name] or nil end,
    check = function(name, kind, token)
      if scope.terms and not scope.foreign and not line.elsewhere then has_property(self, scope, name, kind, line.ats[token]) end
    end,
  }
end


-- --- learning ------------------------------------------------------------------------

--- Notes the type of a value that a variable gets. A variable with values of two types counts as unknown.
function Judge:holds(scope, name, kind)
  if not self.learning then return end
  local plain = kind and (standard.NUMBERS[kind.name] or kind.name == "text" or not standard.LANGUAGE[kind.name])
  if not plain or kind.name == "rich text" then kind = nil end
  self.assigned[name] = true
  local variables = scope.variables
  local old = variables[name]
  if old == nil then
    variables[name] = kind or false
  elseif not kind or not old or old.name ~= kind.name or old.list ~= kind.list then
    variables[name] = false
  end
end


local function all_words(self, scope, line, first, last)
  for i = first, last do
    if line.kinds[i] == "word" or line.kinds[i] == "name" then self:holds(scope, line.texts[i], nil) end
  end
end


--- `set {a, b} to {width, height} of x`: notes the types one by one if both sides are plain.
local function set_list(self, scope, line, first, close)
  local context = self:context(line, scope)
  local from = close + 2
  local right = sign(line, from) == "{" and expressions.brackets(line)[from]
  local holder
  if right and word(line, right + 1) == "of" then holder = expressions.object(context, right + 2) end
  local k = from + 1
  for i = first + 1, close - 1 do
    local plain = line.kinds[i] == "word" and sign(line, i - 1) ~= nil and (sign(line, i + 1) == "," or i + 1 == close)
    if plain and right and context.terms and sign(line, i - 1):find "[{,]" then
      local name, last = context.terms:term(line, k)
      local ends = name and (sign(line, last + 1) == "," or last + 1 == right)
      self:holds(scope, line.texts[i], ends and expressions.type_of_property(context.terms, holder, name) or nil)
    elseif line.kinds[i] == "word" then
      self:holds(scope, line.texts[i], nil)
    end
    if sign(line, i) == "{" then right = nil end
    if right and sign(line, i) == "," then
      while k < right and sign(line, k) ~= "," do k = k + 1 end
      k = k + 1
    end
  end
end


local function learn_set(self, scope, line, first)
  local to = first + 2
  if sign(line, first + 1) == "{" then
    local close = expressions.brackets(line)[first + 1]
    if close and word(line, close + 1) == "to" then set_list(self, scope, line, first + 1, close) end
  elseif word(line, to) == "to" and (line.kinds[first + 1] == "word" or line.kinds[first + 1] == "name") then
    if word(line, to + 1) == "missing" then
      self.assigned[line.texts[first + 1]] = true     -- the variable has no value yet
      return
    end
    local kind, after = expressions.object(self:context(line, scope), to + 1)
    local text = word(line, after) or sign(line, after)
    if text == "&" or text == "," then kind = nil end
    if text and ("+-*/÷^"):find(text, 1, true) or text == "div" or text == "mod" then kind = { name = "number", list = false } end
    local ends = after == math.huge or not text or text == "with" or text == "at"
    if not ends and not (kind and kind.name == "number") then kind = nil end
    self:holds(scope, line.texts[first + 1], kind)
  end
end


local function learn(self, scope, line, first)
  local text = word(line, first)
  if text == "set" then
    learn_set(self, scope, line, first)
  elseif text == "repeat" and word(line, first + 1) == "with" then
    local counts = word(line, first + 3) == "from"
    self:holds(scope, line.texts[first + 2] or "", counts and { name = "integer", list = false } or nil)
  elseif text == "copy" then
    local to = blocks.find_word(line, "to", first + 1) or blocks.find_word(line, "into", first + 1) or line.n
    all_words(self, scope, line, to + 1, line.n)
  elseif text == "global" or text == "local" or text == "property" or text == "prop" or text == "on" then
    all_words(self, scope, line, first + 1, text == "on" and line.n or math.min(line.n, first + 40))
  end
end


-- --- rules of single statements --------------------------------------------------------

--- Checks `set frontmost to true`, `set width of x to 3`.
local function check_set(self, scope, line, first)
  local terms = scope.terms
  local start = (word(line, first + 1) == "its" or word(line, first + 1) == "the") and first + 2 or first + 1
  local name, last = terms:term(line, start)
  if not name or not terms.owners[name] then return end
  local holder = scope.target and { name = scope.target, list = false }
  if word(line, last + 1) == "of" then
    local context = self:context(line, scope)
    holder = expressions.object(context, last + 2)
  elseif word(line, last + 1) ~= "to" then
    return
  else
    has_property(self, scope, name, holder, line.ats[start])
  end
  local class = holder and terms.classes[holder.name]
  local property = class and terms:property(class, name)
  if property and property.access == "r" then
    local instead = name == "frontmost" and " 'activate' brings an application to the front." or ""
    self:tell(line.ats[start], "read_only", ("The property '%s' of the class '%s' is read-only.%s")
      :format(name, class.name, instead))
  end
  if property and word(line, last + 1) == "to" then commands.check_value(self, scope, line, last + 2, property) end
end


--- Checks `set currentSlide to slide 1`: reports it if the object in front has a 'current slide', and the variable is not used
--- anywhere.
local function check_variable(self, scope, line, first)
  local name = line.texts[first + 1]
  if word(line, first + 2) ~= "to" or line.kinds[first + 1] ~= "word" or self.count[name] ~= 1 then return end
  local class = scope.target and scope.terms.classes[scope.target]
  for _, one in ipairs(class and scope.terms:properties_of(class) or {}) do
    local slip = #name > 3 and #name == #one and name:sub(1, 1) == one:sub(1, 1) and dictionaries.one_slip(name, one:lower())
    if slip or one:find(" ", 1, true) and one:lower():gsub(" ", "") == name then
      self:tell(line.ats[first + 1], "unused_variable",
        ("This sets a variable that is never used. The property of the class '%s' is '%s'."):format(class.name, one), one)
    end
  end
end


--- Checks `set s to slide size`, `return slide size`: the object in front must have the property.
local function check_asked(self, scope, line, i)
  local context = self:context(line, scope)
  local terms = scope.terms
  local name, last = terms:term(line, i)
  if not name or not terms.owners[name] or terms:class(name) or context.variable(name) then return end
  if last == line.n or word(line, last + 1) == "as" then
    has_property(self, scope, name, scope.target and { name = scope.target, list = false } or nil, line.ats[i])
  end
end


--- Reports a number joined to text if the number comes first: the result is a list.
local function check_return(self, scope, line, first)
  local kind, after = expressions.object(self:context(line, scope), first + 1)
  if kind and not kind.list and standard.NUMBERS[kind.name] and sign(line, after) == "&" then
    self:tell(line.ats[first + 1], "list_returned", "A number before '&' makes the result a list, which is printed with "
      .. "commas. Make it text first: (x as text) & ...")
  end
end


-- --- rules of any place in a line --------------------------------------------------------

--- Reports a class's name with a property after it that neither selects an object nor belongs to one.
local function check_pair(self, scope, line, i, last, name)
  local terms = scope.terms
  local class, plural = terms:class(name)
  if not class or plural or standard.LANGUAGE[name] or terms.owners[name] then return end
  local after, last_after = terms:term(line, last + 1)
  if not after or not terms.owners[after] or after == "id" or after == "index" or self.assigned[after] then return end
  if terms.commands[after] or terms.values[after] or terms:class(after) or last_after > line.n then return end
  local before = word(line, i - 1)
  if before == "new" or before == "make" or before == "each" or before == "as" then return end
  local advice, nearest = Judge.near(name .. " " .. after, commands.names(terms))
  self:tell(line.ats[i], "unknown_term", ("'%s %s' is not a term of %s.%s"):format(name, after, terms.name, advice), nearest)
end


--- Reports a word that the script uses once, gives no value, and that is nearly a term: `naem of document 1`.
local function check_misspelt(self, scope, line, i)
  local text, after = line.texts[i], sign(line, i + 1)
  if #text < 4 or self.count[text] ~= 1 or after == ":" or after == "(" then return end
  if line.mixed[i] or self.marked[line.ats[i]] then return end
  local before, past = word(line, i - 1), i + 1
  while word(line, past) and word(line, past) ~= "of" do past = past + 1 end
  if sign(line, past) == ":" or i == 1 and word(line, 2) == "of" then return end     -- a key, a handler
  local named = before == "my" or before == "on" or before == "end" or before == "given"
  if named or not commands.is_unknown(self, scope, line, i) then return end
  local name = scope.terms:nearly(text)
  if name then
    local message = "'%s' is not a term of %s, and the script gives it no value. Did you mean '%s'?"
    self:tell(line.ats[i], "unknown_term", message:format(self:said(line, i), scope.terms.name, name), name)
  end
end


local function check_terms(self, scope, line)
  local terms, context = scope.terms, self:context(line, scope)
  local i = 1
  while i <= line.n do
    local name, last = terms:term(line, i)
    local after = name and word(line, last + 1)
    if name and terms.owners[name] and (after == "of" or after == "in") and not context.variable(name) then
      expressions.object(context, i)
    elseif name and terms:class(name) then
      check_pair(self, scope, line, i, last, name)
      if not context.variable(name) then expressions.object(context, i, 0, expressions.is_container(line, i)) end
    elseif sign(line, i) == "{" and word(line, (expressions.brackets(line)[i] or line.n) + 1) == "of" then
      expressions.object(context, i)
    end
    if name and terms.commands[name] then commands.check(self, scope, line, i, last) end
    if not name and line.kinds[i] == "word" then check_misspelt(self, scope, line, i) end
    i = (last or i) + 1
  end
end


local function judge_statement(self, scope, line, first)
  if word(line, first) == "return" and first < line.n then check_return(self, scope, line, first) end
  if not scope.terms or scope.foreign or line.elsewhere then return end
  local _, last = dictionaries.language():term(line, first)
  if word(line, first) == "set" and not last then       -- not `set the clipboard to`
    check_set(self, scope, line, first)
    check_variable(self, scope, line, first)
    if word(line, first + 2) == "to" then check_asked(self, scope, line, first + 3) end
  elseif word(line, first) == "return" or word(line, first) == "get" then
    check_asked(self, scope, line, first + 1)
  end
end


-- --- the two readings -------------------------------------------------------------------

function Judge:scope_of(around, count)
  for i = count, 1, -1 do
    if around[i].scope then return around[i].scope end
  end
  return self.outermost
end


--- Counts words, so that names that are used only once are known.
local function count_words(self, line)
  for i = 1, line.n do
    local text = word(line, i)
    if text then self.count[text] = (self.count[text] or 0) + 1 end
  end
end


--- The statements of a line, each with its scope; nil if the line is too long to be judged, or its brackets do not match. Lines
--- are given in order, because a block's scope is kept for the lines inside.
---@return {first: integer, scope: applescript.Scope}[]?
function Judge:statements(line, around, opened)
  if line.n > LINE_TOKENS or line.broken then return nil end
  local scope = self:scope_of(around, #around - (opened and 1 or 0))
  local statements = scopes.statements(self, scope, line)
  local last = statements[#statements]
  if opened then
    around:top().scope = scopes.of_block(self, last.scope, around:top())
    if around:top().kind == "handler" then all_words(self, around:top().scope, line, 3, line.n) end
  end
  if word(line, 1) == "use" and (blocks.find_word(line, "script", 2) or blocks.find_word(line, "application", 2)) then
    self.open = true
  end
  return statements
end


--- True if a line names another application outside `tell`.
local function named_elsewhere(line, statement)
  local first = word(line, statement.first) == "tell" and line.n + 1 or statement.first
  return scopes.literal(line, first, line.n) ~= nil and word(line, first) ~= "using"
end


--- The first reading of a line.
function Judge:learn(line, around, opened)
  count_words(self, line)
  self.learning = true
  local statements = self:statements(line, around, opened)
  local last = statements and statements[#statements]
  if last then
    if not last.scope.foreign then learn(self, last.scope, line, last.first) end
    if last.scope.foreign then learn(self, { variables = last.scope.variables, all = {} }, line, last.first) end
    if word(line, 1) == "on" and word(line, 2) == "error" then all_words(self, statements[1].scope, line, 3, line.n) end
  end
  self.learning = false
end


--- The second reading of a line, with its statements.
function Judge:visit(line, statements)
  local last = statements[#statements]
  line.elsewhere = named_elsewhere(line, last)
  for _, statement in ipairs(statements) do judge_statement(self, statement.scope, line, statement.first) end
  if last.scope.terms and not last.scope.foreign and not line.elsewhere then
    check_terms(self, last.scope, line)
    commands.check_keys(self, last.scope, line)
  end
end


--- The dictionaries that were used, and the applications that have none here.
function Judge:applications()
  local lists = {}
  for i, map in ipairs { self.used, self.unknown } do
    lists[i] = {}
    for name in pairs(map) do table.insert(lists[i], name) end
    table.sort(lists[i])
  end
  return lists[1], lists[2]
end


---@param source string  the script's text
---@param known applescript.Dictionaries
---@param report applescript.Reporter
---@return applescript.Judge
function M.new(source, known, report)
  local judge = setmetatable({ source = source, known = known, report = report, marked = {}, used = {}, unknown = {},
                               holding = {}, count = {}, assigned = {}, keys = standard.keys(), learning = false,
                               open = false }, Judge)
  judge.outermost = scopes.new()
  judge.outermost.variables = judge:variables(0)
  return judge
end


return M
