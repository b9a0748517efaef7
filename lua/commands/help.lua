--- perigee help NAME. C prints the list without NAME, because that needs no Lua.

local declaration = require "cli.declaration"
local help        = require "cli.help"
local json        = require "sys.json"
local man         = require "cli.man"
local nearest     = require "nearest"


--- Returns options or arguments with their fields by name. Hidden ones are left out.
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


--- Writes the pages of docs/lua to a directory.
local function save_reference(directory, io)
  local reference, modules = require "cli.lua_reference", require "cli.lua_modules"
  local function save(name, page)
    local saved, err, code = io:save(("%s/%s.md"):format(directory, name), page)
    if not saved then error(("%s (%s)"):format(err, code), 0) end
  end
  for _, name in ipairs(modules.names()) do save(name, reference.page(name)) end
  save("INDEX", reference.index())
  return 0
end


--- Returns the documentation of a module or a function that Lua can require; nil if there is none.
local function of_lua(name)
  local said, missing = require("stubs").named(name)
  if missing then return nil, said, "usage" end
  return said
end


---@type perigee.Command
return {
  summary     = "show the list of commands, or explain a command or a Lua function",
  description = "Without NAME lists every command: those of the program and your own, which are Lua files in "
             .. "~/.config/perigee/commands and in the directory commands/ of each --root. NAME may also be what Lua can "
             .. "require, or a function of it: `perigee help sys.window`, `perigee help sys.window.move`.",
  arguments   = { { "name", "command", "the command, module or function to explain", optional = true } },
  options     = {
    { "json", "flag", "print JSON: a list of all commands with their options, or one object" },
    { "man", "flag" }, -- for `make docs`: the manual page from stdin, with its declared parts written again
    { "lua", "directory" }, -- for `make docs`: writes the pages of docs/lua there
  },
  stoppable   = false,

  run = function(args, io)
    if args.man then
      io:write(man.renew(io:read "-", declaration.all(io.host), io.common))
      return 0
    end
    if args.lua then return save_reference(args.lua, io) end
    if not args.name then
      local list = {}
      for i, declared in ipairs(declaration.all(io.host)) do
        list[i] = described(declared)
        if not args.json then io:print(("  %-12s %s"):format(declared.name, declared.summary)) end
      end
      if args.json then io:json(list) end
      return 0
    end
    local declared, err, code = declaration.find(io.host, args.name)
    if not declared and code == "not_found" then
      local said, why, kind = of_lua(args.name)
      if said then
        io:print(said)
        return 0
      end
      local question = nearest.question(args.name, names_of(declaration.all(io.host)), ": ")
      return nil, why or ("unknown command %q%s"):format(args.name, question), kind or "usage"
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
    { "explains a command", args = { "help" }, has = { "usage: perigee help [NAME] [options]", "--json" },
      given = { ["sys.files.table"] = { summary = "x", arguments = { { "name", "command", optional = true } },
                                        options = { { "json", "flag", "y" } } } } },
    { "explains what Lua can require", args = { "zoo.feed" },
      out = "zoo.feed(animal)\n  Puts food before it.\n\n  animal  string\n\nExample\n  print(zoo.feed \"lion\")   --> fed\n",
      given = { ["sys.files.table"] = function() return nil, "there is none", "not_found" end,
                ["sys.files.list"] = {},
                ["sys.files.stub"] = function(name)
                  if name == "zoo" then
                    return "---@class zoo\nlocal zoo = {}\n--- Puts food before it.\n---@param animal string\n"
                      .. "function zoo.feed(animal) end\n"
                  end
                  if name == "examples.zoo" then return "--- feed\nprint(zoo.feed \"lion\")   --> fed\n" end
                  return nil, "no module is declared", "not_found"
                end } },
    { "names the nearest", args = { "docter" }, status = 2, err = 'unknown command "docter": did you mean doctor?',
      given = { ["sys.files.table"] = function(_, name)
                  if name == "doctor" then return { summary = "x" } end
                  return nil, "there is none", "not_found"
                end,
                ["sys.files.stub"] = function() return nil, "no module is declared", "not_found" end,
                ["sys.files.list"] = { { kind = "command", name = "doctor", path = "/commands/doctor.lua" } } } },
  },
}
