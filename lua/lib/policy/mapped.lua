--- Returns the same value with other texts in it. Of a table that has one a copy is made; the others are returned as they are.
---@param value any
---@param depth integer   levels of tables
---@param text_of fun(text: string): string
---@return any
local function mapped(value, depth, text_of)
  if type(value) == "string" then return text_of(value) end
  if type(value) ~= "table" or depth == 0 then return value end
  local copy
  for key, each in pairs(value) do
    local other = mapped(each, depth - 1, text_of)
    if other ~= each and not copy then
      copy = {}
      for name, was in pairs(value) do copy[name] = was end
    end
    if copy then copy[key] = other end
  end
  return copy or value
end


return mapped
