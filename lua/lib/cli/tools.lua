--- What `perigee tools` prints: the list of tools, one of them in detail, or a reference of all in Markdown.

local engine     = require "sys.engine"
local files      = require "sys.files"
local json       = require "sys.json"
local parameters = require "cli.parameters"
local text       = require "cli.text"

local M = {}

local NAME_WIDTH = 28  -- longer names do not push the descriptions further right


--- Runs of tools of one toolset.
local function by_toolset(tools)
  local groups = {}
  for _, tool in ipairs(tools) do
    local group = groups[#groups]
    if not group or group.toolset ~= tool.toolset then
      group = { toolset = tool.toolset }
      groups[#groups + 1] = group
    end
    group[#group + 1] = tool
  end
  return groups
end


local function list(options)
  local tools = engine.tools()
  local width = 0
  for _, tool in ipairs(tools) do width = math.max(width, math.min(text.width(tool.name), NAME_WIDTH)) end
  for i, group in ipairs(by_toolset(tools)) do
    if i > 1 then print() end
    print(text.paint(options.colour, "bold", group.toolset))
    for _, tool in ipairs(group) do
      local used = 4 + math.max(width, text.width(tool.name))
      print(("  %s  %s"):format(text.paint(options.colour, "cyan", text.pad(tool.name, width)),
        text.cut(text.summary(tool.description), options.width and options.width - used)))
    end
  end
end


-- --- one tool ------------------------------------------------------------------

--- A word as a shell takes it.
local function quoted(word)
  if word ~= "" and not word:find "[^%w_%-%.,:/@=+%%]" then return word end
  return "'" .. word:gsub("'", "'\\''") .. "'"
end


local function scalar(value)
  return type(value) == "string" or type(value) == "number" or type(value) == "boolean"
end


--- The `perigee call` that an example stands for.
local function command_of(tool, args, names)
  local words = { "perigee call", quoted(tool.name) }
  local properties = tool.inputSchema.properties or {}
  for _, name in ipairs(names) do
    local value = args[name]
    local declared = type(properties[name]) == "table" and properties[name].type
    if scalar(value) and (type(value) ~= "string" or declared == "string") then
      words[#words + 1] = quoted(name .. "=" .. tostring(value))
    elseif value ~= nil then
      words[#words + 1] = quoted(name .. ":=" .. (json.encode(value) or "null"))
    end
  end
  return table.concat(words, " ")
end


--- What an example ends in, on one line.
local function ending_of(example)
  if example.err then return "fails: " .. example.err end
  if type(example.want) == "string" then return example.want end
  if example.want ~= nil then return json.encode(example.want) or "" end
  return example.has and "... " .. table.concat(example.has, " ... ") .. " ..." or ""
end


local HINTS = {
  { "readOnlyHint", [true] = "only reads", [false] = "changes things" },
  { "destructiveHint", [true] = "may destroy something", [false] = "destroys nothing" },
  { "idempotentHint", [true] = "a second call changes nothing more", [false] = "every call counts" },
  { "openWorldHint", [true] = "reaches beyond this machine", [false] = "stays on this machine" },
}

local function hints_of(tool)
  local said = {}
  local reads = tool.annotations and tool.annotations.readOnlyHint
  for _, hint in ipairs(HINTS) do
    local value = tool.annotations and tool.annotations[hint[1]]
    -- What only matters for a tool that changes things is not said of one that reads.
    local moot = reads and (hint[1] == "destructiveHint" or hint[1] == "idempotentHint")
    if value ~= nil and not moot then said[#said + 1] = hint[value] end
  end
  return table.concat(said, "; ")
end


local function examples_of(tool)
  local found = files.table("tool", tool.name)
  return found and type(found.examples) == "table" and found.examples or {}
end


local function detail(options)
  local tool = engine.tool(options.name)
  local width = math.min(options.width or 100, 100)
  local names = files.parameters(tool.name)

  local function bold(word) return text.paint(options.colour, "bold", word) end
  local function block(indent, words)
    for _, line in ipairs(text.wrap(words, width - #indent)) do print(indent .. line) end
  end

  print(bold(tool.name) .. (tool.title and " - " .. tool.title or ""))
  print()
  block("", tool.description)
  print()
  local rows = parameters.rows(tool.inputSchema, names)
  print(bold(#rows == 0 and "No parameters" or "Parameters"))
  for _, row in ipairs(rows) do
    local about = table.concat({ row.type, table.unpack(row.about) }, ", ")
    print(("  %s  %s"):format(text.paint(options.colour, "cyan", row.name), about))
    if row.description ~= "" then block("      ", row.description) end
  end
  if tool.outputSchema then
    print()
    print(bold "Result")
    for _, row in ipairs(parameters.rows(tool.outputSchema)) do
      print(("  %s  %s"):format(text.paint(options.colour, "cyan", row.name), row.type))
      if row.description ~= "" then block("      ", row.description) end
    end
  end
  local examples = examples_of(tool)
  if #examples > 0 then
    print()
    print(bold "Examples")
    for _, example in ipairs(examples) do
      print("  " .. text.paint(options.colour, "dim", "# " .. tostring(example[1])))
      print("  " .. command_of(tool, example.args or {}, names))
      local ending = ending_of(example)
      if ending ~= "" then print("    " .. text.cut(ending:gsub("\n", "\\n"), width - 4)) end
    end
  end
  print()
  print(bold "Toolset " .. "  " .. tool.toolset)
  if tool.aliases then print(bold "Aliases " .. "  " .. table.concat(tool.aliases, ", ")) end
  print(bold "Hints   " .. "  " .. hints_of(tool))
  print(bold "File    " .. "  " .. tool.file)
end


-- --- the reference in Markdown -------------------------------------------------------

--- Text within a cell of a table.
local function cell(words)
  return (words:gsub("%s*\n%s*", " "):gsub("|", "\\|"))
end


local function markdown_tool(tool)
  local names = files.parameters(tool.name)
  print()
  print("### " .. tool.name)
  print()
  print(tool.description)
  local rows = parameters.rows(tool.inputSchema, names)
  if #rows > 0 then
    print()
    print "| parameter | type | |"
    print "|---|---|---|"
    for _, row in ipairs(rows) do
      local about = table.concat(row.about, ", ")
      if row.description ~= "" then about = about == "" and row.description or about .. ". " .. row.description end
      print(("| `%s` | %s | %s |"):format(row.name, cell(row.type), cell(about)))
    end
  end
  local examples = examples_of(tool)
  if #examples > 0 then
    print()
    print "```sh"
    for _, example in ipairs(examples) do
      print("# " .. tostring(example[1]))
      print(command_of(tool, example.args or {}, names))
    end
    print "```"
  end
  print()
  print("*" .. hints_of(tool) .. (tool.aliases and "; also called " .. table.concat(tool.aliases, ", ") or "") .. "*")
end


local function markdown()
  print "# Tools"
  print()
  print "Written by `perigee tools --markdown` from the tools themselves. Each can be called with `perigee call`, from"
  print "a script as a function of `tools`, and by an MCP client."
  for _, group in ipairs(by_toolset(engine.tools())) do
    print()
    print("## " .. group.toolset)
    for _, tool in ipairs(group) do markdown_tool(tool) end
  end
end


---@class cli.tools.Options
---@field name? string      one tool, by name or alias
---@field markdown boolean
---@field colour boolean
---@field width? integer    columns; nil: no terminal

---@param options cli.tools.Options
function M.show(options)
  if options.markdown then return markdown() end
  if options.name then return detail(options) end
  return list(options)
end


return M
