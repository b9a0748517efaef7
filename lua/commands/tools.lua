--- perigee tools: prints the list of tools, one of them in detail, or a reference of all in Markdown; generates tools from an
--- application's dictionary.

local detail     = require "cli.detail"
local engine     = require "sys.engine"
local find       = require "cli.find"
local generate   = require "cli.generate"
local json       = require "sys.json"
local reference  = require "cli.reference"
local showing    = require "cli.showing"
local text       = require "terminal.text"

local NAME_WIDTH = 28  -- longer names do not push the descriptions further right


local function list(io)
  local tools = engine.tools()
  local width = 0
  for _, tool in ipairs(tools) do width = math.max(width, math.min(text.width(tool.name), NAME_WIDTH)) end
  for i, group in ipairs(showing.by_toolset(tools)) do
    if i > 1 then io:print "" end
    io:print(text.paint(io.color, "bold", group.toolset))
    for _, tool in ipairs(group) do
      local used = 4 + math.max(width, text.width(tool.name))
      local summary = (tool.trust and "[foreign] " or "") .. text.summary(tool.description)
      io:print(("  %s  %s"):format(text.paint(io.color, "cyan", text.pad(tool.name, width)),
        text.cut(summary, io.width and io.width - used)))
    end
  end
end


local function run(args, io)
  if args.name == "generate" and #args.commands > 0 then return generate.run(args, io) end
  if #args.commands > 0 then return nil, ("there is nothing to do with '%s'"):format(args.commands[1]), "usage" end
  if args.force then return nil, "--force is for `perigee tools generate`", "usage" end
  if args.markdown and (args.name or args.json) then
    return nil, "--markdown writes all tools; it takes no name and no --json", "usage"
  end
  if args.markdown then return reference.write(io) end
  local tool, err, code
  if args.name then
    tool, err, code = find.tool(args.name)
    if not tool and args.name == "generate" then
      return nil, "generate needs an application: its ID or name. `perigee call discover_apps` lists them", "usage"
    end
    if not tool then return nil, err, code end
  end
  if args.json then
    io:json(tool or json.array(engine.tools()))
  elseif tool then
    detail.print(tool, io)
  else
    list(io)
  end
end


---@type perigee.Command
return {
  summary     = "list the tools, show one of them, or generate some for an application",
  usage       = { "tools [NAME] [options]", "tools generate APP [COMMAND...] [options]" },
  description = "Lists the tools by toolset, a line each. With NAME shows one tool with its parameters, examples and file.\n\n"
             .. "tools generate writes a tool file for each COMMAND in the dictionary of an application (default: for all), into "
             .. "the directory for files of your own. APP is its ID or name (`perigee call discover_apps` lists them). A file "
             .. "that exists is left as it is.",
  arguments   = {
    { "name", "tool", "the tool to show, by its name or an alias; or generate", optional = true },
    { "commands", "string", "generate: the application, then its commands", value = "APP [COMMAND", optional = true,
      repeatable = true },
  },
  options     = {
    { "force", "flag", "generate: replace files that exist" },
    { "json", "flag", "print JSON: a list of all definitions, or with NAME one object" },
    { "markdown", "flag", "print a reference of all tools in Markdown" },
  },
  stoppable   = false,
  run         = run,

  examples = {
    { "lists tools by toolset", args = {}, out = "zoo\n  feed   Put food before an animal.\n  water  Give it to drink.\n",
      given = { ["sys.engine.tools"] = {
        { name = "feed", toolset = "zoo", description = "Put food before an animal. It eats." },
        { name = "water", toolset = "zoo", description = "Give it to drink." } } } },
    { "marks foreign tools", args = {}, out = "foreign\n  feed  [foreign] Put food before an animal.\n",
      given = { ["sys.engine.tools"] = {
        { name = "feed", toolset = "foreign", trust = "foreign", description = "Put food before an animal." } } } },
    { "names the nearest", args = { "fed" }, status = 2, err = "there is no tool 'fed'; did you mean feed?",
      given = { ["sys.engine.tools"] = { { name = "feed", toolset = "zoo" } }, ["sys.engine.tool"] = { n = 0 },
                ["sys.files.table"] = { n = 0 } } },
    { "generates for an application only", args = { "generate" }, status = 2, err = "generate needs an application",
      given = { ["sys.engine.tools"] = {}, ["sys.engine.tool"] = { n = 0 }, ["sys.files.table"] = { n = 0 } } },
    { "generates a tool for a command", args = { "generate", "Notes", "show" },
      given = { ["sys.engine.status"] = { roots = { "/usr/share/perigee/lua", "/mine" } },
                ["dictionary.library.find"] = { id = "com.example.Notes", name = "Notes", version = "1", source = "sdef" },
                ["dictionary.library.model"] = { id = "com.example.Notes", name = "Notes", suites = { { name = "Notes",
                  classes = {}, enumerations = {}, commands = { { name = "show", parameters = {} } } } } } },
      out = "/mine/tools/notes/notes_show.lua\nCheck them:  perigee test notes_show\nA running server has them at once.\n" },
    { "writes all tools in Markdown and no one", args = { "feed", "--markdown" }, status = 2, err = "it takes no name" },
  },
}
