--- Windows of open menus and lists, if the window system has such windows.

local window = require "sys.window"

local M = {}

--- Roles of what an open menu or list consists of.
M.ITEMS = { menu = true, menuitem = true, checkitem = true, radioitem = true, listitem = true }


--- The windows by ID; nil if they could not be read.
---@return table<integer, sys.window.Window>?
function M.now()
  local list, by_id = window.list { all_kinds = true }, {}
  if not list then return nil end
  for _, each in ipairs(list) do
    if each.kind == "popup" and each.on_screen then by_id[each.id] = each end
  end
  return by_id
end


--- The window that came since then; nil: none, or menus are not windows here. If several came it is the largest: others are
--- hints.
---@param before? table<integer, sys.window.Window>  the result of now()
---@return sys.window.Window?
function M.came(before)
  local found, most = nil, 0
  for id, each in pairs(before and M.now() or {}) do
    local area = each.frame.width * each.frame.height
    if not before[id] and area > most then found, most = each, area end
  end
  return found
end


--- True if the place lies in the window. GTK 2 never tells that items of an open menu are shown, and this shows it.
---@param popup? sys.window.Window
---@param bounds? sys.window.Rect
---@return boolean
function M.holds(popup, bounds)
  local frame = popup and popup.frame
  if not frame or not bounds or bounds.width <= 1 then return false end
  return bounds.x >= frame.x and bounds.y >= frame.y and bounds.x + bounds.width <= frame.x + frame.width
    and bounds.y + bounds.height <= frame.y + frame.height
end


local MARGIN = 24   -- points of a menu's window beside its items, at most

--- The rectangle around those that have a place, as separators have not always.
local function around(items)
  local box
  for _, item in ipairs(items) do
    local b = item.bounds
    if b and b.width > 1 then
      box = box or { x = b.x, y = b.y, right = b.x, bottom = b.y }
      box.x, box.y = math.min(box.x, b.x), math.min(box.y, b.y)
      box.right, box.bottom = math.max(box.right, b.x + b.width), math.max(box.bottom, b.y + b.height)
    end
  end
  return box and { x = box.x, y = box.y, width = box.right - box.x, height = box.bottom - box.y }
end


--- True if the items, which have that box around them, fill the window.
local function fills(popup, box)
  local frame = popup.frame
  return box ~= nil and frame.width - box.width <= MARGIN and frame.height - box.height <= MARGIN and M.holds(popup, box)
end


--- True if these are what an open menu or list shows in its window: they fill it. A long one goes on above or below it.
---@param popup sys.window.Window
---@param items elements.Node[]
---@return boolean
function M.shows(popup, items)
  local shown, all = {}, true
  for _, item in ipairs(items) do
    if item.states.shown then shown[#shown + 1] = item end
    all = all and (M.ITEMS[item.role] or item.role == "separator")
  end
  local box, frame = around(shown), popup.frame
  if not box or not all then return fills(popup, box) end
  local top, bottom = math.max(box.y, frame.y), math.min(box.y + box.height, frame.y + frame.height)
  return fills(popup, { x = box.x, y = top, width = box.width, height = bottom - top })
end


--- The open window that the items of a menu fill; nil: there is none. Items of a closed menu may have the places of the last
--- time, so to lie in a window is not enough.
---@param pid integer
---@param read fun(): {bounds?: sys.window.Rect}[]?  reads the items; called only if the process has an open window of that kind
---@return sys.window.Window?
function M.filled_by(pid, read)
  local box
  for _, each in pairs(M.now() or {}) do
    if each.pid == pid then box = box or around(read() or {}) end
    if each.pid == pid and fills(each, box) then return each end
  end
end


--- True if the window is still there, or if that is not known.
---@param id integer
---@return boolean
function M.is_open(id)
  local now = M.now()
  return not now or now[id] ~= nil
end


return M
