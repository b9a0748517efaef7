--- The parts of the manual page that come from the declarations of commands, as mdoc. Marks in the hand-written page enclose
-- them:
--
--   .\" BEGIN commands
--   .\" END commands

local declaration = require "cli.declaration"
local option_help = require "terminal.option_help"

local M = {}


--- Escapes what roff would take for requests.
local function plain(text)
  return (text:gsub("\\", "\\e"):gsub("\n([.'])", "\n\\&%1"):gsub("^([.'])", "\\&%1"))
end


local function literal(text)
  return (text:gsub("%-", "\\-"))
end


--- Sets code between backticks, options and placeholders in the fonts that they have elsewhere.
local function fonts(text)
  return (text:gsub("`([^`]+)`", function(code) return "\\fB" .. literal(code) .. "\\fR" end)
    :gsub("%f[%-%w](%-%-[%w%-]+)", function(option) return "\\fB" .. literal(option) .. "\\fR" end))
end


--- Splits a paragraph into lines of one sentence each.
local function sentences(text)
  return (fonts(plain(text)):gsub("([%l%d%)\"R]%.) +(%f[%u\\])", "%1\n%2"))
end


--- Writes prose: paragraphs, and indented lines as examples.
local function prose(out, text)
  local paragraph, parted = {}, true
  local function flush()
    if #paragraph == 0 then return end
    if not parted then out[#out + 1] = ".Pp" end
    out[#out + 1] = sentences(table.concat(paragraph, " "))
    paragraph, parted = {}, false
  end
  for line in (text:gsub("%s+$", "") .. "\n"):gmatch "(.-)\n" do
    if line:find "^%s+%S" then
      flush()
      out[#out + 1] = ".Dl " .. literal(plain(line:match "^%s*(.-)$"))
    elseif line == "" then
      flush()
    else
      paragraph[#paragraph + 1] = line
    end
  end
  flush()
end


local function sentence(phrase)
  local whole = phrase:gsub("^%l", string.upper)
  return whole:find "[%.?!]$" and whole or whole .. "."
end


--- Writes the name of a value within the line of a macro.
local function argument(value)
  return " Ar " .. plain(value):gsub(" ", "\\ ")
end


local function option_list(out, list)
  local shown = {}
  for _, option in ipairs(list or {}) do
    if option[3] then shown[#shown + 1] = option end
  end
  if #shown == 0 then return end
  out[#out + 1] = ".Bl -tag -width Ds"
  for _, option in ipairs(shown) do
    local names = {}
    if option.letter then names[1] = "Fl " .. option.letter end
    if option[1] then names[#names + 1] = "Fl -" .. option[1] end
    local value = option_help.value(option)
    out[#out + 1] = ".It " .. table.concat(names, " , ") .. (value and argument(value) or "")
    out[#out + 1] = sentences(sentence(option_help.about(option)))
  end
  out[#out + 1] = ".El"
end


--- Writes a usage line, in which capitals are placeholders.
local function usage(line)
  return (plain(line):gsub("%-", "\\-"):gsub("%f[%w]%u[%u%-_]+%f[%W]", "\\fI%0\\fR"))
end


local parts = {}

function parts.synopsis(all)
  local out = {}
  for _, declared in ipairs(all) do
    for _, line in ipairs(declared.usage) do
      out[#out + 1] = ".Nm"
      out[#out + 1] = ".Cm " .. declared.name
      local rest = line:match "^%S+%s+(.*)$"
      if rest then out[#out + 1] = usage(rest) end
    end
  end
  return out
end


function parts.commands(all)
  local out = { ".Bl -tag -width Ds" }
  for _, declared in ipairs(all) do
    out[#out + 1] = ".It Cm " .. declared.name
    prose(out, declared.description or sentence(declared.summary))
    local names = declaration.subcommand_names(declared)
    if #names > 0 then
      out[#out + 1] = ".Bl -tag -width Ds"
      for _, name in ipairs(names) do
        out[#out + 1] = ".It Cm " .. name
        out[#out + 1] = sentences(sentence(declared.subcommands[name].summary))
      end
      out[#out + 1] = ".El"
    end
    option_list(out, declared.options)
    if declared.notes then
      out[#out + 1] = ".Pp"
      prose(out, declared.notes)
    end
  end
  out[#out + 1] = ".El"
  return out
end


function parts.common(_, common)
  local out = {}
  option_list(out, common)
  return out
end


--- Returns the page with its generated parts replaced.
---@param page string
---@param all cli.Declaration[]
---@param common options.Option[]
---@return string
function M.renew(page, all, common)
  return (page:gsub('(%.\\" BEGIN (%w+)\n).-(%.\\" END %2\n)', function(first, name, last)
    local lines = parts[name](all, common)
    return first .. table.concat(lines, "\n") .. "\n" .. last
  end))
end


return M
