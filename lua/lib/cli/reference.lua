--- The reference of all tools, in Markdown: docs/tools.md. The same tools give the same text.

local engine     = require "sys.engine"
local files      = require "sys.files"
local parameters = require "cli.parameters"
local showing    = require "cli.showing"
local text       = require "terminal.text"

local M = {}

local RESULT_WIDTH = 160  -- characters of an example's result that are shown
local SHARED       = 3    -- if so many tools of a toolset explain a failure alike, it is explained once


--- Escapes text so that none of it is HTML; code between backticks stays as it is.
local function prose(words)
  local parts, code = {}, false
  for part, tick in words:gmatch "([^`]*)(`?)" do
    parts[#parts + 1] = (code and part or part:gsub("&", "&amp;"):gsub("<", "&lt;")) .. tick
    if tick ~= "" then code = not code end
  end
  return table.concat(parts)
end


--- Escapes text for a cell of a table.
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


local function code_rows(out, heading, codes)
  out ""
  row(out, heading, "")
  row(out, "---", "---")
  for _, code in ipairs(codes) do row(out, "`" .. code[1] .. "`", cell(code[2])) end
end


--- Counts how many tools explain a code with the same words: code -> words -> count.
local function explanations(group)
  local counts = {}
  for _, tool in ipairs(group) do
    for _, code in ipairs(showing.codes(tool)) do
      local words = counts[code[1]] or {}
      counts[code[1]], words[code[2]] = words, (words[code[2]] or 0) + 1
    end
  end
  return counts
end


--- The words with which most tools explain a code, if at least SHARED do.
local function most_common(words)
  local found, most
  for meaning, count in pairs(words) do
    local more = not most or count > most or count == most and meaning < found
    if count >= SHARED and meaning ~= "" and more then found, most = meaning, count end
  end
  return found
end


--- The codes that several tools of a toolset explain with the same words: code -> words.
local function shared_codes(group)
  local shared = {}
  for code, words in pairs(explanations(group)) do shared[code] = most_common(words) end
  return shared
end


local function sorted_codes(shared)
  local list = {}
  for code, words in pairs(shared) do list[#list + 1] = { code, words } end
  table.sort(list, function(one, other) return one[1] < other[1] end)
  return list
end


local function tool_codes(out, tool, shared)
  local own, known, told = {}, {}, false
  for _, code in ipairs(showing.codes(tool)) do
    if shared[code[1]] == code[2] then
      known[#known + 1] = "`" .. code[1] .. "`"
    else
      own[#own + 1], told = code, told or code[2] ~= ""
    end
  end
  if told then
    code_rows(out, "code of a failure", own)
  else
    for _, code in ipairs(own) do known[#known + 1] = "`" .. code[1] .. "`" end
  end
  if #known == 0 then return end
  out ""
  out(("%s: %s."):format(told and "Further failures" or "Failures", table.concat(known, ", ")))
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


local function one_tool(out, tool, shared)
  local names = files.parameters(tool.name)
  local hints = showing.hints(tool)
  out ""
  out("### " .. tool.name)
  out ""
  out(prose(tool.description))
  parameter_table(out, parameters.rows(tool.inputSchema, names))
  if tool.outputSchema then result_table(out, parameters.rows(tool.outputSchema)) end
  tool_codes(out, tool, shared)
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
    local shared = shared_codes(group)
    if next(shared) then code_rows(out, "failure of several of these tools", sorted_codes(shared)) end
    for _, tool in ipairs(group) do one_tool(out, tool, shared) end
  end
end


return M
