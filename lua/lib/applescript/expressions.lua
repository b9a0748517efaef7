--- Finds the object that an AppleScript expression refers to, as far as a dictionary shows: a shape, a number, or unknown.
--
-- This is not a grammar of the language. It follows the forms that lead from one object to another (`width of shape 1 of slide
-- 2`, `first theme whose id is x`) and ignores the rest, so that code that it does not understand is not judged.

local standard = require "applescript.standard"

local M = {}

local DEPTH = 40        -- steps of one expression

local FIRST = { first = true, second = true, third = true, fourth = true, fifth = true, sixth = true, seventh = true,
                eighth = true, ninth = true, tenth = true, last = true, front = true, back = true, middle = true, some = true }
local ORDINAL = { st = true, nd = true, rd = true, th = true }

--- Words that continue an expression after an object.
local LEADS_ON = {}
for word in ([[of in to as at with without from by for and or is are equals contains does whose where that thru through
    before after then given into onto mod div not but begins starts ends comes equal greater less than on]]):gmatch "%a+" do
  LEADS_ON[word] = true
end

---@class applescript.Context
---@field line applescript.Line
---@field terms? applescript.Terms   the terms of the application that is addressed
---@field target? string             the class of the object of `tell`
---@field variable fun(name: string): applescript.Type?
---@field seen? table<integer, table>  by token: the results
---@field inside? table<integer, table>  the same, of containers
---@field contains? boolean  a container is read
---@field check fun(property: string, kind: applescript.Type?, token: integer)  called for each `property of x`


--- The closing token of each opening bracket in a line.
function M.brackets(line)
  if line.closing then return line.closing end
  local closing, open = {}, {}
  for i = 1, line.n do
    if line.kinds[i] == "sign" then
      local text = line.texts[i]
      if text == "(" or text == "{" or text == "[" then open[#open + 1] = i end
      if (text == ")" or text == "}" or text == "]") and #open > 0 then closing[table.remove(open)] = i end
    end
  end
  line.closing = closing
  return closing
end


local function word(line, i)
  return line.kinds[i] == "word" and line.texts[i] or nil
end


local function sign(line, i)
  return line.kinds[i] == "sign" and line.texts[i] or nil
end


local function joins(line, i)
  local text = word(line, i)
  return text == "of" or text == "in"
end


--- The type in a list of one type; nil if there are several.
local function single(types)
  if #types == 1 then return { name = types[1].name, list = types[1].list } end
  return nil
end


--- The type of a property: that of the class's property, otherwise the one that all properties of this name have.
---@param terms applescript.Terms
---@param kind applescript.Type?
---@param name string
---@return applescript.Type?
function M.type_of_property(terms, kind, name)
  local class = kind and terms.classes[kind.name]
  local own = class and terms:property(class, name)
  if own then return single(own.types) end
  local same
  for _, owner in ipairs(terms.owners[name] or {}) do
    local one = single(owner.property.types)
    if not one or same and (same.name ~= one.name or same.list ~= one.list) then return nil end
    same = one
  end
  return same
end


local object

--- Skips an index, a name or an ID: one token, or all in brackets. Returns the token after it.
local function past_value(context, i)
  local line = context.line
  if sign(line, i) == "(" then return (M.brackets(line)[i] or line.n) + 1 end
  if sign(line, i) == "-" and line.kinds[i + 1] == "number" then return i + 2 end
  local kind = line.kinds[i]
  if kind == "number" or kind == "string" or kind == "name" then return i + 1 end
  local text = word(line, i)
  if not text or LEADS_ON[text] then return i end
  if text == "my" then return i + 2 end
  if context.terms and context.terms:term(line, i) and not context.variable(text) then return i end
  return i + 1
end


--- Checks the property after `whose`. In `every shape of slide 1 whose locked is true` it is that of the shapes.
local function tested(context, kind, container, i)
  local terms = context.terms
  local name, last = terms:term(context.line, i + 1)
  if not name or not terms.owners[name] or joins(context.line, last + 1) then return end
  local class = container and terms.classes[container.name]
  if class and terms:may_have(class, name) then return end
  context.check(name, kind, i + 1)
end


local function is_test(line, i)
  return word(line, i) == "whose" or word(line, i) == "where"
end


--- Reads the part after a class's name that selects objects of the class. A test after the container belongs to the objects, so
--- the container's own reading leaves it.
local function element(context, class, plural, i, depth)
  local line = context.line
  local kind = { name = class.name:lower(), list = plural }
  if is_test(line, i) then
    if context.contains then return kind, i end
    tested(context, kind, nil, i)
    return kind, math.huge
  end
  local text = word(line, i)
  if text == "id" or text == "named" or text == "index" then
    if text == "id" then context.check("id", kind, i) end
    i = past_value(context, i + 1)
    kind.list = false
  else
    local past = past_value(context, i)
    if past > i then kind.list, i = false, past end
  end
  if joins(line, i) then
    local container
    container, i = object(context, i + 1, depth + 1, true)
    if is_test(line, i) and not context.contains then
      tested(context, kind, container, i)
      return kind, math.huge
    end
  end
  return kind, i
end


local function property(context, name, i, last, depth)
  local line = context.line
  local holder, after = context.target and { name = context.target, list = false }, last + 1
  if joins(line, last + 1) then
    holder, after = object(context, last + 2, depth + 1)
    context.check(name, holder, i)
  end
  return M.type_of_property(context.terms, holder or nil, name), after
end


--- True if an object that is selected by its place, name or test begins here, not a property of the same name.
local function has_index(line, i)
  local kind, text = line.kinds[i], word(line, i)
  return kind == "number" or kind == "string" or sign(line, i) == "(" or text == "whose" or text == "where" or text == "id"
    or text == "named" or text == "index"
end


--- Reads a class or a property of the dictionary.
local function term(context, i, depth)
  local terms = context.terms
  local name, last = terms:term(context.line, i)
  if not name then return nil end
  local class, plural = terms:class(name)
  if terms.owners[name] and not (class and has_index(context.line, last + 1)) then
    return true, property(context, name, i, last, depth)
  end
  if not class then return nil end
  local next_name = terms:term(context.line, last + 1)
  if next_name and terms.owners[next_name] and word(context.line, last + 1) ~= "id" and not context.variable(next_name) then
    return true, M.type_of_property(terms, { name = name, list = false }, next_name), last + 2
  end
  return true, element(context, class, plural, last + 1, depth)
end


--- `item 2 of x`: the type of x's items.
local function item(context, i, depth)
  local line = context.line
  local after = past_value(context, i + 1)
  if after == i + 1 or not joins(line, after) then return nil, after end
  local whole, past = object(context, after + 1, depth + 1)
  if not whole then return nil, past end
  if standard.NUMBERS[whole.name] or whole.name == "point" or whole.name == "rectangle" then
    return { name = "number", list = false }, past
  end
  return whole.list and { name = whole.name, list = false } or nil, past
end


--- `count of x`, `number of x`, `length of x`.
local function amount(context, i, depth)
  if word(context.line, i) == "of" or word(context.line, i) == "each" then i = i + 1 end
  local _, after = object(context, i, depth + 1)
  return { name = "integer", list = false }, after
end


--- `{width, height} of x`: each name is a property of x.
local function list(context, i, depth)
  local line = context.line
  local close = M.brackets(line)[i] or line.n
  if not joins(line, close + 1) then return nil, close + 1 end
  local holder, after = object(context, close + 2, depth + 1)
  for k = i, close - 1 do
    local before = sign(line, k)
    if before == "{" or before == "," then
      local name, last = nil, nil
      if context.terms then name, last = context.terms:term(line, k + 1) end
      local past = last and sign(line, last + 1)
      if name and context.terms.owners[name] and (past == "," or past == "}") then context.check(name, holder, k + 1) end
    end
  end
  return nil, after
end


local function brackets(context, i, depth)
  local close = M.brackets(context.line)[i]
  if not close then return nil, context.line.n + 1 end
  local kind, after = object(context, i + 1, depth + 1)
  return (after >= close) and kind or nil, close + 1
end


local function by_word(context, i, depth)
  local line, text = context.line, word(context.line, i)
  if text == "the" or text == "get" then return object(context, i + 1, depth + 1) end
  if text == "it" then return context.target and { name = context.target, list = false }, i + 1 end
  if text == "its" then return object(context, i + 1, depth + 1) end
  if text == "my" or text == "me" then
    return nil, math.max(i + 1, select(2, object({ line = line, variable = context.variable, check = context.check },
      i + 1, depth + 1)))
  end
  if text == "a" and word(line, i + 1) == "reference" then return object(context, i + 3, depth + 1) end
  if text == "count" or (text == "number" or text == "length") and word(line, i + 1) == "of" then
    return amount(context, i + 1, depth)
  end
  if text == "item" then return item(context, i, depth) end
  local terms = context.terms
  if terms and text == "make" then
    local name, last = terms:term(line, word(line, i + 1) == "new" and i + 2 or i + 1)
    local class = name and terms:class(name)
    return class and { name = class.name:lower(), list = false } or nil, (last or i) + 1
  end
  if terms and (FIRST[text] or text == "every") then
    local name, last = terms:term(line, i + 1)
    local class = name and terms:class(name)
    if not class then return nil, i + 1 end
    return element(context, class, text == "every", last + 1, depth)
  end
  if terms and not context.variable(text) then
    local known, kind, after = term(context, i, depth)
    if known then return kind, after end
  end
  if sign(line, i + 1) == "(" then return nil, (M.brackets(line)[i + 1] or line.n) + 1 end
  return context.variable(text), i + 1
end


--- Reads the part after an object: `'s width`, `as text`.
local function followed(context, kind, i, depth)
  local line = context.line
  while i <= line.n do
    if sign(line, i) == "'" and word(line, i + 1) == "s" and i - 1 >= 1 and line.stops[i - 1] + 1 == line.ats[i] then
      local name, last = nil, nil
      if context.terms then name, last = context.terms:term(line, i + 2) end
      if not name then return nil, i + 2 end
      if context.terms.owners[name] then
        context.check(name, kind, i + 2)
        kind, i = M.type_of_property(context.terms, kind, name), last + 1
      else
        local class, plural = context.terms:class(name)
        if not class then return nil, last + 1 end
        kind, i = element(context, class, plural, last + 1, depth + 1)
      end
    elseif word(line, i) == "as" and word(line, i + 1) then
      local text = word(line, i + 1)
      kind, i = { name = text, list = false }, i + 2
    else
      return kind, i
    end
  end
  return kind, i
end


local function evaluate(context, i, depth)
  local line = context.line
  local kind = line.kinds[i]
  local found, after
  if kind == "number" then
    found, after = { name = "number", list = false }, i + 1
    if ORDINAL[word(line, i + 1) or ""] and context.terms then
      local name, last = context.terms:term(line, i + 2)
      local class = name and context.terms:class(name)
      if not class then return nil, i + 2 end
      found, after = element(context, class, false, last + 1, depth)
    end
  elseif kind == "string" then
    found, after = { name = "text", list = false }, i + 1
  elseif kind == "sign" and line.texts[i] == "(" then
    found, after = brackets(context, i, depth)
  elseif kind == "sign" and line.texts[i] == "{" then
    found, after = list(context, i, depth)
  elseif kind == "sign" and line.texts[i] == "-" then
    return object(context, i + 1, depth + 1)
  elseif kind == "word" then
    found, after = by_word(context, i, depth)
  elseif kind == "name" then
    found, after = context.variable(line.texts[i]), i + 1
  else
    return nil, i + 1
  end
  return followed(context, found or nil, after, depth)
end


--- The type of the expression at a token, and the token after it (math.huge: it ends with the rest of the brackets). Each token
--- is evaluated once per context and use, so that a long chain takes time in proportion to its length.
---@param context applescript.Context
---@param i integer
---@param depth? integer
---@param container? boolean  it is what an element is of: a test after it is not its own
---@return applescript.Type? kind
---@return number after
function object(context, i, depth, container)
  depth = depth or 0
  if not context.line.kinds[i] or depth > DEPTH then return nil, i end
  local before = context.contains
  context.contains = container == true
  local key = context.contains and "inside" or "seen"
  context[key] = context[key] or {}
  local seen = context[key][i]
  if not seen then
    seen = table.pack(evaluate(context, i, depth))
    context[key][i] = seen
  end
  context.contains = before
  return seen[1], seen[2]
end

M.object = object


--- True if the object that begins at a token is what another one is of: `slide 2` of `shape 1 of slide 2`.
---@param line applescript.Line
---@param i integer
---@return boolean
function M.is_container(line, i)
  local before = i - 1
  while FIRST[word(line, before) or ""] or word(line, before) == "the" do before = before - 1 end
  return joins(line, before)
end


return M
