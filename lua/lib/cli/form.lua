--- A server's question to the user, asked on the terminal.

local terminal = require "sys.terminal"
local text     = require "cli.text"

local M = {}

local SECONDS = 300   -- for an answer
local TRIES = 3


local function choices_of(property)
  if property.enum then return property.enum, property.enumNames or property.enum end
  if not property.oneOf then return nil end
  local values, labels = {}, {}
  for i, each in ipairs(property.oneOf) do values[i], labels[i] = each.const, each.title or each.const end
  return values, labels
end


--- What a line means for a property; nil and what is wrong with it.
local function read(property, line, values)
  line = line:match "^%s*(.-)%s*$"
  if line == "" and property.default ~= nil then return property.default end
  if values then
    local value = values[math.tointeger(tonumber(line)) or 0]
    if value ~= nil then return value end
    return nil, ("Type a number from 1 to %d."):format(#values)
  end
  if property.type == "boolean" then
    local first = line:sub(1, 1):lower()
    if first == "y" or first == "n" then return first == "y" end
    return nil, "Type y or n."
  end
  if property.type == "number" or property.type == "integer" then
    local number = tonumber(line)
    if property.type == "integer" then number = math.tointeger(number) end
    if number then return number end
    return nil, ("Type a %s."):format(property.type)
  end
  return line
end


---@return any value
---@return string? err
---@return string? code
local function ask_property(name, property, before)
  local values, labels = choices_of(property)
  local lines = {}
  for i, label in ipairs(labels or {}) do lines[i] = ("  %d  %s\n"):format(i, text.clean(tostring(label))) end
  local title = text.clean(property.title or property.description or name)
  local hint = property.default ~= nil and (" [%s]"):format(text.clean(tostring(property.default))) or ""
  local prompt = ("%s%s%s%s: "):format(before, table.concat(lines), title, hint)
  for _ = 1, TRIES do
    local line, err, code = terminal.ask(prompt, SECONDS)
    if not line then return nil, err, code end
    local value, wrong = read(property, line, values)
    if value ~= nil then return value end
    prompt = ("%s\n%s%s: "):format(wrong, title, hint)
  end
  return nil, "the answers were not of the kind that was asked for", "bad_answer"
end


local function sorted_names(properties)
  local names = {}
  for name in pairs(properties) do names[#names + 1] = name end
  table.sort(names)
  return names
end


--- For `elicit` of sys.mcp.
---@param ask sys.mcp.Elicitation
---@return table|true|"decline"|nil content
---@return string? err
function M.ask(ask)
  local before = "\n" .. text.clean(ask.message) .. "\n"
  if ask.url then
    local done, err = ask_property("done", { type = "boolean", title = "Did you do what this page asks? (y/n)" },
      before .. text.clean(ask.url) .. "\n")
    if done == nil then return nil, err end
    return done or "decline"
  end
  local properties, content = ask.requestedSchema and ask.requestedSchema.properties or {}, {}
  for _, name in ipairs(sorted_names(properties)) do
    local value, err = ask_property(name, properties[name], before)
    if value == nil then return nil, err end
    content[name], before = value, ""
  end
  return content
end


return M
