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


local function row(out, ...)
  out("| " .. table.concat({ ... }, " | ") .. " |")
end


local function parameter_table(out, rows)
  out ""
  if #rows == 0 then return out "No parameters." end
  row(out, "parameter", "type", "default", "limits", "")
  row(out, "---", "---", "---", "---", "---")
  for _, parameter in ipairs(rows) do
    local default = parameter.default and "`" .. parameter.default:gsub("|", "\\|") .. "`" or ""
    if parameter.required then default = "*required*" end
    row(out, "`" .. parameter.name .. "`", cell(parameter.type), default, cell(table.concat(parameter.limits, ", ")),
      cell(parameter.description))
  end
end


local function result_table(out, rows)
  if #rows == 0 then return end
  out ""
  row(out, "result", "type", "")
  row(out, "---", "---", "---")
  for _, field in ipairs(rows) do
    local limits = table.concat(field.limits, ", ")
    row(out, "`" .. field.name .. "`" .. (field.required and "" or " (optional)"),
      cell(field.type .. (limits == "" and "" or ", " .. limits)), cell(field.description))
  end
end


local function code_table(out, codes)
  local names, told = {}, false
  for i, code in ipairs(codes) do names[i], told = "`" .. code[1] .. "`", told or code[2] ~= "" end
  if #codes == 0 then return end
  out ""
  if not told then return out("Codes of failures: " .. table.concat(names, ", ") .. ".") end
  row(out, "code of a failure", "")
  row(out, "---", "---")
  for i, code in ipairs(codes) do row(out, names[i], cell(code[2])) end
end


local function example_block(out, tool, names)
  local examples = showing.examples(tool)
  if #examples == 0 then return end
  out ""
  out "```sh"
  for i, example in ipairs(examples) do
    local ending = showing.ending(example):gsub("%s*\n%s*", " ")
    if i > 1 then out "" end
    out("# " .. tostring(example[1]))
    out(showing.command(tool, example.args or {}, names))
    if ending ~= "" then out("#> " .. text.cut(ending, RESULT_WIDTH)) end
  end
  out "```"
end


local function one_tool(out, tool)
  local names = files.parameters(tool.name)
  local hints = showing.hints(tool)
  out ""
  out("### " .. tool.name)
  out ""
  out(prose(tool.description))
  parameter_table(out, parameters.rows(tool.inputSchema, names))
  if tool.outputSchema then result_table(out, parameters.rows(tool.outputSchema)) end
  code_table(out, showing.codes(tool))
  example_block(out, tool, names)
  if tool.aliases then hints = hints .. "; also called " .. table.concat(tool.aliases, ", ") end
  out ""
  out("*" .. hints:gsub("^%l", string.upper) .. ".*")
end


local function contents(out, groups)
  out ""
  row(out, "toolset", "tools")
  row(out, "---", "---")
  for _, group in ipairs(groups) do
    local links = {}
    for i, tool in ipairs(group) do links[i] = ("[%s](#%s)"):format(tool.name, tool.name:lower()) end
    row(out, ("[%s](#%s)"):format(group.toolset, group.toolset), table.concat(links, ", "))
  end
end


---@param io perigee.IO
function M.write(io)
  local function out(line) io:print(line) end
  local groups = showing.by_toolset(engine.tools())
  out "# Tools"
  out ""
  out "Written by `perigee tools --markdown` from the tools themselves; `make docs` renews it. Each can be called with"
  out "`perigee call`, from a script as a function of `tools`, and by an MCP client. Points are the desktop's, with the origin"
  out "at the top left of the main display."
  contents(out, groups)
  for _, group in ipairs(groups) do
    out ""
    out("## " .. group.toolset)
    for _, tool in ipairs(group) do one_tool(out, tool) end
  end
end


return M
