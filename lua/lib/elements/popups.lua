--- Windows of open menus and lists, where the window system has such.

local window = require "sys.window"

local M = {}


---@return table<integer, sys.window.Window>
function M.now()
  local by_id = {}
  for _, each in ipairs(window.list { all_kinds = true } or {}) do
    if each.kind == "popup" and each.on_screen then by_id[each.id] = each end
  end
  return by_id
end


--- The one that came since then; nil: none, or menus are not windows here. Of several it is the largest: others are hints.
---@param before table<integer, sys.window.Window>  of now()
---@return sys.window.Window?
function M.came(before)
  local found, most = nil, 0
  for id, each in pairs(M.now()) do
    local area = each.frame.width * each.frame.height
    if not before[id] and area > most then found, most = each, area end
  end
  return found
end


---@param id integer
---@return boolean
function M.is_open(id) return M.now()[id] ~= nil end


return M
