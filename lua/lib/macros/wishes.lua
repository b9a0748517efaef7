--- Parameters of a macro: values of its steps that stand in the request that it was made for.
--
-- A value stands there as whole words, in any case, in quotes, or in another form of the same number or date. The name of a file
-- stands for its path. Longer values go first, and one that is in several places is one parameter. The names in selectors are
-- values only if the request has them in quotes.

local keys        = require "keys"
local letters     = require "letters"
local literals    = require "macros.literals"
local set_of      = require("word_set").of
local tool_text   = require "dictionary.tool_text"
local value_forms = require "elements.act.value_forms"

local M = {}

local SHORT = 2      -- characters of a value that has to be in quotes if it is shorter
local NAME = 24      -- characters of a parameter's name
local SHOWN = 60     -- characters of a value in a description

---@class macros.Wish
---@field name string
---@field value string|number
---@field kind "text"|"path"|"number"
---@field from string       where it is: "value", "path", "option", ...
---@field element? string   the selector of its element
---@field secret? boolean

-- Arguments that name tools, places and elements, and those that say how.
local NAMES  = set_of "application window tool action condition role source route keys"
local QUOTED = set_of "element to find click double_click set drag button menu"
local PLAIN  = set_of "count timeout wait seconds page_size depth max_tokens button new x y image_id"
local PATHS  = set_of "path files file drop folder directory"


-- --- the request ----------------------------------------------------------------------------------------------------

local MARKS = { { '"', '"' }, { "“", "”" }, { "„", "“" }, { "«", "»" }, { "`", "`" }, { "'", "'" } }

--- The texts in quotes.
local function quotes_of(request)
  local list = {}
  for _, marks in ipairs(MARKS) do
    local at = 1
    while at do
      local from = request:find(marks[1], at, true)
      local to = from and request:find(marks[2], from + #marks[1], true)
      local before = from and from > 1 and request:sub(from - 1, from - 1) or " "
      if from and marks[1] == "'" and before:find "%w" then       -- an apostrophe
        at = from + 1
      elseif to then
        local text = request:sub(from + #marks[1], to - 1)
        if text ~= "" and not text:find "\n\n" then list[#list + 1] = text end
        at = to + #marks[2]
      else
        at = nil
      end
    end
  end
  return list
end


local function squeezed(text) return (letters.fold(text):gsub("%s+", " "):gsub("^ ", ""):gsub(" $", "")) end


--- True if the character at a place of a text is part of a word.
local function is_word(text, at) return text:sub(at, at):find "[%w_\x80-\xff]" ~= nil end


--- The places at which a text has another one as whole words.
---@return integer? from
---@return integer? to
local function find_whole(text, part, at)
  while part ~= "" do
    local from, to = text:find(part, at or 1, true)
    if not from then return nil end
    local free = (not is_word(part, 1) or from == 1 or not is_word(text, from - 1))
      and (not is_word(part, #part) or not is_word(text, to + 1))
    if free then return from, to end
    at = from + 1
  end
end

M.find_whole = find_whole


---@class macros.Request
---@field text string     in small letters
---@field quotes string[]
---@field words string[]  those with digits

local function read(request)
  local with_digits = {}
  for word in request:gmatch "[%w%p\x80-\xff]*%d[%w%p\x80-\xff]*" do
    with_digits[#with_digits + 1] = word:gsub('^["\'(]+', ""):gsub('["\'),.;:!?]+$', "")
  end
  for a, b, c in request:gmatch "(%d+%.?) (%a+),? (%d%d%d%d)" do with_digits[#with_digits + 1] = ("%s %s %s"):format(a, b, c) end
  for a, b, c in request:gmatch "(%a+) (%d+),? (%d%d%d%d)" do with_digits[#with_digits + 1] = ("%s %s, %s"):format(a, b, c) end
  return { text = squeezed(request), quotes = quotes_of(request), words = with_digits }
end


--- True if the request has the value as a number or date of another form.
local function has_form(request, value)
  if not value:find "%d" or #value > 40 then return false end
  for _, word in ipairs(request.words) do
    if value_forms.compare(value, word) == "same" then return true end
  end
  return false
end


local function is_quoted(request, value)
  local wanted = squeezed(value)
  for _, each in ipairs(request.quotes) do
    if squeezed(each) == wanted then return true end
  end
  return false
end


--- True if the value stands in the request.
---@param request string|macros.Request
---@param value string
---@return boolean
local function stands(request, value)
  if type(request) == "string" then request = read(request) end
  local text = squeezed(value)
  if text == "" then return false end
  if #text < SHORT and not text:find "%d" then return is_quoted(request, value) end
  return find_whole(request.text, text) ~= nil or has_form(request, value)
end


M.stands = stands


-- --- the values of steps ----------------------------------------------------------------------------------------------

---@class macros.Leaf
---@field holder table
---@field key any
---@field name string      the argument
---@field element? string  the selector of the element that it is about
---@field value string|number

--- Collects the strings and numbers of arguments.
local function leaves_of(value, holder, key, name, element, list)
  if type(value) == "table" then
    element = value.element or value.set or value.find or element
    for _, each in ipairs(keys.ordered(value)) do
      leaves_of(value[each], value, each, type(each) == "string" and each or name, element, list)
    end
  elseif type(value) == "string" or type(value) == "number" then
    list[#list + 1] = { holder = holder, key = key, name = name, element = type(element) == "string" and element or nil,
      value = value }
  end
  return list
end


---@param steps macros.Given[]
---@return macros.Leaf[] leaves
function M.leaves(steps)
  local list = {}
  for _, step in ipairs(steps) do leaves_of(step.arguments or {}, step, "arguments", "arguments", nil, list) end
  return list
end


local SECRETS = set_of "password passphrase pin secret token code"

local function is_secret(leaf)
  local role, name = (leaf.element or ""):match "^(%a+)", (leaf.element or ""):match '"(.-)"' or ""
  if role == "password" then return true end
  for word in letters.fold(name):gmatch "%a+" do
    if SECRETS[word] then return true end
  end
  return false
end


local function slug_of(leaf, kind)
  if kind == "path" then return "file" end
  local name = leaf.element and leaf.element:match '"(.-)"'
  local base = name and tool_text.slug(name):sub(1, NAME):gsub("_+$", "")
  if QUOTED[leaf.name] then base = type(leaf.value) == "string" and leaf.value:match "^%l+" or "item" end
  base = base and not base:find "^x_" and base or leaf.name
  if base == "value" or base == "arguments" or base == "text_contains" or base == "value_contains" then base = "text" end
  return base:find "^[a-z][a-z0-9_]*$" and literals.is_name(base) and base or "value"
end


local function base_of(path) return path:match "([^/]+)/*$" end

--- Adds the parts of a value that may be parameters: the value itself, or parts of it.
local function add_candidates(leaf, request, add)
  local value = leaf.value
  if type(value) == "number" then
    if not PLAIN[leaf.name] and stands(request, ("%.17g"):format(value)) then add(leaf, value, "number") end
    return
  end
  if QUOTED[leaf.name] then
    for _, quote in ipairs(request.quotes) do
      if find_whole(value, quote) and #quote >= SHORT then add(leaf, quote, "text") end
    end
    return
  end
  local core = value:match "^%s*(.-)%s*$"
  local path = core:find "^[/~]" or core:find "^file:///"
  if path and (PATHS[leaf.name] or stands(request, core) or stands(request, base_of(core) or "")) then
    return add(leaf, core, "path")
  end
  if core ~= "" and stands(request, core) then return add(leaf, core, "text") end
  for _, quote in ipairs(request.quotes) do
    if find_whole(value, quote) then add(leaf, quote, "text") end
  end
  for _, word in ipairs(request.words) do
    if #word >= SHORT and find_whole(value, word) then add(leaf, word, "text") end
  end
end


--- The candidates without those that are the last name of a path among them.
local function without_bases(list)
  local bases, kept = {}, {}
  for _, each in ipairs(list) do
    if each.kind == "path" and base_of(each.value) then bases[base_of(each.value)] = true end
  end
  for _, each in ipairs(list) do
    if not bases[each.value] then kept[#kept + 1] = each end
  end
  return kept
end


--- The candidates, the longest first: an equal one once.
local function candidates_of(leaves, request)
  local list, by_value = {}, {}
  for at, leaf in ipairs(leaves) do
    if not NAMES[leaf.name] then
      add_candidates(leaf, request, function(of, value, kind)
        local known = by_value[value]
        if known then return end
        by_value[value] = { leaf = of, value = value, kind = kind, at = at }
        list[#list + 1] = by_value[value]
      end)
    end
  end
  list = without_bases(list)
  table.sort(list, function(a, b)
    local one, other = #tostring(a.value), #tostring(b.value)
    if one ~= other then return one > other end
    return a.at < b.at
  end)
  return list
end


-- --- putting them in ---------------------------------------------------------------------------------------------------

--- Marks the place of a variable in a string of a step, which put() makes ${name} of. Any other ${ is text.
---@param expression string
---@return string
function M.mark(expression) return ("\1%s\2"):format(expression) end


--- The texts that parameters stand for, the longest first: their values, and the last names of paths.
local function parts_of(wishes)
  local list = {}
  for at, wish in ipairs(wishes) do
    list[#list + 1] = { text = tostring(wish.value), name = wish.name, wish = wish, at = at }
    local base = wish.kind == "path" and base_of(wish.value)
    if base then list[#list + 1] = { text = base, name = wish.name .. ".base", wish = wish, at = at } end
  end
  table.sort(list, function(a, b)
    if #a.text ~= #b.text then return #a.text > #b.text end
    return a.at < b.at
  end)
  return list
end


--- Puts ${name} in the places of values, the longest first, and of the last name of a path. What is left stays as it is.
local function filled(text, wishes)
  local pieces = { { text = text } }
  local used = {}
  local function put(part, name, wish)
    local at = 1
    while pieces[at] do
      local piece = pieces[at]
      local from, to
      if piece.text then from, to = find_whole(piece.text, part) end
      if from then
        table.remove(pieces, at)
        local rest = { { text = piece.text:sub(1, from - 1) }, { name = name }, { text = piece.text:sub(to + 1) } }
        for i = 3, 1, -1 do
          if rest[i].name or rest[i].text ~= "" then table.insert(pieces, at, rest[i]) end
        end
        used[wish] = true
      end
      at = at + 1
    end
  end
  for _, each in ipairs(parts_of(wishes)) do put(each.text, each.name, each.wish) end
  local parts = {}
  for i, piece in ipairs(pieces) do
    parts[i] = piece.name and ("${%s}"):format(piece.name) or (piece.text:gsub("%${", "$${"):gsub("\1(.-)\2", "${%1}"))
  end
  return table.concat(parts), used
end

M.filled = filled


--- The request with the names of parameters in the places of their values: `write "<text>" and save it as <file>`.
---@param request string
---@param wishes macros.Wish[]
---@return string
function M.generic(request, wishes)
  for _, each in ipairs(parts_of(wishes)) do
    local at = 1
    while at do
      local from, to = find_whole(request:lower(), each.text:lower(), at)
      if from then request = ("%s<%s>%s"):format(request:sub(1, from - 1), each.wish.name, request:sub(to + 1)) end
      at = from and from + #each.wish.name + 2
    end
  end
  return request
end


local function free(name, taken)
  local found, count = name, 2
  while taken[found] do found, count = name .. count, count + 1 end
  taken[found] = true
  return found
end


--- The wishes of candidates, with their names, in the order of the steps.
local function named(candidates)
  local taken, list = { resume_from = true, repeat_sent = true }, {}
  for i, each in ipairs(candidates) do
    list[i] = { value = each.value, kind = each.kind, from = each.leaf.name, element = each.leaf.element, at = each.at,
      secret = is_secret(each.leaf), name = slug_of(each.leaf, each.kind) }
  end
  table.sort(list, function(a, b) return a.at < b.at end)
  for _, wish in ipairs(list) do wish.name = free(wish.name, taken) end
  return list
end


--- Puts the parameters into the place of a value. Returns those that it took.
local function put_into(leaf, wishes)
  if type(leaf.value) == "string" then
    local text, used = filled(leaf.value, NAMES[leaf.name] and leaf.name ~= "window" and {} or wishes)
    leaf.holder[leaf.key] = text
    return used
  end
  for _, wish in ipairs(PLAIN[leaf.name] and {} or wishes) do
    if wish.value == leaf.value then
      leaf.holder[leaf.key] = ("${%s}"):format(wish.name)
      return { [wish] = true }
    end
  end
  return {}
end


--- Finds the parameters, and puts them into the steps.
---@param steps macros.Given[]
---@param request string
---@return macros.Wish[] wishes  those that a step uses: a value within a longer one may be used nowhere
function M.put(steps, request)
  local leaves, used, kept = M.leaves(steps), {}, {}
  local wishes = named(candidates_of(leaves, read(request)))
  for _, leaf in ipairs(leaves) do
    for wish in pairs(put_into(leaf, wishes)) do used[wish] = true end
  end
  for _, wish in ipairs(wishes) do
    if used[wish] then kept[#kept + 1] = wish end
  end
  return kept
end


--- The description of a parameter.
local function described(wish)
  local of = wish.kind == "path" and "Absolute path" or wish.element and "For " .. wish.element
    or "The " .. wish.name:gsub("_", " ")
  if wish.secret then return of .. "." end
  local shown = tostring(wish.value):gsub("%s+", " ")
  local stop = utf8.len(shown) and utf8.offset(shown, SHOWN + 1)
  if stop and stop <= #shown then shown = shown:sub(1, stop - 1) .. "…" end
  return ('%s, as "%s".'):format(of, shown)
end


local function type_of(value)
  return type(value) == "string" and "string" or math.type(value) == "integer" and "integer" or "number"
end


--- The parameters as the writer takes them.
---@param wishes macros.Wish[]
---@return macros.Parameter[]
function M.parameters(wishes)
  local list = {}
  for i, wish in ipairs(wishes) do
    list[i] = { name = wish.name, type = type_of(wish.value), about = wish.kind == "path" and "path" or nil,
      description = described(wish) }
  end
  return list
end


return M
