--- Writes a tool file for a command of an AppleScript dictionary.

local apple_command = require "dictionary.apple_command"
local kinds         = require "dictionary.kinds"
local tool_text     = require "dictionary.tool_text"

local M = {}

local key, line, quoted, sentence = tool_text.key, tool_text.line, tool_text.quoted, tool_text.sentence

local NUMBERS = { integer = "integer", number = "number", real = "number", ["double integer"] = "integer" }
local TEXTS = { text = true, string = true, ["unicode text"] = true, any = true, ["missing value"] = true, url = true }
local FILES = { file = true, alias = true, specifier = true, ["file specifier"] = true, ["location specifier"] = true }


--- True if a word of a dictionary can stand in a script as it is: letters, digits, blanks and a few signs within. Anything else
--- could end the command and begin another one.
local function is_term(text)
  if not text:find "^[%w\x80-\xff][%w\x80-\xff _.'/+-]*$" or text:find("--", 1, true) then return false end
  return not (text:find "\u{AC}" or text:find "\u{AB}" or text:find "\u{BB}" or text:find "\u{85}" or text:find "\u{2028}"
    or text:find "\u{2029}")
end


--- The values of the enumerations of a dictionary that a script can have, by name in lower case.
local function enumerations_of(model)
  local map = {}
  for name, values in pairs(kinds.enumerations(model)) do
    local terms = {}
    for _, value in ipairs(values) do
      if is_term(value) then terms[#terms + 1] = value end
    end
    map[name] = #terms > 0 and terms or nil
  end
  return map
end


--- The classes of a dictionary, by name in lower case; and the names of those that are not hidden.
local function classes_of(model)
  local map, names = {}, {}
  for _, suite in ipairs(model.suites) do
    for _, class in ipairs(suite.classes) do
      if is_term(class.name) and not map[class.name:lower()] and not class.hidden then names[#names + 1] = class.name end
      map[class.name:lower()] = is_term(class.name) and class.name or nil
    end
  end
  return map, names
end


--- How a value of one of these types is passed: its kind, and what belongs to the kind. Nil: as nothing that JSON has.
local function kind_of(types, known)
  if #types == 0 then return { kind = "text" } end
  for _, type in ipairs(types) do
    local name = type.name:lower()
    if not type.list then
      if name == "type" and #known.names > 0 then return { kind = "choice", choices = known.names } end
      if known.enumerations[name] then return { kind = "choice", choices = known.enumerations[name] } end
      if name == "boolean" then return { kind = "boolean" } end
      if NUMBERS[name] then return { kind = "number", type = NUMBERS[name] } end
      if FILES[name] then return { kind = "file" } end
      if TEXTS[name] then return { kind = "text" } end
      if known.classes[name] then return { kind = "object", class = known.classes[name] } end
    end
  end
  return nil
end


--- The arguments of a command that can be passed; and the first required one that cannot.
local function arguments_of(model, command)
  local known = { enumerations = enumerations_of(model) }
  known.classes, known.names = classes_of(model)
  local list, taken = {}, {}
  local function add(parameter, label)
    local argument = (not label or is_term(label)) and kind_of(parameter.types, known)
    if not argument then return not parameter.required end
    argument.label, argument.required = label, parameter.required and not (argument.kind == "object" and not label)
    argument.name = tool_text.slug(label or parameter.name or argument.class or "target")
    if taken[argument.name] then argument.name = argument.name .. "_" .. #list + 1 end
    taken[argument.name] = true
    argument.description = parameter.description
    list[#list + 1] = argument
    return true
  end
  if command.direct and not add(command.direct) then return list, command.direct.name or "direct parameter" end
  for _, parameter in ipairs(command.parameters) do
    if not parameter.hidden and not add(parameter, parameter.name) then return list, parameter.name end
  end
  return list
end


local ABOUT_FILE = "Absolute path of a file."

--- A line of the schema.
local function schema_line(argument)
  local more = argument.required and "" or ", { optional = true }"
  local about = quoted(sentence(argument.description, argument.kind == "file" and ABOUT_FILE
    or argument.kind == "object" and ("Name of the %s; absent the one in front"):format(argument.class)
    or argument.label and ("What stands behind '%s'"):format(argument.label) or "What the command is about"))
  if argument.kind == "choice" then
    local values = {}
    for i, value in ipairs(argument.choices) do values[i] = quoted(value) end
    return ("    { %q, s.enum({ %s }, %s%s) },"):format(argument.name, table.concat(values, ", "), about, more)
  end
  local kind = argument.kind == "number" and argument.type or argument.kind == "boolean" and "boolean" or "string"
  return ("    { %q, s.%s(%s%s) },"):format(argument.name, kind, about, more)
end


--- A line of the command's arguments.
local function argument_line(argument)
  local parts = { ("name = %q"):format(argument.name) }
  if argument.label then parts[#parts + 1] = ("label = %s"):format(quoted(argument.label)) end
  parts[#parts + 1] = ("kind = %q"):format(argument.kind)
  if argument.class then parts[#parts + 1] = ("class = %s"):format(quoted(argument.class)) end
  if argument.kind == "choice" then
    local values = {}
    for i, value in ipairs(argument.choices) do values[i] = ("[%s] = %s"):format(quoted(value), quoted(value)) end
    parts[#parts + 1] = ("choices = { %s }"):format(table.concat(values, ", "))
  end
  return ("    { %s },"):format(table.concat(parts, ", "))
end


--- The value of an argument in an example, as Lua.
local function sample(argument)
  if argument.kind == "choice" then return quoted(argument.choices[1]) end
  if argument.kind == "number" then return "1" end
  if argument.kind == "boolean" then return "true" end
  return argument.kind == "file" and '"/tmp/example"' or '"example"'
end


-- REQUIRE keeps these lines from being taken for requires of this file.
local PAGE = ([==[
--- %s: the command '%s'.

local command = REQUIRE "dictionary.apple_command"
local s       = REQUIRE "schema"

local CALL = {
  app       = %s,
  command   = %s,
  arguments = {
%s
  },
}


---@type Tool
return {
  title       = %s,
  description = %s,
  inputSchema = s.object {
%s
  },
  annotations = { readOnlyHint = false, destructiveHint = %s, idempotentHint = false, openWorldHint = false },
  about       = { %s },

  run = function(args) return command.call(CALL, args) end,

  examples = {
    { %s,
      given = { ["sys.osascript.run"] = "done" },
      args  = { %s },
      want  = { result = "done" } },
    { "says that nothing shows its effect",
      given = { ["sys.osascript.run"] = "" },
      args  = { %s },
      has   = { "unknown" } },
  },
}
]==]):gsub("REQUIRE", "require")

---@param model dictionary.Model
---@param command applescript.DeclaredCommand
---@return string? text
---@return string? err
---@return string? code  "not_supported"
function M.text(model, command)
  if not apple_command.is_id(model.id) then
    return nil, ("%s cannot be the bundle ID of a script's application. Name the file of the dictionary by that ID"):format(
      quoted(model.id)), "not_supported"
  end
  if not is_term(command.name) then
    return nil, ("'%s' has signs in its name that no command of AppleScript has"):format(line(command.name)), "not_supported"
  end
  local arguments, cannot = arguments_of(model, command)
  if cannot then
    return nil, ("'%s' needs %s, which is an object of the application: write a script for it, and run it with "
      .. "execute_applescript"):format(command.name, line(cannot)), "not_supported"
  end
  local lines, schemas, samples, about = {}, {}, {}, { ("{ %s }"):format(quoted(model.name)) }
  for i, argument in ipairs(arguments) do
    lines[i], schemas[i] = argument_line(argument), schema_line(argument)
    if argument.required then samples[#samples + 1] = ("%s = %s"):format(key(argument.name), sample(argument)) end
    local named = argument.kind == "file" and "path" or argument.kind == "object" and "nothing"
    if named then about[#about + 1] = ("%s = %q"):format(key(argument.name), named) end
  end
  local given = table.concat(samples, ", ")
  local title = model.name .. ": " .. command.name
  return PAGE:format(line(model.name), command.name, quoted(model.id), quoted(command.name), table.concat(lines, "\n"),
    quoted(title),
    quoted(sentence(command.description, ("Run the command '%s' of %s"):format(command.name, model.name))),
    table.concat(schemas, "\n"), tostring(tool_text.destroys(command.name)), table.concat(about, ", "),
    quoted(("returns what %s returns"):format(model.name)), given, given)
end


return M
