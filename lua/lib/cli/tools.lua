--- What `perigee tools` prints: the list of tools, one of them in detail, or a reference of all in Markdown.

local engine     = require "sys.engine"
local files      = require "sys.files"
local parameters = require "cli.parameters"
local reference  = require "cli.reference"
local showing    = require "cli.showing"
local text       = require "cli.text"

local M = {}

local NAME_WIDTH = 28  -- longer names do not push the descriptions further right


local function list(options)
  local tools = engine.tools()
  local width = 0
  for _, tool in ipairs(tools) do width = math.max(width, math.min(text.width(tool.name), NAME_WIDTH)) end
  for i, group in ipairs(showing.by_toolset(tools)) do
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

local function detail(options)
  local tool = engine.tool(options.name)
  local width = math.min(options.width or 100, 100)
  local names = files.parameters(tool.name)

  local function bold(word) return text.paint(options.colour, "bold", word) end
  local function block(indent, words)
    for _, line in ipairs(text.wrap(words, width - #indent)) do print(indent .. line) end
  end

  print(bold(tool.name) .. (tool.title and " - " .. text.clean(tool.title) or ""))
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
  local codes = showing.codes(tool)
  if #codes > 0 then
    print()
    print(bold "Codes of failures")
    for _, code in ipairs(codes) do
      print("  " .. text.paint(options.colour, "cyan", code[1]))
      if code[2] ~= "" then block("      ", code[2]) end
    end
  end
  local examples = showing.examples(tool)
  if #examples > 0 then
    print()
    print(bold "Examples")
    for _, example in ipairs(examples) do
      print("  " .. text.paint(options.colour, "dim", "# " .. tostring(example[1])))
      print("  " .. showing.command(tool, example.args or {}, names))
      local ending = showing.ending(example)
      if ending ~= "" then print("    " .. text.cut(ending:gsub("\n", "\\n"), width - 4)) end
    end
  end
  print()
  print(bold "Toolset " .. "  " .. tool.toolset)
  if tool.aliases then print(bold "Aliases " .. "  " .. table.concat(tool.aliases, ", ")) end
  print(bold "Hints   " .. "  " .. showing.hints(tool))
  print(bold "File    " .. "  " .. tool.file)
end


---@class cli.tools.Options
---@field name? string      one tool, by name or alias
---@field markdown boolean
---@field colour boolean
---@field width? integer    columns; nil: no terminal

---@param options cli.tools.Options
function M.show(options)
  if options.markdown then return reference.write() end
  if options.name then return detail(options) end
  return list(options)
end


return M
