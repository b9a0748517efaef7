--- The keys of a table.

local M = {}


--- As strings, sorted.
---@param t table
---@return string[]
function M.sorted(t)
  local keys = {}
  for key in pairs(t) do keys[#keys + 1] = tostring(key) end
  table.sort(keys)
  return keys
end


return M
