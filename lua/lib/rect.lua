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


return M
