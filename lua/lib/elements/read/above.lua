--- The modal dialog over a window, as the window system tells it.

local M = {}


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
  for _, each in ipairs(mine and list or {}) do
    local lies = each.id ~= mine.id and (not each.parent and each.pid == node.pid or is_over(list, each.id, mine.id))
    local in_front = not each.order or not mine.order or each.order < mine.order
    if each.modal and not each.minimized and lies and in_front then return each, true end
  end
  return nil, mine ~= nil
end


return M
