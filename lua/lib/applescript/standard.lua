--- The terms that all scriptable applications share, in our own table: Cocoa's standard suite, the language's own words, and
--- the records of the scripting additions.
---
-- A dictionary names the standard suite by a file of macOS, which this table replaces. An application's own dictionary
-- overrides it.

local language = require "applescript.language"

local M = {}

-- Class, its plural, and its properties as "name: type", with "(r)" for those that cannot be written.
local CLASSES = {
  { "application", "applications", "name: text (r); frontmost: boolean (r); version: text (r)" },
  { "document", "documents", "name: text (r); modified: boolean (r); file: file (r)" },
  { "window", "windows", "name: text (r); id: integer (r); index: integer; bounds: rectangle; closeable: boolean (r); "
    .. "miniaturizable: boolean (r); miniaturized: boolean; resizable: boolean (r); visible: boolean; zoomable: boolean (r); "
    .. "zoomed: boolean; document: document (r)" },
  { "rich text", "rich text", "color: color; font: text; size: integer" },
  { "character", "characters", "color: color; font: text; size: integer" },
  { "paragraph", "paragraphs", "color: color; font: text; size: integer" },
  { "word", "words", "color: color; font: text; size: integer" },
  { "attribute run", "attribute runs", "color: color; font: text; size: integer" },
  { "attachment", "attachments", "file name: text; color: color; font: text; size: integer" },
}

local RECORDS = {
  { "print settings", "print settings", "copies: integer; collating: boolean; starting page: integer; ending page: integer; "
    .. "pages across: integer; pages down: integer; requested print time: date; error handling: printing error handling; "
    .. "fax number: text; target printer: text" },
}

-- Command, its direct parameter, its other parameters, its result. "!": it is required.
local COMMANDS = {
  { "open", "file", "", "document" }, { "close", "specifier", "saving: save options; saving in: file", "" },
  { "save", "specifier", "in: file; as: saveable file format", "" },
  { "print", "specifier", "with properties: print settings; print dialog: boolean", "" },
  { "quit", "", "saving: save options", "" }, { "count", "specifier", "each: type", "integer" },
  { "delete", "specifier", "", "" },
  { "duplicate", "specifier", "to: location specifier; with properties: record", "specifier" },
  { "exists", "any", "", "boolean" },
  { "make", "", "new: type!; at: location specifier; with data: any; with properties: record", "specifier" },
  { "move", "specifier", "to: location specifier!", "specifier" }, { "activate", "", "", "" }, { "launch", "", "", "" },
  { "run", "", "", "any" }, { "reopen", "", "", "" },
}

local ENUMERATIONS = {
  ["save options"] = { "yes", "no", "ask" }, ["printing error handling"] = { "standard", "detailed" },
}

--- Parts of names of AppleScript itself that occur without the rest.
local PHRASES = { "cancel button", "folder name", "file name", "application name", "text items", "list disks", "visible item" }

--- Properties that any object may have, whatever its class.
M.ANYTHING = { class = true, properties = true, contents = true, length = true, reverse = true, rest = true,
               ["quoted form"] = true, parent = true, ["text item delimiters"] = true, version = true, running = true,
               it = true, me = true, result = true, pi = true, month = true, year = true, day = true, time = true }

--- Classes of the language. Their objects accept more than a dictionary says.
M.LANGUAGE = { text = true, string = true, list = true, record = true, item = true, file = true, alias = true,
               application = true, date = true, number = true, integer = true, real = true, boolean = true, script = true,
               property = true, any = true, reference = true, type = true, constant = true, folder = true, data = true,
               handler = true, character = true, word = true, paragraph = true, specifier = true,
               ["attribute run"] = true, ["unicode text"] = true, ["missing value"] = true, writing = true }

--- Types of numbers and measures.
M.NUMBERS = { integer = true, real = true, number = true, ["double integer"] = true, ["small integer"] = true,
              ["unsigned integer"] = true, float = true, double = true, ["small real"] = true }


local function parse_properties(text)
  local properties = {}
  for part in text:gmatch "[^;]+" do
    local name, kind = part:match "^%s*(.-):%s*(.-)%s*$"
    local plain = kind:gsub("%s*%(r%)$", "")
    properties[name:lower()] = { name = name, types = { { name = plain, list = false } }, access = plain ~= kind and "r" or "rw" }
  end
  return properties
end


local function parse_parameters(text)
  local parameters = parse_properties(text)
  for _, parameter in pairs(parameters) do
    local kind = parameter.types[1]
    parameter.optional = kind.name:sub(-1) ~= "!"
    kind.name = kind.name:gsub("!$", "")
  end
  return parameters
end


local function classes_of(rows)
  local classes = {}
  for _, row in ipairs(rows) do
    classes[row[1]] = { name = row[1], plural = row[2], properties = parse_properties(row[3]) }
  end
  return classes
end


--- A fresh copy of the standard suite, in the shape of a dictionary.
function M.suite()
  local commands, enumerations = {}, {}
  for _, row in ipairs(COMMANDS) do
    local result = row[4] ~= "" and { { name = row[4], list = false } } or {}
    -- The object of a command may be that of the `tell` around it.
    local direct = row[2] ~= "" and { types = { { name = row[2], list = false } }, optional = true } or nil
    commands[row[1]] = { name = row[1], direct = direct, parameters = parse_parameters(row[3]), result = result }
  end
  for name, values in pairs(ENUMERATIONS) do
    local map = {}
    for _, value in ipairs(values) do map[value] = value end
    enumerations[name] = { name = name, values = map }
  end
  return { classes = classes_of(CLASSES), records = classes_of(RECORDS), commands = commands, enumerations = enumerations }
end


--- The values of a map, by the order of their keys.
local function in_order(map, out)
  local keys, list = {}, {}
  for key in pairs(map) do
    if not (out and out[key]) then keys[#keys + 1] = key end
  end
  table.sort(keys)
  for i, key in ipairs(keys) do list[i] = map[key] end
  return list
end


--- The standard suite as a suite of a dictionary that includes it.
---@param left_out table<string, table<string, true>>  names that are not included, by element
---@return applescript.Suite
function M.included(left_out)
  local base = M.suite()
  local suite = { name = "Standard Suite", description = "Common to applications made with Cocoa.", events = {}, values = {},
                  source = "sdef", standard = true, commands = {}, classes = {}, enumerations = {}, records = {} }
  for i, command in ipairs(in_order(base.commands, left_out.command)) do
    local parameters = in_order(command.parameters)
    for _, parameter in ipairs(parameters) do parameter.required, parameter.access = not parameter.optional, nil end
    local result, direct = command.result, command.direct
    suite.commands[i] = { name = command.name, parameters = parameters, result = #result > 0 and { types = result } or nil,
      direct = direct and { types = direct.types, required = not direct.optional } }
  end
  for _, kind in ipairs { "classes", "records" } do
    for i, class in ipairs(in_order(base[kind], kind == "classes" and left_out.class or nil)) do
      suite[kind][i] = { name = class.name, plural = class.plural, properties = in_order(class.properties), elements = {} }
    end
  end
  for i, enumeration in ipairs(in_order(base.enumerations, left_out.enumeration)) do
    local values = {}
    for _, value in ipairs(in_order(enumeration.values)) do values[#values + 1] = { name = value } end
    suite.enumerations[i] = { name = enumeration.name, values = values }
  end
  return suite
end


--- The names of more than one word that are valid as keys everywhere, in lower case.
---@return table<string, boolean>
function M.keys()
  return language.keys()
end


--- The names of more than one word that are valid everywhere, in lower case.
---@return table<string, boolean>
function M.phrases()
  local set = language.phrases()
  for _, phrase in ipairs(PHRASES) do set[phrase] = true end
  return set
end


return M
