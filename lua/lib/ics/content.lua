--- Reads the lines of an iCalendar file (RFC 5545, section 3.1) as components that hold properties.

local M = {}

local DEPTH = 8   -- levels of nested components; the format needs 3

---@class ics.Property
---@field name string                  in capital letters
---@field value string                 as in the file, including escapes
---@field params table<string, string> names in capital letters

---@class ics.Component
---@field name string                  "VEVENT"
---@field properties ics.Property[]
---@field parts ics.Component[]        the components in it


--- Reads `NAME;PARAM=value;PARAM="quoted: value":the value`.
local function property_of(line)
  local name, at = line:match "^([%w-]+)()"
  local params = {}
  while name and line:sub(at, at) == ";" do
    local param, value, stop = line:match('^;([%w-]+)="([^"]*)"()', at)
    if not param then param, value, stop = line:match("^;([%w-]+)=([^;:]*)()", at) end
    if not param then return nil end
    params[param:upper()], at = value, stop
  end
  if not name or line:sub(at, at) ~= ":" then return nil end
  return { name = name:upper(), value = line:sub(at + 1), params = params }
end


--- Returns the components of a file, usually one VCALENDAR.
---@param text string
---@return ics.Component[]? components
---@return string? err
function M.components(text)
  local root = { name = "", properties = {}, parts = {} }
  local open, number = { root }, 0
  if not utf8.len(text) or text:find("\0", 1, true) then return nil, "it is not UTF-8" end
  text = text:gsub("^\u{FEFF}", ""):gsub("\r\n", "\n"):gsub("\n[ \t]", "")   -- long lines are folded
  for line in text:gmatch "[^\n]+" do
    number = number + 1
    local property = property_of(line)
    local here = open[#open]
    if not property then
      if #open == 1 then return nil, ("line %d is not a property"):format(number) end   -- within a component it is left out
    elseif property.name == "BEGIN" then
      if #open > DEPTH then return nil, ("line %d: more than %d components in each other"):format(number, DEPTH) end
      local part = { name = property.value:upper(), properties = {}, parts = {} }
      table.insert(here.parts, part)
      open[#open + 1] = part
    elseif property.name == "END" then
      if #open == 1 or here.name ~= property.value:upper() then
        return nil, ("line %d ends %s, which did not begin"):format(number, property.value)
      end
      open[#open] = nil
    else
      table.insert(here.properties, property)
    end
  end
  if #open > 1 then return nil, open[#open].name .. " has no end" end
  return root.parts
end


--- Returns the first property of this name.
---@param component ics.Component
---@param name string
---@return ics.Property?
function M.first(component, name)
  for _, property in ipairs(component.properties) do
    if property.name == name then return property end
  end
end


--- Returns a value of type TEXT without its escapes.
---@param value string
---@return string
function M.plain(value)
  return (value:gsub("\\(.)", function(byte) return (byte == "n" or byte == "N") and "\n" or byte end))
end


--- Returns `FREQ=WEEKLY;BYDAY=MO,TU` as { FREQ = "WEEKLY", BYDAY = "MO,TU" }.
---@param value string
---@return table<string, string>
function M.rule(value)
  local rule = {}
  for name, said in value:upper():gmatch "([%w-]+)=([^;]*)" do rule[name] = said end
  return rule
end


return M
