--- What a command declares of itself (perigee.Command in lua/types/perigee.lua), checked and made complete.

local files   = require "sys.files"
local nearest = require "nearest"
local options = require "options"

local M = {}

local FIELDS = {
  option = {
    letter = "string", value = "string", minimum = "number", maximum = "number", enum = "table", repeatable = "boolean",
    default = "any", absent = "string",
  },
  argument = {
    value = "string", minimum = "number", maximum = "number", enum = "table", repeatable = "boolean", optional = "boolean",
    missing = "string", unless = "string",
  },
  subcommand = { summary = "string", arguments = "table", run = "function", usage = "table" },
}


-- --- checking --------------------------------------------------------------------------

local function check_fields(item, kind, what, add)
  local known, names = FIELDS[kind], {}
  for name in pairs(known) do names[#names + 1] = name end
  table.sort(names)
  for key, value in pairs(item) do
    local is_place = kind ~= "subcommand" and math.type(key) == "integer" and key >= 1 and key <= 3
    if not is_place and not known[key] then
      add("%s: unknown field %q%s", what, tostring(key), nearest.question(tostring(key), names, ": "))
    elseif not is_place and known[key] ~= "any" and type(value) ~= known[key] then
      add("%s: %s must be a %s, not a %s", what, key, known[key], type(value))
    end
  end
end


local function check_item(item, kind, place, add)
  if type(item) ~= "table" then return add("%s must be a table { name, type, description }", place) end
  local what = type(item[1]) == "string" and ("%s %q"):format(kind, item[1]) or place
  local types = {}
  for name in pairs(options.TYPES) do types[#types + 1] = name end
  table.sort(types)
  if type(item[1]) ~= "string" and (kind == "argument" or type(item.letter) ~= "string") then
    add("%s has no name", what)
  elseif item[1] and not tostring(item[1]):find "^%w[%w_-]*$" then
    add("%s: a name is of letters, digits and dashes", what)
  end
  if not options.TYPES[item[2]] then
    add("%s: unknown type %q%s", what, tostring(item[2]), nearest.question(tostring(item[2]), types, ": "))
  end
  if item[3] ~= nil and type(item[3]) ~= "string" then add("%s: its description must be a string", what) end
  if item.letter ~= nil and not tostring(item.letter):find "^%w$" then add("%s: letter must be one letter or digit", what) end
  check_fields(item, kind, what, add)
end


local function check_list(list, kind, add)
  local seen = {}
  for i, item in ipairs(list or {}) do
    check_item(item, kind, ("%s %d"):format(kind, i), add)
    if type(item) == "table" then
      for _, name in ipairs { item[1] or false, item.letter or false } do
        if name and seen[name] then add("two %ss are called %q", kind, name) end
        seen[name] = true
      end
    end
  end
end


local function check_subcommands(command, add)
  for name, subcommand in pairs(command.subcommands) do
    local what = ("subcommand %q"):format(tostring(name))
    if type(subcommand) ~= "table" then
      add("%s must be a table", what)
    else
      check_fields(subcommand, "subcommand", what, add)
      if not subcommand.summary then add("%s has no summary", what) end
      if not subcommand.run and not command.run then add("%s has no run", what) end
      check_list(subcommand.arguments, "argument", function(...) add(what .. ": " .. (...), select(2, ...)) end)
    end
  end
  if command.default and not command.subcommands[command.default] then
    add("default: there is no subcommand %q", command.default)
  end
end


--- What is wrong with what a command file returned; the names of its fields and their types were checked when it was loaded.
---@param command perigee.Command
---@param common options.Option[]  the options of every command
---@return string[] problems
function M.check(command, common)
  local problems, taken = {}, {}
  local function add(message, ...) problems[#problems + 1] = message:format(...) end
  check_list(command.options, "option", add)
  check_list(command.arguments, "argument", add)
  for _, option in ipairs(common) do taken[option[1]], taken[option.letter or false] = true, true end
  for _, option in ipairs(command.options or {}) do
    local given = type(option) == "table" and option or {}
    for _, name in ipairs { given[1] or false, given.letter or false } do
      if name and taken[name] then add("option %q: every command has an option of this name", name) end
    end
  end
  if command.subcommands then
    check_subcommands(command, add)
  elseif not command.run then
    add "it has neither run nor subcommands"
  end
  return problems
end


-- --- one declaration -----------------------------------------------------------------------

local function word_of(argument)
  local word = argument.value or argument.enum and table.concat(argument.enum, "|") or argument[1]:upper():gsub("_", "-")
  return word .. (argument.repeatable and "..." or "")
end


--- "FILE [NAME]..."
---@param arguments? options.Argument[]
---@return string
local function words_of(arguments)
  local words = {}
  for i, argument in ipairs(arguments or {}) do
    local word = word_of(argument)
    if argument.optional then word = "[" .. word:gsub("%.%.%.$", "") .. "]" .. (argument.repeatable and "..." or "") end
    words[i] = " " .. word
  end
  return table.concat(words)
end


--- Names in the order in which they are shown.
---@param command perigee.Command
---@return string[]
function M.subcommand_names(command)
  local names = {}
  for name in pairs(command.subcommands or {}) do names[#names + 1] = name end
  table.sort(names)
  return names
end


--- The lines behind "perigee ".
---@param name string
---@param command perigee.Command
---@return string[]
local function usage_of(name, command)
  if command.usage then return command.usage end
  local tail = command.options and " [options]" or ""
  if not command.subcommands then return { name .. words_of(command.arguments) .. tail } end
  local lines = {}
  for i, verb in ipairs(M.subcommand_names(command)) do
    local shown = verb == command.default and "[" .. verb .. "]" or verb
    lines[i] = ("%s %s%s%s"):format(name, shown, words_of(command.subcommands[verb].arguments), tail)
  end
  return lines
end


---@class cli.Declaration: perigee.Command
---@field name string
---@field usage string[]
---@field native? boolean  it is C
---@field path? string     of its file

--- With a usage and a name, which the file need not say.
---@param name string
---@param command perigee.Command
---@return cli.Declaration
function M.complete(name, command)
  return setmetatable({ name = name, usage = usage_of(name, command) }, { __index = command })
end


---@param host cli.Host
---@param name string
---@return cli.Declaration?
---@return string? err
---@return string? code
function M.find(host, name)
  for _, native in ipairs(host.native()) do
    if native.name == name then return native end
  end
  local command, err, code = files.table("command", name)
  if not command then return nil, err, code end
  return M.complete(name, command)
end


--- Every command: those in C, and the files of all roots that count, by name. What does not load is left out.
---@param host cli.Host
---@return cli.Declaration[]
function M.all(host)
  local list, seen = {}, {}
  for _, native in ipairs(host.native()) do list[#list + 1], seen[native.name] = native, true end
  for _, file in ipairs(files.list()) do
    if file.kind == "command" and not file.overridden_by and not seen[file.name] then
      local command = files.table("command", file.name)
      if command and not command.hidden then
        local made = M.complete(file.name, command)
        made.path = file.path
        list[#list + 1] = made
      end
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end


--- What options.parse() needs for a command: its own options and those that every command has.
---@param command perigee.Command
---@param common options.Option[]
---@return options.Spec
function M.spec(command, common)
  local list, reserved = {}, {}
  table.move(command.options or {}, 1, #(command.options or {}), 1, list)
  for _, option in ipairs(common) do
    list[#list + 1] = option
    if option[2] ~= "flag" or not option.letter then reserved[option[1]] = true end
  end
  return { options = list, arguments = command.arguments or {}, subcommands = command.subcommands, default = command.default,
    rest = command.rest, reserved = reserved }
end


return M
