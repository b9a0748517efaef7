--- The keys of a table.

local M = {}


--- Returns the keys as strings, sorted.
---@param t table
---@return string[]
function M.sorted(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = tostring(key) end
  table.sort(keys)
  return keys
end


--- Returns the keys as they are: sorted strings, which is fast even for very many, then the others by their text.
---@param t table
---@param skip? fun(key: any): boolean
---@return any[]
function M.ordered(t, skip)
  local keys, others = {}, {}
  for key in pairs(t) do
    if not skip or not skip(key) then
      local list = type(key) == "string" and keys or others
      list[#list + 1] = key
    end
  end
  table.sort(keys)
  table.sort(others, function(a, b) return tostring(a) < tostring(b) end)
  return table.move(others, 1, #others, #keys + 1, keys)
end


return M
