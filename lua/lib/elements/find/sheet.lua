--- The cells of a sheet in a region. Of a sheet with millions of cells a look has only the first rows in view; here the sheet is
--- asked for the cells at points of the region, or for all cells in view if those are many.

local element   = require "sys.element"
local hit       = require "elements.find.hit"
local rect      = require "rect"
local refs      = require "elements.read.refs"
local snapshots = require "elements.read.snapshot"
local task      = require "sys.task"
local words     = require "elements.read.words"

local M = {}

local ASKED = 100   -- cells that are asked for one by one; reading all in view is quicker than more of them
local READ = 10000  -- cells in view that are read, at most
local ROUNDS = 12   -- in which cells of other sizes than the first are found
local AT_ONCE = 8


--- True for a sheet: a table of which only a part is read, with cells that have their positions as names.
---@param node elements.Node
---@return boolean
function M.is(node)
  local first = node.down[1]
  return node.role == "table" and node.bounds ~= nil and (node.children or 0) > #node.down and first ~= nil
    and words.is_of_sheet(first)
end


--- The cell at a point; nil: none, or the sheet is elsewhere now.
local function cell_at(sheet, x, y)
  local tree = hit.named(sheet, x, y)
  local now, cell = tree and not tree.late and tree.nodes[1], tree and tree.nodes[2]
  local same = now and now.bounds and now.bounds.x == sheet.bounds.x and now.bounds.y == sheet.bounds.y
  if same and cell and cell.role == "cell" and cell.parent == sheet.id and cell.bounds and rect.holds(cell.bounds, x, y) then
    return cell
  end
end


--- The middles of the cells of a grid in an area, if all cells are as large as this one.
local function grid(area, cell)
  local function steps(from, size, at, each)
    local first, list = at + math.floor((from - at) / each) * each, {}
    for edge = first, from + size - 1, each do
      list[#list + 1] = math.max(from, math.min(from + size - 1, math.floor(edge + each / 2)))
    end
    return list
  end
  local points, xs = {}, steps(area.x, area.width, cell.x, cell.width)
  for _, y in ipairs(steps(area.y, area.height, cell.y, cell.height)) do
    for _, x in ipairs(xs) do points[#points + 1] = { x = x, y = y } end
  end
  return points
end


--- Adds the cells at these points that are new. False: there was none at one of them.
local function ask(sheet, points, cells, by_name)
  local found = task.map(points, function(point) return cell_at(sheet, point.x, point.y) end, AT_ONCE)
  for i = 1, #points do
    local cell = found[i]
    if not cell then return false end
    if not by_name[cell.name] then cells[#cells + 1], by_name[cell.name] = cell, cell end
  end
  return true
end


local function without(areas, cells, from)
  for i = from, #cells do areas = rect.without(areas, cells[i].bounds) end
  return areas
end


--- The column and the row of a cell: 3, 5 for "C5".
local function position(name)
  local letters, row = name:match "^(%u+)(%d+)$"
  local column = 0
  for letter in (letters or ""):gmatch "." do column = column * 26 + letter:byte() - 64 end
  return column, math.tointeger(tonumber(row)) or 0
end


local function letters_of(column)
  local letters = ""
  while column > 0 do
    letters = string.char(65 + (column - 1) % 26) .. letters
    column = (column - 1) // 26
  end
  return letters
end


--- Adds the cells between these that were seen before, as they are now.
local function recall(sheet, areas, cells, by_name, look)
  local left, top, right, bottom, ids = math.huge, math.huge, 0, 0, {}
  for _, cell in ipairs(cells) do
    local column, row = position(cell.name)
    left, top, right, bottom = math.min(left, column), math.min(top, row), math.max(right, column), math.max(bottom, row)
  end
  if (right - left + 1) * (bottom - top + 1) > ASKED then return end
  for row = top, bottom do
    for column = left, right do
      local name = letters_of(column) .. row
      ids[#ids + 1] = not by_name[name] and refs.cell_id(look, sheet, name) or nil
    end
  end
  for _, cell in ipairs(#ids > 0 and element.get(ids) or {}) do
    local b = not cell.gone and cell.role == "cell" and cell.states.shown and cell.bounds
    if b and b.width >= 1 and b.height >= 1 and words.is_of_sheet(cell) and not by_name[cell.name] and M.touches(areas, b) then
      cell.parent, cell.window = sheet.id, sheet.window
      cells[#cells + 1], by_name[cell.name] = cell, cell
    end
  end
end


--- The middles of cells as large as this one in the areas, where none of the cells is.
local function guessed(areas, first, cells)
  local points = {}
  for _, area in ipairs(areas) do
    for _, point in ipairs(grid(area, first.bounds)) do
      local known = false
      for _, cell in ipairs(cells) do known = known or rect.holds(cell.bounds, point.x, point.y) end
      if not known then points[#points + 1] = point end
    end
  end
  return points
end


local function size_of(cell) return cell.bounds.width * cell.bounds.height end


--- The cells without those that a merged one covers: they have places as if it was not there.
local function uncovered(cells)
  local least, large, kept = math.huge, {}, {}
  for _, cell in ipairs(cells) do least = math.min(least, size_of(cell)) end
  for _, cell in ipairs(cells) do large[#large + 1] = size_of(cell) > least and cell or nil end
  for _, cell in ipairs(cells) do
    local b, is_covered = cell.bounds, false
    for _, other in ipairs(large) do
      local inside = rect.holds(other.bounds, b.x + b.width / 2, b.y + b.height / 2)
      is_covered = is_covered or inside and size_of(other) > size_of(cell)
    end
    if not is_covered then kept[#kept + 1] = cell end
  end
  return kept
end


--- The cells found at points: first at two corners, and those between that were seen before. Each round then asks in what no cell
--- covers, first as if all were as large as the known one.
local function asked(sheet, areas, first, look)
  local cells, by_name, points, done = {}, {}, {}, 0
  for _, area in ipairs(areas) do
    local x, y = math.max(area.x, area.x + area.width - 1), math.max(area.y, area.y + area.height - 1)
    table.move({ { x = area.x, y = area.y }, { x = x, y = y } }, 1, 2, #points + 1, points)
  end
  if not ask(sheet, points, cells, by_name) then return nil end
  recall(sheet, areas, cells, by_name, look)
  points = guessed(areas, first, cells)
  for _ = 1, ROUNDS do
    if #points > ASKED or #points > 0 and not ask(sheet, points, cells, by_name) then return nil end
    areas = without(areas, cells, done + 1)
    if #areas == 0 then return uncovered(cells) end
    points, done = {}, #cells
    for _, area in ipairs(areas) do points[#points + 1] = { x = area.x, y = area.y } end
  end
end


--- All cells in view that are in these areas; nil: not all there were read.
local function viewed(sheet, areas)
  local tree = element.tree { root = sheet.id, depth = 1, nodes = READ, children = READ, bounds = true, values = true }
  if not tree or tree.late then return nil end
  local cells = {}
  for _, node in ipairs(tree.nodes) do
    local b = node.role == "cell" and node.parent == sheet.id and node.bounds
    if b and M.touches(areas, b) then cells[#cells + 1] = node end
  end
  return #without(areas, cells, 1) == 0 and uncovered(cells) or nil
end


--- True if the bounds have a part in common with one of the areas.
---@param areas sys.window.Rect[]
---@param bounds sys.window.Rect
---@return boolean
function M.touches(areas, bounds)
  for _, area in ipairs(areas) do
    if rect.meet(area, bounds) then return true end
  end
  return false
end


--- The order of reading: merged cells are in their first row.
local function in_order(cells)
  table.sort(cells, function(a, b)
    local column, row = position(a.name)
    local its_column, its_row = position(b.name)
    if row ~= its_row then return row < its_row end
    return column < its_column
  end)
  return cells
end


--- The cells as nodes, with what is around the sheet.
local function joined(sheet, cells, look)
  local nodes, at = { sheet }, sheet.up
  while at do
    table.insert(nodes, 1, at)
    at = at.up
  end
  for i, node in ipairs(nodes) do   -- the snapshot that they are from keeps its own
    nodes[i] = {}
    for key, value in pairs(node) do nodes[i][key] = value end
  end
  table.move(cells, 1, #cells, #nodes + 1, nodes)
  local snapshot = snapshots.of({ nodes = nodes, cut = false, route = look.route },
    { pid = look.pid, started = look.started, root = nodes[1].id, partial = true })
  return table.move(snapshot.nodes, #snapshot.nodes - #cells + 1, #snapshot.nodes, 1, {})
end


--- The parts of the areas that are in the sheet and in none of the cells that it has.
---@param sheet elements.Node
---@param areas sys.window.Rect[]
---@return sys.window.Rect[]
function M.missing(sheet, areas)
  local left = {}
  for _, area in ipairs(areas) do
    local x, y, b = math.max(area.x, sheet.bounds.x), math.max(area.y, sheet.bounds.y), sheet.bounds
    local width = math.min(area.x + area.width, b.x + b.width) - x
    local height = math.min(area.y + area.height, b.y + b.height) - y
    if width >= 1 and height >= 1 then left[#left + 1] = { x = x, y = y, width = width, height = height } end
  end
  for _, node in ipairs(sheet.down) do
    if node.bounds then left = rect.without(left, node.bounds) end
  end
  return left
end


--- True if something else in the document, such as a chart, may lie over the cells there.
local function is_covered(sheet, areas)
  local tree = sheet.up and element.tree { root = sheet.up.id, depth = 1, bounds = true }
  if not tree or tree.late then return true end
  for _, node in ipairs(tree.nodes) do
    local beside = node.parent == sheet.up.id and node.id ~= sheet.id and node.bounds
    if beside and M.touches(areas, beside) then return true end
  end
  return false
end


--- The cells of a sheet that these areas touch, empty ones, too. Areas are in the sheet.
---@param sheet elements.Node
---@param areas sys.window.Rect[]
---@param first elements.Node     a cell of it
---@param look elements.Snapshot  the one that these are from
---@return elements.Node[]?  nil: they are not known, or something covers them
function M.cells(sheet, areas, first, look)
  local b, count = first.bounds, 0
  if not b or b.width < 2 or b.height < 2 or is_covered(sheet, areas) then return nil end
  for _, area in ipairs(areas) do count = count + area.width * area.height / b.width / b.height end
  local cells = count <= ASKED and asked(sheet, areas, first, look) or viewed(sheet, areas)
  return cells and joined(sheet, in_order(cells), look)
end


--- All cells in view that these areas touch.
---@param sheet elements.Node
---@param areas sys.window.Rect[]
---@param look elements.Snapshot
---@return elements.Node[]?  nil: they are not known
function M.in_view(sheet, areas, look)
  local cells = viewed(sheet, areas)
  return cells and joined(sheet, in_order(cells), look)
end


return M
