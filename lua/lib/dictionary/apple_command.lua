--- Calls a command of an AppleScript dictionary with arguments that are JSON: what tools made by `perigee tools generate` run.
--
-- The script is put together from the dictionary's own words, depending on which arguments there are. Their values are passed
-- beside it, as arguments of `on run argv`, and never become a part of it.

local osascript = require "sys.osascript"

local M = {}

---@class dictionary.AppleArgument
---@field name string     that of the tool's parameter
---@field label? string   the word in front of it in a script; none for the direct parameter
---@field kind "text"|"number"|"boolean"|"file"|"choice"|"object"
---@field choices? table<string, string>  of a choice: the word for each value
---@field class? string   of an object: its class. It is named by its name, and absent the one in front

---@class dictionary.AppleCommand
---@field app string      the application's bundle ID
---@field command string  as its dictionary has it
---@field arguments dictionary.AppleArgument[]  the direct parameter first
---@field timeout? number  seconds (default: 30)

-- The expression for a value by its kind; %d is its place among the arguments of the script.
local EXPRESSIONS = {
  text    = "(item %d of argv)",
  number  = "((item %d of argv) as number)",
  boolean = '((item %d of argv) is "true")',
  file    = "(POSIX file (item %d of argv))",
}
local IDS = "^[%w_.-]+$"


--- True if the text can be an application's bundle ID, by which a script tells it.
---@param text string
---@return boolean
function M.is_id(text) return text:find(IDS) ~= nil end


--- The words for an argument; and its value, if the script gets one.
local function words_for(argument, value, place)
  local expression = EXPRESSIONS[argument.kind]
  if argument.kind == "choice" then return assert(argument.choices[value], "not a choice"), nil end
  if argument.kind ~= "object" then
    local text = argument.kind == "number" and ("%.17g"):format(value) or tostring(value)
    return expression:format(place), text
  end
  return ("(%s (item %d of argv))"):format(argument.class, place), value
end


--- The script for these arguments, and the values that it gets.
---@param command dictionary.AppleCommand
---@param args table
---@return string text
---@return string[] values
function M.script(command, args)
  assert(M.is_id(command.app), "not a bundle ID")
  local words, values = { command.command }, {}
  for _, argument in ipairs(command.arguments) do
    local value = args[argument.name]
    if value ~= nil then
      local expression, text = words_for(argument, value, #values + 1)
      values[#values + 1] = text
      words[#words + 1] = argument.label and argument.label .. " " .. expression or expression
    elseif argument.kind == "object" and not argument.label then
      words[#words + 1] = ("(front %s)"):format(argument.class)
    end
  end
  return ('on run argv\n\ttell application id "%s"\n\t\t%s\n\tend tell\nend run\n'):format(command.app, table.concat(words, " ")),
    values
end


--- Calls the command. What it returns is the result; many return nothing, and then nothing shows what they did.
---@param command dictionary.AppleCommand
---@param args table
---@return {result: string, effect: string}? result
---@return string? err
---@return string? code  as sys.osascript.run()
function M.call(command, args)
  local text, values = M.script(command, args)
  local output, err, code = osascript.run { text = text, args = values, timeout = command.timeout or 30 }
  if not output then return nil, err, code end
  return { result = output, effect = output == "" and "unknown: the command returned nothing. Look before you rely on it." or
    "returned" }
end


return M
