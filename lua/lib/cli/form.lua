--- Asks the user on the terminal, for another server or for a tool that a command runs (src/cli/asks.c).

local json     = require "sys.json"
local task     = require "sys.task"
local terminal = require "sys.terminal"
local text     = require "terminal.text"

local M = {}

local SECONDS = 3600    -- time limit of an answer, if no other one is shorter
local DISMISSED = "Ctrl-C dismisses the question."

---@class cli.form.Field
---@field name string
---@field schema table
---@field required boolean


-- --- the meaning of a line --------------------------------------------------------------

local FORMATS = {
  email = { "^[^%s@]+@[^%s@]+$", "an email address, such as ada@example.com" },
  uri = { "^%a[%w+.-]*:%S+$", "a URL, such as https://example.com" },
  date = { "^%d%d%d%d%-%d%d%-%d%d$", "a date, such as 2026-03-31" },
  ["date-time"] = { "^%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%d", "a date and time, such as 2026-03-31T12:00:00Z" },
}

local YES_OR_NO = { y = true, yes = true, ["true"] = true, n = false, no = false, ["false"] = false }


--- The values that may be chosen, and the labels that the user reads; nil if any value fits.
local function choices_of(schema)
  if schema.enum then return schema.enum, schema.enumNames or schema.enum end
  local titled = schema.oneOf or schema.anyOf
  if not titled then return nil end
  local values, labels = {}, {}
  for i, each in ipairs(titled) do values[i], labels[i] = each.const, each.title or each.const end
  return values, labels
end


--- Returns the choice that a word names by its number, its value or its label.
local function chosen(word, values, labels)
  local value = values[math.tointeger(tonumber(word)) or 0]
  if value ~= nil then return value end
  for i, each in ipairs(values) do
    if word:lower() == tostring(each):lower() or word:lower() == tostring(labels[i]):lower() then return each end
  end
  return nil, ("Type a number from 1 to %d."):format(#values)
end


--- Reads a list: words between commas.
local function read_list(schema, line)
  local values, labels = choices_of(schema.items or {})
  local list = json.array {}
  for word in line:gmatch "[^,]+" do
    word = word:match "^%s*(.-)%s*$"
    local value, wrong = word, nil
    if values then value, wrong = chosen(word, values, labels) end
    if value == nil then return nil, wrong .. " Put commas between several." end
    list[#list + 1] = value
  end
  return list
end


local function read_plain(schema, line)
  local values, labels = choices_of(schema)
  if values then return chosen(line, values, labels) end
  if schema.type == "array" then return read_list(schema, line) end
  if schema.type == "boolean" then
    local yes = YES_OR_NO[line:lower()]
    if yes == nil then return nil, "Type y or n." end
    return yes
  end
  if schema.type == "integer" then
    local number = math.tointeger(tonumber(line))
    return number, not number and "Type a whole number." or nil
  end
  if schema.type == "number" then
    local number = tonumber(line)
    return number, not number and "Type a number." or nil
  end
  return line
end


--- Returns the value; nil, nil if the field is left out; nil and a message if the line does not fit.
---@param field cli.form.Field
---@param line string
local function read(field, line)
  local schema = field.schema
  line = line:match "^%s*(.-)%s*$"
  if line == "" then
    if schema.default ~= nil then return schema.default end
    return nil, field.required and "This needs an answer." or nil
  end
  local value, wrong = read_plain(schema, line)
  if value == nil then return nil, wrong end
  local fits, why = json.check({ properties = { [field.name] = schema } }, { [field.name] = value })
  if not fits then return nil, text.clean(why):gsub("^%l", string.upper) .. "." end
  local format = type(value) == "string" and FORMATS[schema.format]
  if format and not value:find(format[1]) then return nil, ("Type %s."):format(format[2]) end
  return value
end


-- --- asking -------------------------------------------------------------------------------

local function label_of(value, values, labels)
  for i, each in ipairs(values or {}) do
    if each == value then return labels[i] end
  end
  if type(value) == "boolean" then return value and "y" or "n" end
  if type(value) ~= "table" then return value end
  local words = {}
  for i, each in ipairs(value) do words[i] = tostring(label_of(each, values, labels)) end
  return table.concat(words, ",")
end


--- Returns "Title (description, y/n) [default]: ", and the choices that are printed above it.
---@return string list  the choices
---@return string prompt
local function prompt_of(field)
  local schema = field.schema
  local values, labels = choices_of(schema.type == "array" and schema.items or schema)
  local lines, notes = {}, {}
  for i, label in ipairs(labels or {}) do lines[i] = ("  %d  %s\n"):format(i, text.clean(tostring(label))) end
  local title = schema.title or schema.description or field.name
  if schema.title then notes[#notes + 1] = schema.description end
  if schema.type == "boolean" then notes[#notes + 1] = "y/n" end
  if schema.type == "array" then notes[#notes + 1] = "several with commas" end
  if schema.default == nil and not field.required then notes[#notes + 1] = "optional" end
  for i, note in ipairs(notes) do notes[i] = note:gsub("%.$", "") end
  local about = #notes > 0 and (" (%s)"):format(table.concat(notes, ", ")) or ""
  local default = schema.default ~= nil and (" [%s]"):format(tostring(label_of(schema.default, values, labels))) or ""
  return table.concat(lines), text.clean(title:gsub("[.:]$", "") .. about .. default) .. ": "
end


--- Waits for a line that the user types.
local function ask_line(prompt)
  return terminal.ask(prompt, math.max(1, math.min(SECONDS, task.remaining())), { interrupt = true })
end


--- Asks until the line fits.
---@return any value  nil if the field is left out
---@return string? err
---@return string? code
local function ask_field(field, before)
  local list, prompt = prompt_of(field)
  local shown = before .. list .. prompt
  while true do
    local line, err, code = ask_line(shown)
    if not line then return nil, err, code end
    local value, wrong = read(field, line)
    if not wrong then return value end
    shown = ("%s\n%s"):format(wrong, prompt)
  end
end


---@param message string
---@param fields cli.form.Field[]
---@return table? content
---@return string? err
---@return string? code
local function fill(message, fields)
  local before = ("\n%s\n%s\n"):format(text.clean(message), DISMISSED)
  local content = json.object {}
  for _, field in ipairs(fields) do
    local value, err, code = ask_field(field, before)
    if code then return nil, err, code end
    content[field.name], before = value, ""
  end
  return content
end


---@return boolean? visited
---@return string? err
---@return string? code
local function visit(message, url)
  return ask_field({ name = "done", required = true,
    schema = { type = "boolean", title = "Did you do what this page asks?" } },
    ("\n%s\n%s\n%s\n"):format(text.clean(message), text.clean(url), DISMISSED))
end


-- --- callers ------------------------------------------------------------------------------------

--- Returns the properties in the order of their names, because the order in the schema is not known.
local function fields_of(schema)
  local fields, required = {}, {}
  for _, name in ipairs(schema.required or {}) do required[name] = true end
  for name, property in pairs(schema.properties or {}) do
    fields[#fields + 1] = { name = name, schema = property, required = required[name] or false }
  end
  table.sort(fields, function(a, b) return a.name < b.name end)
  return fields
end


--- Answers a server's question, as `elicit` of sys.mcp.
---@param ask sys.mcp.Elicitation
---@return table|true|"decline"|"cancel"|nil content
---@return string? err
function M.ask(ask)
  local held <close> = task.lock "the terminal"
  local content, err, code
  if ask.url then
    content, err, code = visit(ask.message, ask.url)
    if content == false then return "decline" end
  else
    content, err, code = fill(ask.message, fields_of(ask.requestedSchema or {}))
  end
  if code == "dismissed" then return "cancel" end
  return content, err
end


--- Answers the questions for src/cli/asks.c. Returns what a client would send: a list in JSON.
---@param questions {message: string, url?: string, fields?: cli.form.Field[]}[]
---@return string? answers
---@return string? err
---@return string? code
function M.answer(questions)
  local held <close> = task.lock "the terminal"
  local answers, dismissed = {}, false
  for i, question in ipairs(questions) do
    local content, err, code
    if not dismissed and question.url then
      content, err, code = visit(question.message, question.url)
    elseif not dismissed then
      content, err, code = fill(question.message, question.fields)
    end
    dismissed = dismissed or code == "dismissed"
    if code and not dismissed then return nil, err, code end
    answers[i] = dismissed and { action = "cancel" } or content == false and { action = "decline" }
      or { action = "accept", content = content ~= true and content or nil }
  end
  return json.encode(json.array(answers))
end


return M
