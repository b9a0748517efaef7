--- Windows of open menus and lists, if the window system has such windows.

local window = require "sys.window"

local M = {}


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


--- True if the window is still there, or if that is not known.
---@param id integer
---@return boolean
function M.is_open(id)
  local now = M.now()
  return not now or now[id] ~= nil
end


return M
