--- The types of values: as text, `text`, `list<item>`, `file|text`, defaults, and the words of enumerations.

local json = require "sys.json"

local M = {}

local LONGEST = 60      -- bytes of a default that is shown beside a type


local function one(kind)
  if kind.of then
    local inner = {}
    for i, each in ipairs(kind.of) do inner[i] = one(each) end
    return ("list<%s>"):format(table.concat(inner, "|"))
  end
  return kind.list and ("list<%s>"):format(kind.name) or kind.name
end


--- A value that may have any of these types; "any" if none is declared.
---@param types applescript.DeclaredType[]
---@return string
function M.text(types)
  if #types == 0 then return "any" end
  local texts = {}
  for i, kind in ipairs(types) do texts[i] = one(kind) end
  return table.concat(texts, "|")
end


--- The text behind the type of a parameter that has a default, ` = "Untitled"`; empty without one.
---@param parameter applescript.DeclaredValue
---@return string
function M.default(parameter)
  local text = parameter.default ~= nil and json.encode(parameter.default)
  return text and #text <= LONGEST and " = " .. text or ""
end


--- The visible values of each enumeration, by its name in lower case.
---@param model dictionary.Model
---@return table<string, string[]>
function M.enumerations(model)
  local map = {}
  for _, suite in ipairs(model.suites) do
    for _, enumeration in ipairs(suite.enumerations or {}) do
      local values = {}
      for _, value in ipairs(enumeration.values) do
        if not value.hidden then values[#values + 1] = value.name end
      end
      if enumeration.name then map[enumeration.name:lower()] = values end
    end
  end
  return map
end


return M
