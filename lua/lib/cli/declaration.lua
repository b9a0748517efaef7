--- A command's declaration of itself (perigee.Command in lua/types/perigee.lua), made complete.

local files = require "sys.files"

local M = {}

local function word_of(argument)
  local word = argument.value or argument.enum and table.concat(argument.enum, "|") or argument[1]:upper():gsub("_", "-")
  return word .. (argument.repeatable and "..." or "")
end


--- Shows arguments as a usage line does: " FILE [NAME]..."
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


--- The names of the subcommands, in the order in which they are shown.
---@param command perigee.Command
---@return string[]
function M.subcommand_names(command)
  local names = {}
  for name in pairs(command.subcommands or {}) do names[#names + 1] = name end
  table.sort(names)
  return names
end


--- The usage lines, without the "perigee " before each.
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
---@field native? boolean  true if it is written in C
---@field path? string     the path of its file

--- Adds a usage and a name, which the file need not have.
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


--- Returns every command by name: those in C, and the files in effect of all roots. Files that do not load are left out.
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


--- Returns the spec that options.parse() needs for a command: its own options and those that every command has.
---@param command perigee.Command
---@param common options.Option[]
---@return options.Spec
function M.spec(command, common)
  local list = {}
  table.move(command.options or {}, 1, #(command.options or {}), 1, list)
  for _, option in ipairs(common) do list[#list + 1] = option end
  return { options = list, arguments = command.arguments or {}, subcommands = command.subcommands, default = command.default,
    rest = command.rest }
end


return M
