--- Elements in a region of the desktop.

local find        = require "elements.find.search"
local hit         = require "elements.find.hit"
local outline     = require "elements.read.outline"
local recognition = require "elements.read.recognition"
local rect        = require "rect"
local selector    = require "elements.find.selector"
local sheet       = require "elements.find.sheet"
local target      = require "elements.find.target"
local window      = require "sys.window"
local words       = require "elements.read.words"

local M = {}

local SMALL = 10000   -- square points of a region that may be inside one element


local NO_WINDOW = "No window is in the middle of the region. Pass application or window."


--- A whole point, if there is one: applications name what is at such a point, and one at half a point may be before an edge that
--- it is behind.
local function between(from, size)
  local whole = math.floor(from + size / 2)
  return whole >= from and whole or from + size / 2
end


local function middle(region) return between(region.x, region.width), between(region.y, region.height) end


--- The place that the arguments name, else the application of the window in front in the middle of the region, and that window.
---@return elements.Place? place
---@return (sys.window.Window|string)? its_window
---@return string? code
local function place_of(args, region)
  if not args.application and not args.window then
    local its, err, code = hit.window(middle(region))
    if not its then return nil, code == "window_not_found" and NO_WINDOW or err, code end
    return { pid = its.pid, started = its.started, source = args.source }, its
  end
  local place, err, code = target.place(args)
  if not place then return nil, err, code end
  local its = hit.window(middle(region))
  local there = its and its.pid == place.pid and (not place.window or place.window == its.id)
  return place, there and its or nil
end


local BARS = words.set "menu menubar"

--- True for an element that holds nothing, or whose content is elsewhere: the items of a menu are beside it.
local function is_single(node) return #node.down == 0 or node.role == "menu" and node.up ~= nil and BARS[node.up.role] ~= nil end


--- The elements with a line of their own whose bounds touch the region, and all cells of sheets; containers only if they are
--- completely inside it.
function M.within(nodes, region)
  local found = {}
  for _, node in ipairs(nodes) do
    local b = node.bounds
    local inside = b and b.x >= region.x and b.y >= region.y and b.x + b.width <= region.x + region.width
      and b.y + b.height <= region.y + region.height
    local says = outline.says(node) or words.is_of_sheet(node) and node.up ~= nil and sheet.is(node.up)
    if b and node.states.shown and says and rect.meet(b, region) and (inside or is_single(node)) then
      found[#found + 1] = node
    end
  end
  return found
end


local function holds(bounds, region)
  return bounds.x <= region.x and bounds.y <= region.y and bounds.x + bounds.width >= region.x + region.width
    and bounds.y + bounds.height >= region.y + region.height
end


local function holds_all(bounds, areas)
  for _, area in ipairs(areas) do
    if not holds(bounds, area) then return false end
  end
  return bounds ~= nil
end


--- Those of the elements that are in one of these parts of the region.
local function in_areas(nodes, areas)
  local found = {}
  for _, node in ipairs(nodes) do
    if sheet.touches(areas, node.bounds) then found[#found + 1] = node end
  end
  return found
end


--- The cells in these areas, if they are in one sheet, as this cell is.
local function cells_in(leaf, areas, snapshot)
  local is_cell = leaf.up and words.is_of_sheet(leaf) and sheet.is(leaf.up) and holds_all(leaf.up.bounds, areas)
  return is_cell and sheet.cells(leaf.up, areas, leaf, snapshot) or nil
end


--- The elements of areas that are inside one element, or one sheet; nil: they are not, or the whole application has to be
--- read. If none has a line of its own it is the one that gets a click: a button with nothing but its text.
---@return elements.Node[]? nodes  err, if this is nil and there is one
---@return string? err
---@return string? code
local function in_one(args, areas, its)
  local x, y = middle(areas[1])
  local found, err, code = hit.within(its, x, y, { source = args.source, region = areas[1] })
  if not found then
    if code == "element_not_found" then return its.kind == "popup" and {} or nil end
    return nil, err, code
  end
  local is_in = found.leaf.bounds and holds_all(found.leaf.bounds, areas)
  if found.snapshot.partial and not is_in then return cells_in(found.leaf, areas, found.snapshot) end
  local nodes = {}
  for _, area in ipairs(areas) do   -- they are parts of one region
    for _, node in ipairs(M.within(found.nodes, area)) do
      if not nodes[node] then nodes[#nodes + 1], nodes[node] = node, true end
    end
  end
  if #nodes == 0 and is_in and not hit.is_container(found.node) then nodes[1] = found.node end
  return table.move(nodes, 1, #nodes, 1, {})
end


--- The cells of areas that are larger than most elements.
local function in_sheet(areas, its)
  local snapshot, _, leaf = hit.quick(its, middle(areas[1]))
  return snapshot and leaf and cells_in(leaf, areas, snapshot) or nil
end


-- --- open menus ----------------------------------------------------------------------------------------

---@class elements.Over
---@field popup sys.window.Window
---@field areas sys.window.Rect[]  the parts of the region in which it is in front

--- The popups of the application over a region, from the front, and the parts of the region that are left.
---@return elements.Over[] over
---@return sys.window.Rect[] left
local function divide(place, region)
  local over, left = {}, { region }
  for _, each in ipairs(not place.window and window.list { all_kinds = true } or {}) do
    if each.kind == "popup" and each.pid == place.pid and each.on_screen and sheet.touches(left, each.frame) then
      local behind, areas = rect.without(left, each.frame), left
      for _, part in ipairs(behind) do areas = rect.without(areas, part) end
      over[#over + 1], left = { popup = each, areas = areas }, behind
    end
  end
  return over, left
end


local function larger(a, b) return a.width * a.height > b.width * b.height end


--- Elements in front at each place of a region, if menus are over it; nil: the whole application has to be read.
local function in_front(args, region, over, left)
  local found = {}
  for _, each in ipairs(over) do
    local snapshot, nodes = hit.menu(each.popup)
    if not snapshot or not nodes then return nil end
    for _, node in ipairs(in_areas(M.within(nodes, region), each.areas)) do found[#found + 1] = node end
  end
  if #left == 0 then return found end
  table.sort(left, larger)
  local its = hit.window(middle(left[1]))
  if not its or its.pid ~= over[1].popup.pid or its.kind == "popup" then return nil end
  local behind = region.width * region.height > SMALL and in_sheet(left, its) or nil
  if not behind and region.width * region.height <= SMALL then behind = in_one(args, left, its) end
  return behind and table.move(behind, 1, #behind, #found + 1, found) or nil
end


--- Those of the elements in a region that no menu covers.
local function uncovered(nodes, snapshot, over, left)
  local areas_of, open = {}, left
  for _, each in ipairs(over) do
    local inside = hit.in_popup(snapshot, each.popup)
    for _, node in ipairs(inside) do areas_of[node.id] = each.areas end
    if #inside == 0 then open = table.move(each.areas, 1, #each.areas, #open + 1, { table.unpack(open) }) end
  end
  local found = {}
  for _, node in ipairs(nodes) do
    if sheet.touches(areas_of[node.id] or open, node.bounds) then found[#found + 1] = node end
  end
  return found
end


-- --- all ---------------------------------------------------------------------------------------------------

local function wanted(args, snapshot)
  if not args.selector then return snapshot.nodes end
  local parsed, err, code = selector.parse(args.selector)
  if not parsed then return nil, err, code end
  return find.all(recognition.widen(snapshot, parsed), parsed)
end


--- The elements with the cells of sheets that a look leaves out because they are too many.
local function with_cells(nodes, snapshot, left)
  for _, node in ipairs(snapshot.nodes) do
    local missing = sheet.is(node) and node.states.shown and sheet.missing(node, left) or {}
    local cells = #missing > 0 and sheet.in_view(node, missing, snapshot) or {}
    local known = {}
    for _, each in ipairs(nodes) do known[each.id] = true end
    for _, cell in ipairs(cells) do
      if not known[cell.id] then nodes[#nodes + 1] = cell end
    end
  end
  return nodes
end


local function part(args, region, its, over, left)
  if args.selector or args.source:find "^ocr" then return nil end
  if #over > 0 then return in_front(args, region, over, left) end
  if not its then return nil end
  if region.width * region.height > SMALL then return in_sheet(left, its) end
  return in_one(args, left, its)
end


--- The elements in a region, and their place.
---@param args {application?: string, window?: string, selector?: string, source: string}
---@param region sys.window.Rect
---@return elements.Node[]? nodes
---@return (elements.Place|string)? place
---@return string? code
function M.find(args, region)
  local place, its, code = place_of(args, region)
  if not place then return nil, its, code end
  local over, left = divide(place, region)
  local nodes, err
  nodes, err, code = part(args, region, its, over, left)
  if nodes then return nodes, place end
  if err then return nil, err, code end
  local snapshot
  snapshot, err, code = target.look(place, { region = region })
  if not snapshot then return nil, err, code end
  nodes, err, code = wanted(args, snapshot)
  if not nodes then return nil, err, code end
  nodes = uncovered(M.within(nodes, region), snapshot, over, left)
  return args.selector and nodes or with_cells(nodes, snapshot, left), place
end


return M
