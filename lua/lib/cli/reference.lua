--- The reference of all tools, in Markdown: docs/tools.md. The same tools give the same text.

local engine     = require "sys.engine"
local files      = require "sys.files"
local parameters = require "cli.parameters"
local showing    = require "cli.showing"
local text       = require "cli.text"

local M = {}

local RESULT_WIDTH = 160  -- of an example's result that is shown


--- Text in which nothing is taken for HTML; code between backticks stays as it is.
local function prose(words)
  local parts, code = {}, false
  for part, tick in words:gmatch "([^`]*)(`?)" do
    parts[#parts + 1] = (code and part or part:gsub("&", "&amp;"):gsub("<", "&lt;")) .. tick
    if tick ~= "" then code = not code end
  end
  return table.concat(parts)
end


--- Text within a cell of a table.
local function cell(words)
  return (prose(words):gsub("%s*\n%s*", " "):gsub("|", "\\|"))
end


local function row(...)
  print("| " .. table.concat({ ... }, " | ") .. " |")
end


local function parameter_table(rows)
  print()
  if #rows == 0 then return print "No parameters." end
  row("parameter", "type", "default", "limits", "")
  row("---", "---", "---", "---", "---")
  for _, parameter in ipairs(rows) do
    local default = parameter.default and "`" .. parameter.default:gsub("|", "\\|") .. "`" or ""
    if parameter.required then default = "*required*" end
    row("`" .. parameter.name .. "`", cell(parameter.type), default, cell(table.concat(parameter.limits, ", ")),
      cell(parameter.description))
  end
end


local function result_table(rows)
  if #rows == 0 then return end
  print()
  row("result", "type", "")
  row("---", "---", "---")
  for _, field in ipairs(rows) do
    local limits = table.concat(field.limits, ", ")
    row("`" .. field.name .. "`" .. (field.required and "" or " (optional)"),
      cell(field.type .. (limits == "" and "" or ", " .. limits)), cell(field.description))
  end
end


local function code_table(codes)
  local names, told = {}, false
  for i, code in ipairs(codes) do names[i], told = "`" .. code[1] .. "`", told or code[2] ~= "" end
  if #codes == 0 then return end
  print()
  if not told then return print("Codes of failures: " .. table.concat(names, ", ") .. ".") end
  row("code of a failure", "")
  row("---", "---")
  for i, code in ipairs(codes) do row(names[i], cell(code[2])) end
end


local function example_block(tool, names)
  local examples = showing.examples(tool)
  if #examples == 0 then return end
  print()
  print "```sh"
  for i, example in ipairs(examples) do
    local ending = showing.ending(example):gsub("%s*\n%s*", " ")
    if i > 1 then print() end
    print("# " .. tostring(example[1]))
    print(showing.command(tool, example.args or {}, names))
    if ending ~= "" then print("#> " .. text.cut(ending, RESULT_WIDTH)) end
  end
  print "```"
end


local function one_tool(tool)
  local names = files.parameters(tool.name)
  local hints = showing.hints(tool)
  print()
  print("### " .. tool.name)
  print()
  print(prose(tool.description))
  parameter_table(parameters.rows(tool.inputSchema, names))
  if tool.outputSchema then result_table(parameters.rows(tool.outputSchema)) end
  code_table(showing.codes(tool))
  example_block(tool, names)
  if tool.aliases then hints = hints .. "; also called " .. table.concat(tool.aliases, ", ") end
  print()
  print("*" .. hints:gsub("^%l", string.upper) .. ".*")
end


local function contents(groups)
  print()
  row("toolset", "tools")
  row("---", "---")
  for _, group in ipairs(groups) do
    local links = {}
    for i, tool in ipairs(group) do links[i] = ("[%s](#%s)"):format(tool.name, tool.name:lower()) end
    row(("[%s](#%s)"):format(group.toolset, group.toolset), table.concat(links, ", "))
  end
end


function M.write()
  local groups = showing.by_toolset(engine.tools())
  print "# Tools"
  print()
  print "Written by `perigee tools --markdown` from the tools themselves; `make docs` renews it. Each can be called with"
  print "`perigee call`, from a script as a function of `tools`, and by an MCP client. Points are the desktop's, with the origin"
  print "at the top left of the main display."
  contents(groups)
  for _, group in ipairs(groups) do
    print()
    print("## " .. group.toolset)
    for _, tool in ipairs(group) do one_tool(tool) end
  end
end


return M
