--- One tool in detail: what it does, its parameters, result, codes and examples.

local files      = require "sys.files"
local find       = require "cli.find"
local parameters = require "cli.parameters"
local showing    = require "cli.showing"
local text       = require "terminal.text"

local M = {}


---@param tool sys.engine.Tool
---@param io perigee.IO
function M.print(tool, io)
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
  if tool.trust then io:print(bold "Trust   " .. "  foreign: it runs in a process of its own, which is shut in") end
  if tool.aliases then io:print(bold "Aliases " .. "  " .. table.concat(tool.aliases, ", ")) end
  io:print(bold "Hints   " .. "  " .. showing.hints(tool))
  io:print(bold "File    " .. "  " .. tool.file)
end


--- Answers --help behind the name of a tool.
---@param name string
---@param io perigee.IO
---@return integer? status
---@return string? err
---@return string? code
function M.help(name, io)
  local tool, err, code = find.tool(name)
  if not tool then return nil, err, code end
  M.print(tool, io)
  io:print(("\nThe options of `perigee %s` itself: perigee %s --help"):format(io.name, io.name))
  return 0
end


return M
