--- How far two words are apart: for matching names with a slip of the pen, and for naming what was meant.

local NAME_MAX = 64     -- characters that are compared


--- Letters to change, add, drop or swap with their neighbour, up to `most`; nil when it is more.
---@param a integer[]
---@param b integer[]
---@param most integer
---@return integer?
local function distance(a, b, most)
  if math.abs(#a - #b) > most or #a > NAME_MAX or #b > NAME_MAX then return nil end
  local before, row = {}, {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local older
    older, before, row = before, row, { [0] = i }
    local least = i
    for j = 1, #b do
      local same = a[i] == b[j]
      local best = math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (same and 0 or 1))
      if i > 1 and j > 1 and a[i] == b[j - 1] and a[i - 1] == b[j] then best = math.min(best, older[j - 2] + 1) end
      row[j] = best
      least = math.min(least, best)
    end
    if least > most then return nil end
  end
  return row[#b] <= most and row[#b] or nil
end


return distance
