--- The help text of a command or a script, from its declaration.

local declaration = require "cli.declaration"
local option_help = require "terminal.option_help"
local text        = require "terminal.text"

local M = {}

local WIDTH = 80   -- columns without a terminal, and the maximum


--- Wraps each paragraph; lines that begin with a blank stay as they are.
---@param prose string
---@param width integer
---@return string[]
function M.wrap(prose, width)
  local lines, paragraph = {}, {}
  local function flush()
    if #paragraph == 0 then return end
    local wrapped = text.wrap(table.concat(paragraph, " "), width)
    table.move(wrapped, 1, #wrapped, #lines + 1, lines)
    paragraph = {}
  end
  for line in (prose:gsub("%s+$", "") .. "\n"):gmatch "(.-)\n" do
    if line == "" or line:find "^%s" then
      flush()
      lines[#lines + 1] = line
    else
      paragraph[#paragraph + 1] = line
    end
  end
  flush()
  return lines
end


local function indented(lines)
  for i, line in ipairs(lines) do lines[i] = "  " .. line end
  return lines
end


--- Lists options in one line: "--root DIR, --quiet, ..."
local function named(list)
  local names = {}
  for i, option in ipairs(list) do
    local letter, value = option.letter and "-" .. option.letter .. "|" or "", option_help.value(option)
    names[i] = letter .. "--" .. option[1] .. (value and "\u{a0}" .. value or "")
  end
  return table.concat(names, ", ")
end


---@param declared cli.Declaration
---@param common options.Option[]
---@param columns? integer  the width of the terminal
---@return string[] lines
function M.lines(declared, common, columns)
  local width = math.min(columns or WIDTH, WIDTH)
  local lines = {}
  local function add(more) table.move(more, 1, #more, #lines + 1, lines) end
  local function part(title, more)
    if #more == 0 then return end
    lines[#lines + 1] = ""
    if title then lines[#lines + 1] = title end
    add(more)
  end

  for i, usage in ipairs(declared.usage) do
    lines[i] = (i == 1 and "usage: perigee " or "       perigee ") .. usage
  end
  part(nil, M.wrap(declared.description or declared.summary:gsub("^%l", string.upper) .. ".", width))
  local rows = {}
  for _, name in ipairs(declaration.subcommand_names(declared)) do
    local row = option_help.row("  " .. name, declared.subcommands[name].summary, 14, width)
    table.move(row, 1, #row, #rows + 1, rows)
  end
  part("Subcommands:", rows)
  part("Options:", option_help.option_lines(declared.options or {}, width))
  if declared.name == "help" then
    part("Options of every command:", option_help.option_lines(common, width))
  else
    part("Options of every command (see `perigee help help`):", indented(text.wrap(named(common), width - 2)))
  end
  if declared.notes then part(nil, M.wrap(declared.notes, width)) end
  return lines
end


return M
