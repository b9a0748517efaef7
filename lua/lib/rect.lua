--- Rectangles: {x, y, width, height} in points.

local M = {}


--- True if the point is in it. Its right and lower edges are not.
---@param rect sys.window.Rect
---@param x number
---@param y number
---@return boolean
function M.holds(rect, x, y)
  return x >= rect.x and x < rect.x + rect.width and y >= rect.y and y < rect.y + rect.height
end


--- True if the two have a part in common.
---@param a sys.window.Rect
---@param b sys.window.Rect
---@return boolean
function M.meet(a, b)
  return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height
end


--- The parts of rectangles that are left without this one, except slivers.
---@param rects sys.window.Rect[]
---@param taken sys.window.Rect
---@return sys.window.Rect[]
function M.without(rects, taken)
  local left = {}
  local function keep(x, y, right, bottom)
    if right - x >= 1 and bottom - y >= 1 then left[#left + 1] = { x = x, y = y, width = right - x, height = bottom - y } end
  end
  for _, each in ipairs(rects) do
    if M.meet(each, taken) then
      local right, bottom = each.x + each.width, each.y + each.height
      local top, low = math.max(each.y, taken.y), math.min(bottom, taken.y + taken.height)
      keep(each.x, each.y, right, top)
      keep(each.x, top, math.max(each.x, taken.x), low)
      keep(math.min(right, taken.x + taken.width), top, right, low)
      keep(each.x, low, right, bottom)
    else
      left[#left + 1] = each
    end
  end
  return left
end


return M
