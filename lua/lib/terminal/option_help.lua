--- Shows the options of a command or a script as lines of help.

local text = require "terminal.text"

local M = {}

local SCRIPT = 96   -- columns of a script's help
local COLUMN = 26   -- the column where descriptions begin; after longer names they begin on the next line

--- The names of values in help, by type, for options that do not name theirs.
local VALUES = {
  string = "TEXT", integer = "N", number = "N", seconds = "S", list = "A,B", file = "FILE", directory = "DIR", url = "URL",
  tool = "TOOL", toolsets = "A,B", server = "NAME", app = "NAME", command = "COMMAND", prompt = "NAME", pack = "NAME",
  tool_argument = "KEY=VALUE",
}

--- All types. The type of a value also says how it is completed.
M.TYPES = { flag = true }
for name in pairs(VALUES) do M.TYPES[name] = true end


--- Returns the name of an option's value: "FILE", "png|jpg"; nil if it has none.
---@param option options.Option
---@return string?
function M.value(option)
  if option[2] == "flag" then return nil end
  if option.value then return option.value end
  if option.enum then return table.concat(option.enum, option[2] == "list" and "," or "|") end
  return VALUES[option[2]]
end


--- Describes an option, with its default and limits.
---@param option options.Option
---@return string
function M.about(option)
  local facts = {}
  local default = option.absent or option.default
  if default ~= nil then facts[1] = "default: " .. tostring(default) end
  if option.minimum and option.minimum > 1 then facts[#facts + 1] = "minimum: " .. option.minimum end
  if option.maximum then facts[#facts + 1] = "maximum: " .. option.maximum end
  local tail = #facts > 0 and (" (%s)"):format(table.concat(facts, ", ")) or ""
  return (option[3] or "") .. (option.repeatable and "; repeatable" or "") .. tail
end


local function left_side(option, lettered)
  local letter = option.letter and "-" .. option.letter or nil
  local name = option[1] and "--" .. option[1] or nil
  local value = M.value(option)
  local both = letter and name and letter .. ", " .. name or name or letter
  return "  " .. (lettered and not letter and "    " or "") .. both .. (value and " " .. value or "")
end


--- Returns lines of at most `width` columns: `left`, and `about` beside it from `column` on.
---@param left string
---@param about string
---@param column integer
---@param width integer
---@return string[]
function M.row(left, about, column, width)
  local lines = text.wrap(about, width - column)
  local indent = (" "):rep(column)
  for i, line in ipairs(lines) do lines[i] = indent .. line end
  if text.width(left) + 2 > column then
    table.insert(lines, 1, left)
  else
    lines[1] = text.pad(left, column) .. (lines[1] or ""):sub(column + 1)
  end
  return lines
end


--- Returns the options as lines of help.
---@param list options.Option[]
---@param width integer
---@return string[]
function M.option_lines(list, width)
  local lettered, widest, lines = false, 0, {}
  for _, option in ipairs(list) do lettered = lettered or option[3] and option.letter ~= nil end
  for _, option in ipairs(list) do
    if option[3] then widest = math.max(widest, text.width(left_side(option, lettered))) end
  end
  for _, option in ipairs(list) do
    if option[3] then
      local row = M.row(left_side(option, lettered), M.about(option), math.min(widest + 2, COLUMN), width)
      table.move(row, 1, #row, #lines + 1, lines)
    end
  end
  return lines
end


---@param spec options.Script
---@param list options.Option[]
---@return string[] lines
function M.script(spec, list)
  local lines = { "usage: " .. spec.usage, "" }
  for _, part in ipairs { text.wrap(spec.about, SCRIPT), { "" }, M.option_lines(list, SCRIPT) } do
    table.move(part, 1, #part, #lines + 1, lines)
  end
  return lines
end


return M
