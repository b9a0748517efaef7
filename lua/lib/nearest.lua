--- Suggests names that a mistyped name may have meant.

local text = require "sys.text"

local M = {}

local MOST  = 5   -- the limit of suggested names
local REACH = 3   -- the largest distance from a long name, in characters


local HOLDS = REACH + 1  -- the score of a name that contains the other

--- Returns the score of a name: smaller is nearer, nil is not near.
local function score(wanted, name)
  if wanted:lower() == name:lower() then return 0 end
  local reach = math.min(#wanted // 3 + 1, REACH)
  local apart = text.distance(wanted, name, reach)
  if apart then return apart end
  local a, b = wanted:lower(), name:lower()
  return #wanted >= 3 and (b:find(a, 1, true) or a:find(b, 1, true)) and HOLDS or nil
end


--- Returns the names that resemble `wanted`, nearest first: those a few characters apart, then those of which one contains the
--- other.
---@param wanted string
---@param names string[]
---@return string[]
function M.names(wanted, names)
  local found = {}
  for i, name in ipairs(names) do
    local apart = score(wanted, name)
    if apart then found[#found + 1] = { apart, i, name } end
  end
  table.sort(found, function(a, b)
    if a[1] ~= b[1] then return a[1] < b[1] end
    return a[2] < b[2]
  end)
  local near = {}
  for i = 1, math.min(#found, MOST) do
    if found[i][1] == HOLDS and found[1][1] < HOLDS then break end
    near[i] = found[i][3]
  end
  return near
end


--- Returns "did you mean a, b or c?" behind `before`; "" if no name is near.
---@param wanted string
---@param names string[]
---@param before string   ": " or "; "
---@param prefix? string  a prefix for each name: "--"
---@return string
function M.question(wanted, names, before, prefix)
  local near = M.names(wanted, names)
  if #near == 0 then return "" end
  for i, name in ipairs(near) do near[i] = (prefix or "") .. name end
  local last = table.remove(near)
  return before .. "did you mean " .. (#near > 0 and table.concat(near, ", ") .. " or " or "") .. last .. "?"
end


return M
