--- Cells of lists and tables that list their cells row by row: the cells of one row, and the place of one that reports none.
--
-- GTK 3 reports no place of cells that are scrolled away. It reports none, too, of a narrow cell in the column with the arrows
-- that open rows, because it subtracts the room for the arrow twice.

local element = require "sys.element"

local M = {}

local EDGE = 2     -- points between a cell and the next one's beginning
local MARK = 24    -- points: a check mark is behind the arrow, at the end of its column


--- The number of columns of a table: that of its headers, otherwise the least number of cells until one is below another. 0: it
--- is not known.
local function columns(at)
  if at.columns then return at.columns end
  local n, last = 0, {}
  for _, each in ipairs(at.down or {}) do
    n = n + (each.role == "header" and 1 or 0)
  end
  for _, each in ipairs(n == 0 and at.down or {}) do
    local b = each.role == "cell" and each.index and each.bounds
    local above = b and last[b.x]
    if above and above.bounds.y ~= b.y and (n == 0 or each.index - above.index < n) then n = each.index - above.index end
    if b then last[b.x] = each end
  end
  at.columns = n
  return n
end


--- The distance of two cells in their row, in columns; nil: they are not known to be in one row.
---@param a elements.Node
---@param b elements.Node
---@return integer?
function M.apart(a, b)
  local at = a.role == "cell" and b.role == "cell" and a.up == b.up and a.up or nil
  local n = at and a.index and b.index and columns(at) or 0
  return n > 0 and a.index // n == b.index // n and math.abs(a.index - b.index) or nil
end


--- The cells of its row that report a place now, in their order.
local function placed(node)
  local cells, ids, list = {}, {}, {}
  local n = node.up and node.index and columns(node.up) or 0
  for _, each in ipairs(n > 0 and node.up.down or {}) do
    local beside = each.role == "cell" and each.index and each.index // n == node.index // n and each ~= node
    if beside then cells[#cells + 1], ids[#ids + 1] = each, each.id end
  end
  for i, each in ipairs(#ids > 0 and element.get(ids) or {}) do
    if not each.gone and each.bounds then list[#list + 1] = { index = cells[i].index, bounds = each.bounds } end
  end
  return list
end


--- True if a row is read from the right: its first cell is there. Of a single cell, the greater room beside it says where the
--- other one is.
local function is_from_right(row, node, view)
  local first, last = row[1], row[#row]
  if first ~= last then return first.bounds.x > last.bounds.x end
  local before = first.bounds.x - view.x
  local behind = view.x + view.width - first.bounds.x - first.bounds.width
  return (before > behind) == (first.index < node.index)
end


--- The place of a cell that reports none, between those beside it in its row, or at the edge of the table; nil: it is not known.
---@param node elements.Node  a cell
---@return sys.window.Rect?
function M.place(node)
  local view = node.up and node.up.bounds
  local row, left, right = view and placed(node) or {}, nil, nil
  local from_right = row[1] and is_from_right(row, node, view)
  for _, each in ipairs(row) do
    local b = each.bounds
    local side = (each.index - node.index) * (from_right and -1 or 1)
    if side == -1 then left = b.x + b.width + EDGE end
    if side == 1 then right = b.x - EDGE end
  end
  if not left and not right then return nil end
  left, right = left or view.x + EDGE, right or view.x + view.width - EDGE
  local width, b = math.min(MARK, right - left), row[1].bounds
  return width >= 2 and { x = from_right and left or right - width, y = b.y, width = width, height = b.height } or nil
end


return M
