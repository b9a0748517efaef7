--- The options of a command or a script: declared once, parsed by getopt_long's conventions, shown by --help.
--
--   local given, status = options.read(perigee.args, {
--     usage = "perigee run tile.lua [options] [TITLE...]",
--     about = "Tiles windows.",
--     { "columns", "integer", "number of columns", letter = "c", minimum = 1, maximum = 20 },
--     { "gap", "number", "points between windows", default = 8 },
--     { "dry-run", "flag", "only print what would be done" },
--   })
--   if not given then return status end   -- --help was printed (0), or an error was reported (2)
--
-- given.columns, given.gap, given.dry_run; words that are not options are given[1], given[2], ...
--
-- --name value, --name=value, -n value, -nvalue and -abc are understood, options can be anywhere, and "--" ends them.

-- Modules that are seldom needed (the nearest names, the text of --help) are required only when needed: this runs before every
-- command.
local M = {}

local SECONDS = 86400


---@alias options.Type "flag"|"string"|"integer"|"number"|"seconds"|"list"|"file"|"directory"|"url"|"tool"|"toolsets"|"server"
---|"app"|"command"|"prompt"|"pack"|"tool_argument"

---@class options.Option
---@field [1]? string          its name, without dashes; nil if it has only a letter
---@field [2] options.Type     a list is a,b,c
---@field [3]? string          its description; nil: help does not show it
---@field letter? string       "v" for -v
---@field value? string        the name of its value in help
---@field default? any         the value if it is not given
---@field absent? string       the default in words, if it is not a value: "no limit"
---@field minimum? number
---@field maximum? number
---@field enum? string[]       the only possible values
---@field repeatable? boolean  its value is a list with an item for each time that it is given

--- An argument is declared like an option without a letter; its name is shown in capitals.
---@class options.Argument: options.Option
---@field optional? boolean
---@field missing? string      the message if it is missing
---@field unless? string       it can be omitted if this key is given

---@class options.Spec
---@field options options.Option[]
---@field arguments? options.Argument[]     nil: words are returned as they are
---@field subcommands? table<string, {arguments?: options.Argument[]}>  by the first word
---@field default? string                   the subcommand if there is no word
---@field rest? string                      the key for the words behind "--"; nil: they are words like the others


local function wrong(message, ...)
  error({ wrong = select("#", ...) > 0 and message:format(...) or message }, 0)
end


--- Returns the name of an option in a message.
local function shown(option)
  if option.argument then return option[1]:upper() end
  return option[1] and "--" .. option[1] or "-" .. option.letter
end


---@param option options.Option
---@return string key  the key of its value
function M.key(option)
  return ((option[1] or option.letter):gsub("-", "_"))
end


-- --- values ------------------------------------------------------------------------------

local function limits(option)
  local low, high = option.minimum, option.maximum
  if low and high then return (" from %s to %s"):format(low, high) end
  return low and " of at least " .. low or high and " of at most " .. high or ""
end


local function read_number(option, word)
  local number = word:find(option[2] == "integer" and "^[+-]?%d+$" or "^[^xX]+$") and tonumber(word)
  if option[2] == "integer" then number = number and math.tointeger(number) end
  local low, high = option.minimum or -math.huge, option.maximum or math.huge
  if number and number >= low and number <= high then return number end
  wrong("%s takes a %snumber%s, not %q", shown(option), option[2] == "integer" and "whole " or "", limits(option), word)
end


local READERS = { integer = read_number, number = read_number }

function READERS.seconds(option, word)
  local seconds = tonumber(word)
  if seconds and seconds > 0 and seconds <= (option.maximum or SECONDS) then return seconds end
  wrong("%s takes a number of seconds above 0 and at most %d, not %q", shown(option), option.maximum or SECONDS, word)
end


function READERS.list(option, word)
  local items = {}
  for item in word:gmatch "[^,]+" do
    item = item:match "^%s*(.-)%s*$"
    if item ~= "" then items[#items + 1] = item end
  end
  return items
end

function READERS.toolsets(option, word)
  local items = READERS.list(option, word)
  if #items == 0 then wrong("%s needs names, for example %s keynote,desktop", shown(option), shown(option)) end
  return items
end


local function joined(words)
  if #words == 1 then return words[1] end
  return table.concat(words, ", ", 1, #words - 1) .. " or " .. words[#words]
end


local function one_of(option, word)
  for _, value in ipairs(option.enum) do
    if value:lower() == word:lower() then return value end
  end
  wrong("%s takes %s, not %q%s", shown(option), joined(option.enum), word,
    require("nearest").question(word, option.enum, "; "))
end


local function read_value(option, word)
  local value = word
  if READERS[option[2]] then value = READERS[option[2]](option, word) end
  if not option.enum then return value end
  if type(value) ~= "table" then return one_of(option, value) end
  for i, item in ipairs(value) do value[i] = one_of(option, item) end
  return value
end


local function store(given, option, value)
  local key = M.key(option)
  if not option.repeatable then
    given[key] = value
  else
    given[key][#given[key] + 1] = value
  end
end


-- --- words ---------------------------------------------------------------------------------

---@class options.State
---@field words string[]
---@field at integer
---@field given table
---@field spec options.Spec


local function find(spec, field, name)
  for _, option in ipairs(spec.options) do
    if option[field] == name then return option end
  end
end


local function unknown(spec, name)
  local names = {}
  for _, option in ipairs(spec.options) do
    if option[3] then names[#names + 1] = option[1] end
  end
  wrong("%s", ("unknown option --%s"):format(name) .. require("nearest").question(name, names, ": ", "--"))
end


--- Returns the next word as a value. A word that looks like an option is not one: the value was forgotten.
local function next_value(state, option)
  local word = state.words[state.at]
  if not word then wrong("%s needs a value", shown(option)) end
  local letter = word:match "^%-(%a)$"
  if word:find "^%-%-%a" or letter and find(state.spec, "letter", letter) then
    wrong("%s needs a value; write %s=%s if it is this one", shown(option), shown(option), word)
  end
  state.at = state.at + 1
  return word
end


local function take(state, option, attached)
  if option[2] ~= "flag" then
    store(state.given, option, read_value(option, attached or next_value(state, option)))
  elseif attached then
    wrong("%s takes no value", shown(option))
  else
    store(state.given, option, true)
  end
end


local function take_long(state, word)
  local name, attached = word:match "^%-%-([^=]*)=(.*)$"
  name = name or word:sub(3)
  take(state, find(state.spec, 1, name) or unknown(state.spec, name), attached)
end


local function take_letters(state, word)
  local at = 2
  while at <= #word do
    local option = find(state.spec, "letter", word:sub(at, at))
    if not option then wrong("unknown option -%s", word:sub(at, at)) end
    if option[2] ~= "flag" then
      return take(state, option, at < #word and word:sub(at + 1) or nil)
    end
    take(state, option)
    at = at + 1
  end
end


--- Reads options into `given`, and words into its list.
local function read_words(state)
  local words, given, rest = state.words, state.given, state.spec.rest
  while state.at <= #words do
    local word = words[state.at]
    state.at = state.at + 1
    if word == "--" then
      table.move(words, state.at, #words, rest and 1 or #given + 1, rest and given[rest] or given)
      return
    elseif word:sub(1, 2) == "--" then
      take_long(state, word)
    elseif word:sub(1, 1) == "-" and #word > 1 then
      take_letters(state, word)
    else
      given[#given + 1] = word
    end
  end
end


-- --- arguments --------------------------------------------------------------------------------

local function take_subcommand(given, spec)
  local name = table.remove(given, 1) or spec.default
  local names = {}
  for each in pairs(spec.subcommands) do names[#names + 1] = each end
  table.sort(names)
  if not name then wrong("which subcommand? There are %s", table.concat(names, ", ")) end
  if not spec.subcommands[name] then
    local question = require("nearest").question(name, names, ": ")
    wrong("%s", ("unknown subcommand %q"):format(name)
      .. (question ~= "" and question or "; there are " .. table.concat(names, ", ")))
  end
  given.subcommand = name
  return spec.subcommands[name].arguments
end


--- Turns words into the values of the arguments, in order.
local function take_arguments(given, arguments)
  local at, last = 1, nil
  for _, argument in ipairs(arguments) do
    local other = argument.unless and given[argument.unless]
    local left = other and (type(other) ~= "table" or #other > 0)
    local named = setmetatable({ argument = true }, { __index = argument })
    if argument.repeatable then given[M.key(argument)] = {} end
    if not left and not given[at] and not argument.optional then
      wrong("%s", argument.missing or ("which %s?"):format(argument[1]))
    end
    while not left and given[at] do
      store(given, named, read_value(named, given[at]))
      at, last = at + 1, argument
      if not argument.repeatable then break end
    end
  end
  if not given[at] then return end
  if not last then wrong("it takes no argument (%q)", given[at]) end
  wrong("one %s at a time (%q)", last[1]:upper(), given[at])
end


local function defaults(given, options)
  for _, option in ipairs(options) do
    if option.repeatable then
      given[M.key(option)] = {}
    elseif option.default ~= nil then
      given[M.key(option)] = option.default
    end
  end
end


local function parse(words, spec)
  local given = {}
  defaults(given, spec.options)
  if spec.rest then given[spec.rest] = {} end
  read_words { words = words, at = 1, given = given, spec = spec }
  if given.help then return given end
  local arguments = spec.arguments
  if spec.subcommands then arguments = take_subcommand(given, spec) or {} end
  if arguments then take_arguments(given, arguments) end
  return given
end


--- Reads words by a declaration.
---@param words string[]
---@param spec options.Spec
---@return table? given  values by name ("dry-run" is given.dry_run), and the words
---@return string? message  what is wrong
function M.parse(words, spec)
  local ok, given = pcall(parse, words, spec)
  if ok then return given end
  if type(given) ~= "table" or not given.wrong then error(given, 0) end
  return nil, given.wrong
end


-- --- scripts --------------------------------------------------------------------------------------

local HELP = { "help", "flag", "show this help", letter = "h" }


---@class options.Script
---@field usage string
---@field about string
---@field arguments? options.Argument[]
---@field [integer] options.Option

--- Reads a script's arguments; prints its help, or what is wrong.
---@param args string[]
---@param spec options.Script
---@param say? fun(line: string)  prints help and errors; default print
---@return table? given
---@return integer? status  without given: 0 if help was requested and printed, 2 if an error was reported
function M.read(args, spec, say)
  say = say or print
  local list = table.move(spec, 1, #spec, 1, {})
  list[#list + 1] = HELP
  local given, message = M.parse(args, { options = list, arguments = spec.arguments })
  if not given then
    say(message .. "\nRun it with --help for its options.")
    return nil, 2
  end
  if not given.help then return given end
  for _, line in ipairs(require("terminal.option_help").script(spec, list)) do say(line) end
  return nil, 0
end


return M
