--- perigee help NAME. C prints the list without NAME, because that needs no Lua.

local declaration = require "cli.declaration"
local engine      = require "sys.engine"
local files       = require "sys.files"
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


--- Returns the documentation of a module or a function that Lua can require; nil if there is none. The name may lack "sys.".
local function of_lua(name)
  local said, missing = require("stubs").named(name)
  if missing then return nil, said, "usage" end
  if said or name:find "^sys%." then return said end
  said, missing = require("stubs").named("sys." .. name)
  if missing then return nil, said, "usage" end
  return said
end


--- Prints the list of pages.
local function list_pages(io)
  local pages, list = require "cli.pages", {}
  for i, name in ipairs(pages.names(io)) do
    list[i] = { name = name .. ".md", about = pages.title(pages.read(name, io) or "") }
  end
  if #list == 0 then return nil, "the pages are not installed beside this program", "not_found" end
  require("cli.help_search").print_rows("Pages (`perigee help NAME.md`)", list, io, #list)
  return 0
end


--- Names what else has this name.
local function print_others(name, io, is_page)
  local others = {}
  if not is_page and require("cli.pages").read(name, io) then others[#others + 1] = ("perigee help %s.md"):format(name) end
  if declaration.find(io.host, name) and engine.tool(name) then others[#others + 1] = "perigee tools " .. name end
  if declaration.find(io.host, name) and of_lua("sys." .. name) then others[#others + 1] = "perigee help sys." .. name end
  if #others > 0 then io:print("\nSee also: " .. table.concat(others, ", ")) end
end


--- Prints a tool, or a page.
---@return boolean printed
local function print_other(name, io)
  local tool = engine.tool(name)
  if tool then
    require("cli.detail").print(tool, io)
    print_others(name, io)
    return true
  end
  local page = require("cli.pages").read(name, io)
  if page then io:write(page) end
  return page ~= nil
end


--- Returns the message that nothing has these words.
local function not_found(words, io)
  local question = nearest.question(words, names_of(declaration.all(io.host)), ": ")
  if question ~= "" then return ("unknown command %q%s"):format(words, question) end
  local names = table.move(files.modules(), 1, #files.modules(), 1, {})
  for _, tool in ipairs(engine.tools()) do names[#names + 1] = tool.name end
  return ("no command, tool, Lua function or page has %q%s"):format(words, nearest.question(words, names, ": "))
end


--- Explains a name that is not a command: part of Lua, a tool, a page, or the pages that have the words.
local function explain(words, args, io)
  if words == "pages" then return list_pages(io) end
  local is_page = words:find "%.md$" ~= nil
  local said, why, code
  if not is_page then said, why, code = of_lua(words) end
  if why then return nil, why, code end
  if said then
    io:print(said)
    print_others(words, io)
    return 0
  end
  if print_other(words, io) then return 0 end
  local search = require "cli.help_search"
  local found = search.find(words, io)
  if args.json and not search.is_empty(found) then
    io:json { commands = json.array(found.commands), tools = json.array(found.tools), lua = json.array(found.lua),
              pages = json.array(found.pages) }
    return 0
  end
  if search.is_empty(found) then
    return nil, not_found(words, io), "usage"
  end
  search.print(found, io)
  return 0
end


---@type perigee.Command
return {
  summary     = "explain a command, a tool or a Lua function, or search for words",
  description = "Without NAME lists every command: those of the program and your own, which are Lua files in "
             .. "~/.config/perigee/commands and in the directory commands/ of each --root. NAME may also be what Lua can "
             .. "require, or a function of it: `perigee help sys.window`, `perigee help sys.window.move`; a tool; or a page of "
             .. "the documentation: `perigee help services.md`, `perigee help pages` for their list. Other words are searched "
             .. "for in all of these, and in the names of keys.",
  arguments   = { { "name", "command", "the command, tool, module, function or page to explain, or words to search for",
                    optional = true, repeatable = true } },
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
    if #args.name == 0 then
      local list = {}
      for i, declared in ipairs(declaration.all(io.host)) do
        list[i] = described(declared)
        if not args.json then io:print(("  %-12s %s"):format(declared.name, declared.summary)) end
      end
      if args.json then io:json(list) end
      return 0
    end
    local name = table.concat(args.name, " ")
    local declared, err, code = declaration.find(io.host, name)
    if not declared and code == "not_found" then return explain(name, args, io) end
    if not declared then return nil, err, code end
    if args.json then
      io:json(described(declared))
    else
      io:print(table.concat(help.lines(declared, io.common, io.width), "\n"))
      print_others(name, io)
    end
    return 0
  end,

  examples = {
    { "explains a command", args = { "help" }, has = { "usage: perigee help [NAME] [options]", "--json" },
      given = { ["sys.engine.status"] = { roots = { "/lua" } }, ["sys.engine.tool"] = false, ["sys.files.stub"] = false,
                ["sys.fs.read"] = false,
                ["sys.files.table"] = { summary = "x", arguments = { { "name", "command", optional = true } },
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
                ["sys.engine.tool"] = false, ["sys.engine.tools"] = {}, ["sys.engine.status"] = { roots = { "/lua" } },
                ["sys.fs.list"] = {}, ["sys.fs.read"] = false, ["sys.files.modules"] = {},
                ["sys.files.list"] = { { kind = "command", name = "doctor", path = "/commands/doctor.lua" } } } },
  },
}
