--- A place under the pointer: what a click there means, and the look at its application by which a selector is told from others.
--
-- The element is found by elements.find.hit, which asks the application for what is at the point. The look at all of it takes
-- longer, so it may end after a press whose element was known in time.

local hit    = require "elements.find.hit"
local places = require "macros.places"
local time   = require "sys.time"
local window = require "sys.window"
local words  = require "elements.read.words"

local M = {}

-- Roles of elements on which a click has no meaning that is known: they hold others, or show what is drawn in them.
local ITEMS = words.set "menuitem checkitem radioitem"
local NO_TARGETS = words.set "canvas separator layer"

---@class recorder.Spot
---@field x number
---@field y number
---@field at number             when the element was known, as sys.time.monotonic() counts
---@field window? sys.window.Window  the window that the element belongs to; nil: there is none
---@field popup? sys.window.Window   the window of a menu or list that is open there
---@field node? elements.Node   what a click means, in the snapshot; nil: a point without an element
---@field seen? elements.Node   the same, as the application named it
---@field snapshot? elements.Snapshot  a look at the whole application
---@field stale? boolean        it comes of a look that something changed since
---@field print? string         a digest of the picture there, of a point without an element


--- The window that a popup belongs to.
local function owner_of(popup, node)
  local list = window.list { pid = popup.pid, all_kinds = true } or {}
  local function first(fits)
    for _, each in ipairs(list) do
      if each.kind ~= "popup" and fits(each) then return each end
    end
  end
  return first(function(each) return each.id == popup.parent end)
    or first(function(each) return not node or each.id == node.window or each.focused end)
    or first(function() return true end)
end


--- True for an element that a step may act on.
---@param node elements.Node
---@return boolean
function M.is_target(node)
  if node.role == "document" then return node.states.editable or false end   -- text is typed into it
  return not hit.is_container(node) and not words.TOPS[node.role] and not NO_TARGETS[node.role]
end


--- True for an item of a menu where no menu is drawn: its application tells of a place before, or without, drawing it there.
local function is_undrawn(node)
  if not ITEMS[node.role] or not node.up then return false end
  local at = node.up
  while at and at.native ~= "document web" do at = at.up end   -- pages have menus of their own
  return not at and node.up.role ~= "menubar"
end


--- The cell that names the row of one without a name: GTK has a cell for each picture and each text of a row.
local function cell_with_name(node)
  local is_blank = node.role == "cell" and node.up and words.own_name(node) == "" and not node.states.checkable
    and not node.states.checked
  for _, each in ipairs(is_blank and node.up.role == "cell" and node.up.down or {}) do
    if each.role == "cell" and each.bounds and words.own_name(each) ~= "" then return each end
  end
  return node
end


--- The same element in another look.
---@param snapshot elements.Snapshot
---@param node elements.Node
---@param x number
---@param y number
---@return elements.Node?
function M.same_in(snapshot, node, x, y)
  local same = snapshot.by_id[node.id]
  if same then return same end
  local there = hit.smallest(snapshot.nodes, x, y)
  there = there and hit.control(there)
  local alike = there and there.role == node.role and words.own_name(there) == words.own_name(node)
  return alike and there or nil
end


--- The element that a look had at a point of a window.
---@param snapshot elements.Snapshot
---@param window_id integer
---@return elements.Node?
function M.in_look(snapshot, window_id, x, y)
  local nodes = {}
  for _, node in ipairs(snapshot.nodes) do
    if node.window == window_id then nodes[#nodes + 1] = node end
  end
  local leaf = hit.smallest(nodes, x, y)
  return leaf and hit.control(leaf)
end


local function drawn_at(whole, its, x, y)
  if whole then return hit.in_drawn_menu(whole, its.id, x, y) end
end


--- Looks what is at a point.
---@param x number
---@param y number
---@param looks recorder.Looks
---@param now? boolean  true: even if that application was only just looked at
---@return recorder.Spot
function M.find(x, y, looks, now)
  local its = hit.window(x, y)
  if not its or its.pid == 0 then return { x = x, y = y, window = its, at = time.monotonic() } end
  local place, whole, stale = { pid = its.pid, started = its.started }, nil, nil
  local at_once = now or its.kind == "popup"   -- it is gone after the next press
  local function look()
    whole, stale = looks:of(place, at_once)
    return whole, "it tells of no elements", "no_tree"
  end
  if hit.is_deaf(its) then looks:change(its.pid) end   -- such applications do not report what changes either
  local found = hit.within(its, x, y, { look = look })
  if not found and its.kind == "popup" then
    looks:change(its.pid)
    found = hit.within(its, x, y, { look = look })
  end
  local at = time.monotonic()
  if not whole then look() end
  local named = found and found.node
  if its.kind ~= "popup" then
    local drawn, item = drawn_at(whole, its, x, y)
    if not drawn and named and is_undrawn(named) then
      looks:change(its.pid)   -- Swing does not report a menu that opened
      look()
      drawn, item = drawn_at(whole, its, x, y)
      named = nil
    end
    if drawn then named = item end
  end
  if named and not M.is_target(named) then named = nil end
  local node = named and whole and M.same_in(whole, named, x, y)
  node = node and cell_with_name(node)
  local popup = its.kind == "popup" and its or nil
  local owner = popup and owner_of(popup, node) or its
  return { x = x, y = y, at = at, window = owner, popup = popup, node = node, seen = named, snapshot = whole,
    stale = stale or named and not node or false, print = not node and places.picture(owner, x, y) or nil }
end


return M
