--- The types of values as text: `text`, `list<item>`, `file|text`.

local M = {}


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


return M
