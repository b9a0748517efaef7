--- perigee help NAME. The bare list is printed by C, which needs no Lua for it.

local declaration = require "cli.declaration"
local help        = require "cli.help"
local json        = require "sys.json"
local man         = require "cli.man"
local nearest     = require "nearest"


--- Options or arguments with their fields by name; what is not shown is left out.
local function named(list)
  local items = json.array()
  for _, item in ipairs(list or {}) do
    if item[3] then
      local fields = { name = item[1], type = item[2], description = item[3] }
      for key, value in pairs(item) do
        if type(key) == "string" then fields[key] = value end
      end
      items[#items + 1] = fields
    end
  end
  return items
end


---@param declared cli.Declaration
local function described(declared)
  local subcommands
  for _, name in ipairs(declaration.subcommand_names(declared)) do
    local subcommand = declared.subcommands[name]
    subcommands = subcommands or {}
    subcommands[name] = { summary = subcommand.summary, arguments = named(subcommand.arguments) }
  end
  return {
    name = declared.name, summary = declared.summary, description = declared.description, usage = declared.usage,
    options = named(declared.options), arguments = named(declared.arguments), subcommands = subcommands, notes = declared.notes,
    file = declared.path, native = declared.native or false,
  }
end


local function names_of(all)
  local names = {}
  for i, declared in ipairs(all) do names[i] = declared.name end
  return names
end


---@type perigee.Command
return {
  summary     = "show the list of commands, or how one is used",
  description = "Without COMMAND lists every command: those of the program and your own, which are Lua files in "
             .. "~/.config/perigee/commands and in the directory commands/ of each --root.",
  arguments   = { { "command", "command", "the command to explain", optional = true } },
  options     = {
    { "json", "flag", "print JSON: a list of all commands with their options, or one object" },
    { "man", "flag" }, -- for `make docs`: the manual page from stdin, with the parts that are declared here written anew
  },
  stoppable   = false,

  run = function(args, io)
    if args.man then
      io:write(man.renew(io:read "-", declaration.all(io.host), io.common))
      return 0
    end
    if not args.command then
      local list = {}
      for i, declared in ipairs(declaration.all(io.host)) do
        list[i] = described(declared)
        if not args.json then io:print(("  %-12s %s"):format(declared.name, declared.summary)) end
      end
      if args.json then io:json(list) end
      return 0
    end
    local declared, err, code = declaration.find(io.host, args.command)
    if not declared and code == "not_found" then
      local question = nearest.question(args.command, names_of(declaration.all(io.host)), ": ")
      return nil, ("unknown command %q%s"):format(args.command, question), "usage"
    end
    if not declared then return nil, err, code end
    if args.json then
      io:json(described(declared))
    else
      io:print(table.concat(help.lines(declared, io.common, io.width), "\n"))
    end
    return 0
  end,

  examples = {
    { "explains a command", args = { "help" }, has = { "usage: perigee help [COMMAND] [options]", "--json" },
      given = { ["sys.files.table"] = { summary = "x", arguments = { { "command", "command", optional = true } },
                                        options = { { "json", "flag", "y" } } } } },
    { "names the nearest", args = { "docter" }, status = 2, err = 'unknown command "docter": did you mean doctor?',
      given = { ["sys.files.table"] = function(_, name)
                  if name == "doctor" then return { summary = "x" } end
                  return nil, "there is none", "not_found"
                end,
                ["sys.files.list"] = { { kind = "command", name = "doctor", path = "/commands/doctor.lua" } } } },
  },
}
