--- Writes the file of a macro from the calls of tools that it is made of.

local lines_of  = require "macros.lines"
local literals  = require "macros.literals"
local s         = require "schema"
local tool_text = require "dictionary.tool_text"

local M = {}

local key, line, quoted, sentence = tool_text.key, tool_text.line, tool_text.quoted, tool_text.sentence

local NONE = { parameters = {}, results = {} }

---@class macros.Parameter
---@field name string
---@field type? "string"|"integer"|"number"|"boolean"  default: string
---@field description? string
---@field default? any
---@field about? string  what it is, for the policy; default: "nothing"

---@class macros.Source
---@field id string
---@field display_name string
---@field description? string
---@field tags? string[]
---@field list? boolean
---@field parameters? macros.Parameter[]
---@field steps macros.Given[]

M.TYPES = { "string", "integer", "number", "boolean" }

--- The parts of a macro as tools take them, for their schemas.
M.STEPS = s.array(s.object {
  { "tool", s.string("Name of a tool.", { minLength = 1, maxLength = 200 }) },
  { "arguments", s.map("Its arguments. In strings ${NAME} is a parameter, or the result of a step with as; $${ is ${.",
    { optional = true }) },
  { "as", s.string("Name for its result.", { optional = true, pattern = "^[a-z][a-z0-9_]{0,39}$" }) },
}, "Calls of tools, in order.", { optional = true, minItems = 1, maxItems = 200 })

M.PARAMETERS = s.array(s.object {
  { "name", s.string(nil, { pattern = "^[a-z][a-z0-9_]{0,39}$" }) },
  { "type", s.enum(M.TYPES, "Default: string.", { optional = true }) },
  { "description", s.string(nil, { optional = true, maxLength = 500 }) },
  { "default", s.any("Makes it optional. Give a secret none.", { optional = true }) },
}, "Values that each run is given.", { optional = true, maxItems = 40 })

-- Parameters that each macro has.
local OWN = { resume_from = true, repeat_sent = true }


--- True if a value is of the type of a parameter.
local function is_of(kind, value)
  if kind == "integer" then return math.type(value) == "integer" end
  return type(value) == kind
end


---@return table<string, string>? types
---@return string? err
local function types_of(parameters)
  local types = {}
  for i, parameter in ipairs(parameters) do
    local name, kind = parameter.name, parameter.type or "string"
    if types[name] or OWN[name] then
      return nil, ("parameters[%d]: the name %s is taken. Use another one"):format(i, quoted(name))
    end
    if parameter.default ~= nil and not is_of(kind, parameter.default) then
      return nil, ("parameters[%d]: the default of %s is not of the type %s"):format(i, name, kind)
    end
    types[name] = kind
  end
  return types
end


local function parameter_line(parameter)
  local about = quoted(line(parameter.description or parameter.name))
  local more = ""
  if parameter.default ~= nil then
    more = (", { default = %s }"):format(type(parameter.default) == "string" and quoted(parameter.default)
      or literals.value(parameter.default, NONE))
  end
  return ("    { %q, s.%s(%s%s) },"):format(parameter.name, parameter.type or "string", about, more)
end


local SAMPLES = { string = '"example"', integer = "1", number = "1.5", boolean = "true" }

local function sample_of(parameters)
  local list = {}
  for _, parameter in ipairs(parameters) do
    list[#list + 1] = ("%s = %s"):format(key(parameter.name), SAMPLES[parameter.type or "string"])
  end
  return list[1] and ("{ %s }"):format(table.concat(list, ", ")) or "{}"
end


--- For the annotation of run(): "{text: string, count: integer}".
local function kinds_of(parameters)
  local list = {}
  for _, parameter in ipairs(parameters) do
    list[#list + 1] = ("%s: %s"):format(parameter.name, parameter.type or "string")
  end
  return list[1] and ("{%s}"):format(table.concat(list, ", ")) or "table"
end


-- The names in angle brackets are filled in. REQUIRE keeps the lines from being taken for requires of this file.
local PAGE = ([==[
--- <ABOUT>

local macro_tool = REQUIRE "macros.tool"
local s          = REQUIRE "schema"


---@param args <KINDS>
---@param macro Macro
local function run(args, macro)
<LINES>
end


return macro_tool {
  title       = <TITLE>,
  description = <DESCRIPTION>,
  inputSchema = s.object {
<PARAMETERS>
  },<MORE>
  run         = run,
<EXAMPLES>}
]==]):gsub("REQUIRE", "require")

-- An example that runs without a desktop: each step answers the same.
local EXAMPLES = [==[

  examples = {
    { "does its steps",
      given = { ["macros.hands.perform"] = { evidence = "as expected", window = "applications/7/windows/3" } },
      args  = <SAMPLE>, want = { done = true } },
  },
]==]


--- The members that not every macro has.
local function more_of(source)
  local lines = {}
  if source.list then lines[1] = "\n  list        = true," end
  local tags = {}
  for i, tag in ipairs(source.tags or {}) do tags[i] = quoted(tag) end
  if tags[1] then lines[#lines + 1] = ("\n  tags        = { %s },"):format(table.concat(tags, ", ")) end
  local about = {}
  for _, parameter in ipairs(source.parameters or {}) do
    if (parameter.type or "string") == "string" then
      about[#about + 1] = ("%s = %s"):format(key(parameter.name), quoted(parameter.about or "nothing"))
    end
  end
  if about[1] then lines[#lines + 1] = ("\n  about       = { %s },"):format(table.concat(about, ", ")) end
  return table.concat(lines)
end


--- Writes `text` in the places of the names.
local function filled(page, words)
  return (page:gsub("<(%u+)>", function(name) return words[name] end))
end


--- Returns the text of a macro's file.
---@param source macros.Source
---@return string? text
---@return string? err
---@return string? code  "INVALID_ARGUMENT"
function M.text(source)
  local parameters = source.parameters or {}
  local types, err = types_of(parameters)
  if not types then return nil, err, "INVALID_ARGUMENT" end
  local lines, wrong = lines_of.of(source.steps, types)
  if not lines then return nil, wrong, "INVALID_ARGUMENT" end
  local rows, is_plain = {}, true   -- plain: an example can run it, without results and files
  for i, parameter in ipairs(parameters) do rows[i] = parameter_line(parameter) end
  for _, step in ipairs(source.steps) do is_plain = is_plain and not step.as and not step.rows end
  local title = line(source.display_name)
  local given = source.description or ""
  local description = given ~= "" and line(given) or sentence(title, "Macro")
  return filled(PAGE, {
    ABOUT = line(sentence(description, title)), KINDS = kinds_of(parameters), LINES = "  " .. table.concat(lines, "\n  "),
    TITLE = quoted(title), DESCRIPTION = quoted(description), PARAMETERS = table.concat(rows, "\n"),
    MORE = more_of(source),
    EXAMPLES = is_plain and filled(EXAMPLES, { SAMPLE = sample_of(parameters) }) or "",
  })
end


return M
