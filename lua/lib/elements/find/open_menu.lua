--- The content of an open menu, read without the rest of its application: from the menu's own window, or from the menu that
--- opened it, which lies beside it.

local element   = require "sys.element"
local popups    = require "elements.read.popups"
local rect      = require "rect"
local snapshots = require "elements.read.snapshot"
local window    = require "sys.window"

local M = {}

local PART = 300    -- elements of a menu that are read
local BESIDE = 4    -- points from a menu to the one that opened it,
local BELOW = 12    -- and below its upper edge, where that is beside it


--- The elements as a snapshot, if one of them is a menu whose items fill the popup.
---@param nodes sys.element.Node[]
---@return elements.Snapshot?
local function shown(popup, nodes, route)
  local look = { pid = popup.pid, started = popup.started, root = nodes[1].id, partial = true }
  local snapshot = snapshots.of({ nodes = nodes, cut = false, route = route }, look)
  for _, node in ipairs(snapshot.nodes) do
    if node.role == "menu" and #node.down > 0 and popups.shows(popup, node.down) then return snapshot end
  end
end


local function own(popup, top)
  local tree = top and element.tree { root = top.id, nodes = PART, bounds = true, values = true }
  local whole = tree and not tree.late and #tree.nodes > 1 and #tree.nodes < PART and tree.nodes[1].window == popup.id
  return whole and shown(popup, tree.nodes, tree.route) or nil
end


--- The points at which a menu may be that opened this one: first those in another popup. One in front of it was opened by it.
local function points(popup)
  local f = popup.frame
  local right, bottom = f.x + f.width - 1 + BESIDE, f.y + f.height - 1 + BESIDE
  local list, first = { { f.x + BESIDE, f.y - BESIDE }, { f.x - BESIDE, f.y + BELOW }, { right, f.y + BELOW },
    { f.x + BESIDE, bottom } }, {}
  local is_behind = false
  for _, each in ipairs(window.list { all_kinds = true } or {}) do   -- from the front
    local other = each.kind == "popup" and each.pid == popup.pid and each.on_screen and each.id ~= popup.id
    for i = #list, 1, -1 do
      local point = other and rect.holds(each.frame, list[i][1], list[i][2]) and table.remove(list, i)
      if point and is_behind then first[#first + 1] = point end
    end
    is_behind = is_behind or each.id == popup.id
  end
  return table.move(list, 1, #list, #first + 1, first)
end


---@param popup sys.window.Window
---@param top? elements.Top  the element of its window
---@param opener_at fun(popup: sys.window.Window, x: number, y: number): sys.element.Node[]?, string?  the menu at a point, behind
---  what is around it and before what is in it
---@return elements.Snapshot?  nil: it is not a menu, or that is not known
function M.read(popup, top, opener_at)
  local snapshot = own(popup, top)
  if snapshot then return snapshot end
  for _, point in ipairs(points(popup)) do
    local nodes, route = opener_at(popup, point[1], point[2])
    snapshot = nodes and shown(popup, nodes, route)
    if snapshot then return snapshot end
  end
end


return M
