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


return M
