--- perigee tools: the list of tools, one of them in detail, or a reference of all in Markdown.

local engine     = require "sys.engine"
local files      = require "sys.files"
local find       = require "cli.find"
local json       = require "sys.json"
local parameters = require "cli.parameters"
local reference  = require "cli.reference"
local showing    = require "cli.showing"
local text       = require "cli.text"

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
      io:print(("  %s  %s"):format(text.paint(io.color, "cyan", text.pad(tool.name, width)),
        text.cut(text.summary(tool.description), io.width and io.width - used)))
    end
  end
end


-- --- one tool ------------------------------------------------------------------

local function detail(tool, io)
  local width = math.min(io.width or 100, 100)
  local names = files.parameters(tool.name)

  local function bold(word) return text.paint(io.color, "bold", word) end
  local function block(indent, words)
    for _, line in ipairs(text.wrap(words, width - #indent)) do io:print(indent .. line) end
  end

  io:print(bold(tool.name) .. (tool.title and " - " .. text.clean(tool.title) or ""))
  io:print ""
  block("", tool.description)
  io:print ""
  local rows = parameters.rows(tool.inputSchema, names)
  io:print(bold(#rows == 0 and "No parameters" or "Parameters"))
  for _, row in ipairs(rows) do
    local about = table.concat({ row.type, table.unpack(row.about) }, ", ")
    io:print(("  %s  %s"):format(text.paint(io.color, "cyan", row.name), about))
    if row.description ~= "" then block("      ", row.description) end
  end
  if tool.outputSchema then
    io:print ""
    io:print(bold "Result")
    for _, row in ipairs(parameters.rows(tool.outputSchema)) do
      io:print(("  %s  %s"):format(text.paint(io.color, "cyan", row.name), row.type))
      if row.description ~= "" then block("      ", row.description) end
    end
  end
  local codes = showing.codes(tool)
  if #codes > 0 then
    io:print ""
    io:print(bold "Codes of failures")
    for _, code in ipairs(codes) do
      io:print("  " .. text.paint(io.color, "cyan", code[1]))
      if code[2] ~= "" then block("      ", code[2]) end
    end
  end
  local examples = showing.examples(tool)
  if #examples > 0 then
    io:print ""
    io:print(bold "Examples")
    for _, example in ipairs(examples) do
      io:print("  " .. text.paint(io.color, "dim", "# " .. tostring(example[1])))
      io:print("  " .. showing.command(tool, example.args or {}, names))
      local ending = showing.ending(example)
      if ending ~= "" then io:print("    " .. text.cut(ending:gsub("\n", "\\n"), width - 4)) end
    end
  end
  io:print ""
  io:print(bold "Toolset " .. "  " .. tool.toolset)
  if tool.aliases then io:print(bold "Aliases " .. "  " .. table.concat(tool.aliases, ", ")) end
  io:print(bold "Hints   " .. "  " .. showing.hints(tool))
  io:print(bold "File    " .. "  " .. tool.file)
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
    detail(tool, io)
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
    { "names the nearest", args = { "fed" }, status = 2, err = "there is no tool 'fed'; did you mean feed?",
      given = { ["sys.engine.tools"] = { { name = "feed", toolset = "zoo" } }, ["sys.engine.tool"] = { n = 0 },
                ["sys.files.table"] = { n = 0 } } },
    { "writes all tools in Markdown and no one", args = { "feed", "--markdown" }, status = 2, err = "it takes no name" },
  },
}
