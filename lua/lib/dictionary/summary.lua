--- A dictionary for a model to read: every command that is not hidden, with its arguments as a script writes them, in at most
--- 2,000 tokens. A large dictionary leaves out descriptions first, then optional arguments, then all arguments, then names.

local json  = require "sys.json"
local kinds = require "dictionary.kinds"

local M = {}

M.TOKENS = 2000
local SENTENCE = 90     -- characters of a description
local CHOICES = 8       -- values of an enumeration that are listed
local EXAMPLES = 6
local RUN_OF_LETTERS, RUN_OF_SIGNS = 9, 3   -- about one token


-- --- tokens ---------------------------------------------------------------------------

--- An estimate of a text's tokens, a little above the number by the tokenizer o200k.
---@param text string
---@return integer
function M.tokens(text)
  local count = 0
  for letters, others in text:gmatch "(%a*)([^%a]*)" do
    if letters ~= "" then count = count + 1 + (#letters - 1) // RUN_OF_LETTERS end
    local signs = #others - (others:sub(-1) == " " and 1 or 0)
    count = count + (signs + RUN_OF_SIGNS - 1) // RUN_OF_SIGNS
  end
  return count * 21 // 20
end


-- --- a command ------------------------------------------------------------------------

--- The first sentence of a description.
local function sentence(text)
  if not text then return nil end
  text = text:gsub("%s+", " "):match "^%s*(.-)%s*$"
  local first = text:match "^(.-[.!?])%s" or text
  if (utf8.len(first) or #first) > SENTENCE then
    local cut = utf8.offset(first, SENTENCE) or SENTENCE
    first = first:sub(1, cut - 1):gsub("%s+%S*$", "") .. " ..."
  end
  return first ~= "" and first or nil
end


--- The values of an enumeration that a value is one of, "PDF/PNG/JPEG"; nil if it may be anything else.
local function choices(types, enumerations)
  local names = {}
  for _, kind in ipairs(types) do
    local values = enumerations[kind.name:lower()]
    if not values then return nil end
    table.move(values, 1, #values, #names + 1, names)
  end
  if #names == 0 then return nil end
  if #names > CHOICES then
    names = table.move(names, 1, CHOICES, 1, {})
    names[#names + 1] = "..."
  end
  return table.concat(names, "/")
end


local function argument(parameter, label, enumerations)
  local kind = choices(parameter.types, enumerations) or kinds.text(parameter.types)
  local text = label and label ~= "" and ("%s %s"):format(label, kind) or kind
  return parameter.required and text or ("[%s]"):format(text)
end


--- The arguments in the order of a call; without optional ones if they are not wanted.
local function arguments(command, enumerations, all)
  local list = json.array {}
  local function add(parameter, label)
    if not parameter.hidden and (all or parameter.required) then list[#list + 1] = argument(parameter, label, enumerations) end
  end
  if command.direct then add(command.direct) end
  for _, parameter in ipairs(command.parameters) do add(parameter, parameter.name) end
  return list
end


-- The levels, from the one that shows most of a command.
local LEVELS = {
  function(command, enumerations)
    return json.object({ command = command.name, args = arguments(command, enumerations, true),
      description = sentence(command.description) }, { "command", "args", "description" })
  end,
  function(command, enumerations)
    return json.object({ command = command.name, args = arguments(command, enumerations, true) }, { "command", "args" })
  end,
  function(command, enumerations)
    return json.object({ command = command.name, args = arguments(command, enumerations, false) }, { "command", "args" })
  end,
  function(command) return json.object { command = command.name } end,
}


-- --- the whole ------------------------------------------------------------------------

--- The values of each enumeration, by its name in lower case. Values for a person are often hidden ones.
local function enumerations_of(model)
  local map = {}
  for _, suite in ipairs(model.suites) do
    for _, enumeration in ipairs(suite.enumerations) do
      local values = {}
      for _, value in ipairs(enumeration.values) do
        if not value.hidden then values[#values + 1] = value.name end
      end
      map[enumeration.name:lower()] = values
    end
  end
  return map
end


--- The commands by category, each once: a list of { name, commands }.
local function categories_of(model)
  local list, seen = {}, {}
  for _, suite in ipairs(model.suites) do
    local commands = {}
    for _, command in ipairs(suite.hidden and {} or suite.commands) do
      local key = (command.call and suite.name or suite.source or "") .. "\n" .. command.name:lower()
      if not command.hidden and not seen[key] then
        seen[key] = true
        commands[#commands + 1] = command
      end
    end
    if #commands > 0 then list[#list + 1] = { name = suite.name or "", commands = commands } end
  end
  return list
end


--- The summary at a level. Commands beyond the first `most` are only named, those beyond the first `named` only counted.
local function write(model, categories, enumerations, level, most, examples, named)
  local shown, order, more, count = {}, {}, json.array {}, 0
  for _, category in ipairs(categories) do
    for _, command in ipairs(category.commands) do
      count = count + 1
      if count <= most then
        if not shown[category.name] then
          shown[category.name] = json.array {}
          order[#order + 1] = category.name
        end
        local list = shown[category.name]
        list[#list + 1] = LEVELS[level](command, enumerations)
      elseif count <= named then
        more[#more + 1] = command.name
      end
    end
  end
  if count > named then more[#more + 1] = ("... and %d others: see the full dictionary"):format(count - named) end
  local whole = json.object({ app = model.name, categories = json.object(shown, order), examples = json.array(examples),
    more = #more > 0 and more or nil }, { "app", "categories", "examples", "more" })
  return assert(json.encode(whole)), count
end


--- The text with the greatest number, up to `high`, that is short enough; nil if none is.
local function fitting(high, make)
  local low = -1
  while low < high do
    local middle = (low + high + 1) // 2
    if M.tokens(make(middle)) <= M.TOKENS then low = middle else high = middle - 1 end
  end
  return low >= 0 and make(low) or nil
end


---@param model dictionary.Model
---@param examples string[]  lines of a script, the most useful first
---@return string json
function M.text(model, examples)
  local categories, enumerations = categories_of(model), enumerations_of(model)
  examples = table.move(examples, 1, math.min(#examples, EXAMPLES), 1, {})
  local function make(level, most, with, named)
    return (write(model, categories, enumerations, level, most, with, named or math.huge))
  end
  for level = 1, #LEVELS do
    local text = make(level, math.huge, examples)
    if M.tokens(text) <= M.TOKENS then return text end
  end
  local count = select(2, write(model, categories, enumerations, #LEVELS, 0, {}, 0))
  return fitting(count, function(most) return make(#LEVELS, most, {}) end)
    or fitting(count, function(named) return make(#LEVELS, 0, {}, named) end) or make(#LEVELS, 0, {}, 0)
end


return M
