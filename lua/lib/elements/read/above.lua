--- The modal dialog over a window: as the window system tells it, or the application of a window that lies over it.
--
-- Swing tells the window system of no dialog that it is modal; its element says so.

local element = require "sys.element"

local M = {}

local ANSWERS = 0.3   -- seconds


--- True if the upper window is a dialog of the lower one, a dialog of such a dialog, or a popup in one.
local function is_over(list, upper, lower)
  local by_id = {}
  for _, each in ipairs(list) do by_id[each.id] = each end
  local at, steps = by_id[upper], 0
  while at and at.parent and steps < #list do
    if at.parent == lower then return true end
    at, steps = by_id[at.parent], steps + 1
  end
  return false
end


--- True if the application calls this window modal.
local function calls_it_modal(each)
  local tree = element.tree { pid = each.pid, window = each.id, depth = 1, timeout = ANSWERS }
  for _, node in ipairs(tree and tree.nodes or {}) do
    if node.window == each.id and node.states.modal then return true end
  end
  return false
end


--- The modal dialog in front of an element's window, and whether the element is in a listed window: open menus and lists are
--- not.
---@param list sys.window.Window[]
---@param node {window?: integer, pid: integer}
---@return sys.window.Window? over
---@return boolean is_listed
function M.modal(list, node)
  local mine
  for _, each in ipairs(list) do
    if each.id == node.window then mine = each end
  end
  local asked = {}
  for _, each in ipairs(mine and list or {}) do
    local is_its = each.parent ~= nil and is_over(list, each.id, mine.id)
    local lies = each.id ~= mine.id and (is_its or not each.parent and each.pid == node.pid)
    local in_front = not each.order or not mine.order or each.order < mine.order
    if each.modal and not each.minimized and lies and in_front then return each, true end
    if is_its and each.id ~= mine.id and not each.minimized and in_front then asked[#asked + 1] = each end
  end
  for _, each in ipairs(asked) do
    if calls_it_modal(each) then return each, true end
  end
  return nil, mine ~= nil
end


return M
