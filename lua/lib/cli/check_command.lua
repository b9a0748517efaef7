--- Checks whether the declaration of a command file can be read (perigee.Command in lua/types/perigee.lua).

local nearest     = require "nearest"
local option_help = require "terminal.option_help"

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
  subcommand = { summary = "string", arguments = "table", run = "function", help = "function", usage = "table" },
}


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
  for name in pairs(option_help.TYPES) do types[#types + 1] = name end
  table.sort(types)
  if type(item[1]) ~= "string" and (kind == "argument" or type(item.letter) ~= "string") then
    add("%s has no name", what)
  elseif item[1] and not tostring(item[1]):find "^%w[%w_-]*$" then
    add("%s: a name is of letters, digits and dashes", what)
  end
  if not option_help.TYPES[item[2]] then
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


--- Returns what is wrong with a command file's table. The names of its fields and their types were checked when it was loaded.
---@param command perigee.Command
---@param common options.Option[]  the options of every command
---@return string[] problems
function M.run(command, common)
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


return M
