--- perigee tools: prints the list of tools, one of them in detail, or a reference of all in Markdown.

local detail     = require "cli.detail"
local engine     = require "sys.engine"
local find       = require "cli.find"
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
  if args.markdown and (args.name or args.json) then
    return nil, "--markdown writes all tools; it takes no name and no --json", "usage"
  end
  if args.markdown then return reference.write(io) end
  local tool, err, code
  if args.name then
    tool, err, code = find.tool(args.name)
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
  summary     = "list the tools, or show one of them",
  description = "Lists the tools by toolset, a line each. With NAME shows one tool with its parameters, examples and file.",
  arguments   = { { "name", "tool", "the tool to show, by its name or an alias", optional = true } },
  options     = {
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
    { "writes all tools in Markdown and no one", args = { "feed", "--markdown" }, status = 2, err = "it takes no name" },
  },
}
