--- A dictionary for a model to read: every command that is not hidden, with its arguments as a script writes them, in at most
--- 2,000 tokens. A large dictionary leaves out descriptions first, then optional arguments, then all arguments, then names. What
--- is left out is named, or else counted.

local json  = require "sys.json"
local kinds = require "dictionary.kinds"

local M = {}

M.TOKENS = 2000
local SENTENCE = 90     -- characters of a description
local CHOICES = 8       -- values of an enumeration that are listed
local EXAMPLES = 6
local RUN_OF_LETTERS, RUN_OF_SIGNS = 9, 3   -- about one token
local MOST_BYTES = 10 * M.TOKENS             -- longer texts have more tokens
local NAME, TITLE = 1000, 200                -- the longest name of a command, in bytes, and of an application or a suite
local ELSEWHERE = "search_commands finds them by what they do, and get_app_capabilities with format full has all, in pages"


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
  local text = (label and label ~= "" and ("%s %s"):format(label, kind) or kind) .. kinds.default(parameter)
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
      opensApp = command.opens_app, description = sentence(command.description) },
      { "command", "args", "opensApp", "description" })
  end,
  function(command, enumerations)
    return json.object({ command = command.name, args = arguments(command, enumerations, true), opensApp = command.opens_app },
      { "command", "args", "opensApp" })
  end,
  function(command, enumerations)
    return json.object({ command = command.name, args = arguments(command, enumerations, false), opensApp = command.opens_app },
      { "command", "args", "opensApp" })
  end,
  function(command) return json.object { command = command.name } end,
}


-- --- the whole ------------------------------------------------------------------------

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


--- The commands of all categories by turns, so that each category has its share of those that come first.
---@return {category: string, command: dictionary.Command}[]
local function by_turns(categories)
  local list, turn, again = {}, 1, true
  while again do
    again = false
    for _, category in ipairs(categories) do
      local command = category.commands[turn]
      if command then
        list[#list + 1] = { category = category.name, command = command }
        again = true
      end
    end
    turn = turn + 1
  end
  return list
end


--- A text that is not longer than a limit, as a title.
local function cut(text)
  local last = #text > TITLE and utf8.offset(text, TITLE)
  return last and text:sub(1, last - 1) .. " ..." or text
end


--- The categories with their commands at a level: the first `shown` of the turns.
local function show(categories, turns, shown, write_command)
  local order, lists, chosen = {}, {}, {}
  for i = 1, math.min(shown, #turns) do chosen[turns[i].command] = true end
  for _, category in ipairs(categories) do
    local name = cut(category.name)
    for _, command in ipairs(category.commands) do
      if chosen[command] then
        if not lists[name] then lists[name], order[#order + 1] = json.array {}, name end
        lists[name][#lists[name] + 1] = write_command(command)
      end
    end
  end
  return json.object(lists, order)
end


--- The names of the commands from `shown` + 1 to `named`, and how many others there are.
local function rest(turns, shown, named, count)
  local more = json.array {}
  for i = shown + 1, math.min(named, #turns) do more[#more + 1] = turns[i].command.name end
  local others = count - math.min(math.max(shown, named), #turns)
  if others > 0 then more[#more + 1] = ("... and %d others: %s"):format(others, ELSEWHERE) end
  return #more > 0 and more or nil
end


local function write(summary, categories, examples, more)
  return assert(json.encode(json.object({ app = cut(summary.model.name), categories = categories, examples = json.array(examples),
    more = more }, { "app", "categories", "examples", "more" })))
end


--- The greatest number, up to `high`, with which the text has at most so many tokens; nil if none is.
local function fitting(high, tokens, make)
  local low = -1
  while low < high do
    local middle = (low + high + 1) // 2
    if M.tokens(make(middle)) <= tokens then low = middle else high = middle - 1 end
  end
  return low >= 0 and low or nil
end


--- The first commands by turns whose names may fit. A name that is too long to be a part of a summary is only counted.
local function nameable(turns)
  local list, bytes = {}, 0
  for _, turn in ipairs(turns) do
    local name = turn.command.name
    if #name <= NAME then
      bytes = bytes + #name
      if bytes > MOST_BYTES or #list == M.TOKENS then break end
      list[#list + 1] = turn
    end
  end
  return list
end


--- Every command at the first level that is short enough; nil if none is.
local function write_all(summary, examples)
  for _, level in ipairs(LEVELS) do
    local shown = show(summary.categories, summary.turns, math.huge, function(command)
      return level(command, summary.enumerations)
    end)
    local text = write(summary, shown, examples)
    if M.tokens(text) <= M.TOKENS then return text end
  end
  return nil
end


--- Every command by its name: as many as possible in their categories, and the others in `more`. nil if that is too long.
local function write_names(summary)
  local turns, count = summary.turns, #summary.turns
  local function make(shown)
    return write(summary, show(summary.categories, turns, shown, LEVELS[#LEVELS]), {}, rest(turns, shown, count, count))
  end
  local shown = fitting(count, M.TOKENS, make)
  return shown and shown > 0 and make(shown) or nil
end


--- As many names as possible: half of them in their categories.
local function write_some(summary)
  local turns, count = nameable(summary.turns), #summary.turns
  local function make(shown, named)
    return write(summary, show(summary.categories, turns, shown, LEVELS[#LEVELS]), {}, rest(turns, shown, named, count))
  end
  local shown = fitting(#turns, M.TOKENS // 2, function(most) return make(most, most) end) or 0
  local named = fitting(#turns, M.TOKENS, function(most) return make(shown, math.max(shown, most)) end) or shown
  return make(shown, math.max(shown, named))
end


--- How many classes there are, of a dictionary without commands.
local function classes_of(model)
  local count = 0
  for _, suite in ipairs(model.suites) do
    for _, class in ipairs(suite.hidden and {} or suite.classes) do count = count + (class.hidden and 0 or 1) end
  end
  return count
end


--- Whether all names may fit: a token has at most about ten bytes.
local function may_fit(turns)
  local bytes = 0
  for _, turn in ipairs(turns) do bytes = bytes + #turn.command.name end
  return #turns <= M.TOKENS and bytes <= MOST_BYTES
end


---@param model dictionary.Model
---@param examples string[]  lines of a script, the most useful first
---@return string json
function M.text(model, examples)
  local categories = categories_of(model)
  local summary = { model = model, categories = categories, turns = by_turns(categories),
    enumerations = kinds.enumerations(model) }
  examples = table.move(examples, 1, math.min(#examples, EXAMPLES), 1, {})
  local classes = #summary.turns == 0 and classes_of(model) or 0
  if classes > 0 then
    return write(summary, json.object {}, examples, json.array { ("no commands, but %d classes: %s"):format(classes, ELSEWHERE) })
  end
  return may_fit(summary.turns) and (write_all(summary, examples) or write_names(summary)) or write_some(summary)
end


return M
