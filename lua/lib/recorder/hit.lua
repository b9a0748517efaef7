--- The element at a point, and the one that a click there means.
--
-- There are three ways to it. In a window, the application says what is at the point. In the window of an open menu or list it
-- would say what lies under it, so the shown items are compared. If it names a container, the smallest element there counts.

local element    = require "sys.element"
local menu_items = require "elements.choose.menu_items"
local places     = require "macros.places"
local window     = require "sys.window"
local words      = require "elements.read.words"

local M = {}

-- Roles in popups that can be clicked.
local ITEMS = words.set "menuitem checkitem radioitem menu listitem treeitem cell row button toggle checkbox radio link"
-- Roles that are no target even if the application names one.
local CONTAINERS = words.set("group scrollarea form element toolbar menubar statusbar tablist list table tree separator window "
  .. "dialog alert application layer")
local OPTIONS = words.set "listitem menuitem checkitem radioitem"
local TEXTS = words.set "text terminal"

---@class recorder.Hit
---@field x number
---@field y number
---@field at number             when it was known, as sys.time.monotonic() counts
---@field window? sys.window.Window  the window that the element belongs to; nil: there is none
---@field popup? sys.window.Window   the window of a menu or list that is open there
---@field node? elements.Node   what a click means; nil: a point without an element
---@field snapshot? elements.Snapshot
---@field stale? boolean        it comes of a look that something changed since
---@field print? string         a digest of the picture there, of a point without an element


local function holds(bounds, x, y)
  return bounds and x >= bounds.x and y >= bounds.y and x < bounds.x + bounds.width and y < bounds.y + bounds.height
end


--- The smallest shown element at the point.
---@param nodes elements.Node[]
---@param x number
---@param y number
---@param fits fun(node: elements.Node): any
---@return elements.Node?
function M.smallest(nodes, x, y, fits)
  local best, least
  for _, node in ipairs(nodes) do
    local b = node.bounds
    local area = b and b.width * b.height
    if node.states.shown and holds(b, x, y) and (not least or area <= least) and fits(node) then best, least = node, area end
  end
  return best
end


--- The combo box that an option belongs to, if it is closed: what is drawn there then is the box.
local function closed_box(node)
  local at = OPTIONS[node.role] and node.up or nil
  while at and at.role ~= "combobox" do at = at.up end
  if at and not at.states.expanded then return at end
end


--- The nearest element from there up that something can be done with.
---@param node? elements.Node
---@return elements.Node?
function M.climb(node)
  local at = node
  while at and not words.TOPS[at.role] do
    local works = words.WORKED[at.role] or TEXTS[at.role] or at.abilities.act and not CONTAINERS[at.role] and at.role ~= "label"
    if works then
      for _, child in ipairs(words.doubled(at) and at.down or {}) do
        if words.alike(child, at) then return child end
      end
      return closed_box(at) or at
    end
    at = at.up
  end
end


--- The item of an open menu or list at the point. What the application has in the popup's own window counts first, then items of
--- menus, then options; the rest may lie under it.
---@param snapshot elements.Snapshot
---@return elements.Node?
function M.in_popup(snapshot, popup, x, y)
  local function smallest(fits)
    return M.smallest(snapshot.nodes, x, y, function(node)
      local inside = holds(popup.frame, node.bounds.x + 1, node.bounds.y + 1)
      return ITEMS[node.role] and inside and not menu_items.is_wrapper(node) and fits(node)
    end)
  end
  return smallest(function(node) return popup.id ~= nil and node.window == popup.id end)
    or smallest(function(node) return menu_items.ROLES[node.role] end)
    or smallest(function(node) return OPTIONS[node.role] or node.role == "cell" end)
    or smallest(function() return true end)
end


--- The element at the point of a window, if the application names this one.
---@param snapshot elements.Snapshot
---@param named? elements.Node
---@return elements.Node?
function M.in_window(snapshot, window_id, named, x, y)
  local node = named
  if not node or CONTAINERS[node.role] or node.window and node.window ~= window_id then
    local inner = M.smallest(snapshot.nodes, x, y, function(each)
      return each.window == window_id and not CONTAINERS[each.role] and not menu_items.ROLES[each.role]
    end)
    node = inner or node
  end
  return M.climb(node)
end


--- The windows at a point, the frontmost first.
local function windows_at(x, y)
  local list, found = window.list { all_kinds = true } or {}, {}
  for _, each in ipairs(list) do
    if each.on_screen and not each.minimized and holds(each.frame, x, y) then found[#found + 1] = each end
  end
  return found, list
end


--- The window that a popup belongs to.
local function owner_of(popup, node, list)
  for _, each in ipairs(list) do
    if each.id == popup.parent and each.kind ~= "popup" then return each end
  end
  for _, each in ipairs(list) do
    local fits = not node or each.id == node.window or each.focused
    if each.pid == popup.pid and each.kind ~= "popup" and fits then return each end
  end
  for _, each in ipairs(list) do
    if each.pid == popup.pid and each.kind ~= "popup" then return each end
  end
end


--- Looks what is at a point.
---@param x number
---@param y number
---@param looks recorder.Looks
---@param now? boolean  true: even if that application was only just looked at
---@return recorder.Hit
function M.find(x, y, looks, now)
  local found, list = windows_at(x, y)
  local any_stale = false
  for _, each in ipairs(found) do
    local place = { pid = each.pid, started = each.started }
    local snapshot, stale
    if each.pid ~= 0 then snapshot, stale = looks:of(place, now) end
    any_stale = any_stale or stale or false
    if each.kind == "popup" then
      local node = snapshot and M.in_popup(snapshot, each, x, y)
      if node then
        return { x = x, y = y, popup = each, window = owner_of(each, node, list), node = node, snapshot = snapshot,
          stale = any_stale }
      end
    else
      local id = snapshot and element.at(each.pid, x, y)
      local node = snapshot and M.in_window(snapshot, each.id, id and snapshot.by_id[id], x, y)
      return { x = x, y = y, window = each, node = node, snapshot = snapshot, stale = any_stale,
        print = not node and places.picture(each, x, y) or nil }
    end
  end
  return { x = x, y = y, stale = any_stale }
end


return M
