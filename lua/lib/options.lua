--- The options of a script: read, checked, and told by --help.
--
--   local given, status = options.read(perigee.args, {
--     usage = "perigee run tile.lua [options] [TITLE...]",
--     about = "Tiles windows.",
--     { "columns", "integer", "How many columns.", min = 1, max = 20 },
--     { "gap", "number", "Points between windows.", default = 8 },
--     { "dry-run", "flag", "Only say what would be done." },
--   })
--   if not given then return status end   -- it was --help (0), or something was wrong and said (2)
--
-- given.columns, given.gap, given.dry_run; what is no option is in given[1], given[2], ...

local text = require "cli.text"

local M = {}

local KINDS = {
  flag = "", integer = " N", number = " N", text = " TEXT",
}


local function help(spec, say)
  local width = 0
  for _, option in ipairs(spec) do width = math.max(width, #option[1] + #KINDS[option[2]]) end
  say("usage: " .. spec.usage)
  say ""
  for _, line in ipairs(text.wrap(spec.about, 96)) do say(line) end
  say ""
  local indent = (" "):rep(width + 6)
  local function row(name, about)
    for i, line in ipairs(text.wrap(about, 96 - #indent)) do
      say((i == 1 and text.pad("  --" .. name, #indent) or indent) .. line)
    end
  end
  for _, option in ipairs(spec) do
    local default = option.default ~= nil and (" Default: %s."):format(option.default) or ""
    row(option[1] .. KINDS[option[2]], option[3] .. default)
  end
  row("help", "This.")
end


local function wrong(...)
  error({ wrong = string.format(...) })
end


--- The value as its kind, within its limits.
local function value_of(option, word)
  if not word then wrong("--%s requires a value", option[1]) end
  if option[2] == "text" then return word end
  local number = tonumber(word)
  if option[2] == "integer" then number = number and math.tointeger(number) end
  if not number then wrong("--%s is %q, not %s", option[1], word, option[2] == "integer" and "an integer" or "a number") end
  if option.min and number < option.min or option.max and number > option.max then
    wrong("--%s is %s; it must be %s to %s", option[1], word, option.min or "anything", option.max or "anything")
  end
  return number
end


local function find(spec, name)
  for _, option in ipairs(spec) do
    if option[1] == name then return option end
  end
  wrong("there is no option --%s", name)
end


---@class options.Spec
---@field usage string
---@field about string
---@field [integer] {[1]: string, [2]: "flag"|"integer"|"number"|"text", [3]: string, default?: any, min?: number, max?: number}

--- Fills `given`; true: help is wanted.
local function read(given, args, spec)
  local at, only_words = 1, false
  while at <= #args do
    local name, value = args[at]:match "^%-%-([^=]+)=?(.*)$"
    if only_words or not name then
      if args[at] == "--" and not only_words then only_words = true else given[#given + 1] = args[at] end
    elseif name == "help" then
      return true
    else
      local option = find(spec, name)
      local key = name:gsub("-", "_")
      if option[2] == "flag" then
        given[key] = true
      elseif args[at]:find("=", 1, true) then
        given[key] = value_of(option, value)
      else
        at = at + 1
        given[key] = value_of(option, args[at])
      end
    end
    at = at + 1
  end
end


---@param args string[]
---@param spec options.Spec
---@param say? fun(line: string)  where help and complaints go; default print
---@return table? given
---@return integer? status  when there is none: help was asked for and printed (0), or what is wrong was said (2)
function M.read(args, spec, say)
  say = say or print
  local given = {}
  for _, option in ipairs(spec) do given[option[1]:gsub("-", "_")] = option.default end
  local ok, helped = pcall(read, given, args, spec)
  if ok and not helped then return given end
  if ok then
    help(spec, say)
    return nil, 0
  end
  if type(helped) ~= "table" or not helped.wrong then error(helped, 0) end
  say(helped.wrong .. ". Use --help to see the options")
  return nil, 2
end


return M
