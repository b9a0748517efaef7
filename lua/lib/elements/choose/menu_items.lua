--- Finds the items of menus, and the menu that an item belongs to.

local snapshots = require "elements.read.snapshot"
local words     = require "elements.read.words"

local M = {}

M.ROLES = { menuitem = true, checkitem = true, radioitem = true, menu = true }
M.OPENERS = words.BUTTONS
local ITEMS, OPENERS = M.ROLES, M.OPENERS


--- True if the node is a menu that is opened together with its parent, so that a user does not see it as a menu of its own. GTK
--- 4 gives the popover of a button the button's name.
---@param node elements.Node
---@return boolean
function M.is_wrapper(node)
  if node.role ~= "menu" then return false end
  local of_button = node.up and OPENERS[node.up.role] and words.own_name(node.up) == words.own_name(node)
  return of_button or node.native:find "^popup" ~= nil or words.own_name(node) == ""
end


--- The menu, button or box that an item is in; nil: it is at the top level.
local function owner_of(node)
  local at = node.up
  while at do
    if ITEMS[at.role] and not M.is_wrapper(at) or at.role == "combobox" or OPENERS[at.role] then return at end
    if at.role == "menubar" then return nil end
    at = at.up
  end
end


local function in_menubar(node)
  local at = node.up
  while at and at.role ~= "menubar" do at = at.up end
  return at ~= nil
end


--- The items of menu bars and of an open menu. On a Mac the menu bar belongs to the application and is in no window.
---@param snapshot elements.Snapshot
---@param window_id? integer  only items of this window
---@return elements.Node[] bars
---@return elements.Node[] open
function M.first_items(snapshot, window_id)
  local bars, open = {}, {}
  for _, node in ipairs(snapshot.nodes) do
    if ITEMS[node.role] and not M.is_wrapper(node) and not owner_of(node) then
      local in_bar = in_menubar(node)
      local meant = not window_id or node.window == window_id or in_bar and not node.window
      local list = meant and (in_bar and bars or node.states.shown and open)
      if list then list[#list + 1] = node end
    end
  end
  return bars, open
end


--- True if the menu bar belongs to the application, and works on its frontmost window.
---@param snapshot elements.Snapshot
---@return boolean
function M.is_shared(snapshot)
  for _, node in ipairs(snapshot.nodes) do
    if node.role == "menubar" and not node.window then return true end
  end
  return false
end


--- The buttons that may open a menu.
---@param snapshot elements.Snapshot
---@param window_id? integer
---@return elements.Node[]
function M.menu_buttons(snapshot, window_id)
  local list = {}
  for _, node in ipairs(snapshot.nodes) do
    if OPENERS[node.role] and node.states.shown and (not window_id or node.window == window_id) and not words.doubled(node) then
      list[#list + 1] = node
    end
  end
  return list
end


---@param opener elements.Node
---@param nodes elements.Node[]
---@return elements.Node[]
function M.items_below(opener, nodes)
  local items = {}
  for _, node in ipairs(nodes) do
    if node.id ~= opener.id and ITEMS[node.role] and not M.is_wrapper(node) then
      local owner = owner_of(node)
      if owner and owner.id == opener.id then items[#items + 1] = node end
    end
  end
  return items
end


-- --- elements that open menus ----------------------------------------------------------------------

local function says_so(node)
  local states = node.states
  return states.has_popup or states.expandable or states.expanded or node.native:find "menu$" and M.OPENERS[node.role]
end


--- The outer button of a menu button: GTK 4 has a button in each of them.
---@param node elements.Node
---@return elements.Node? outer
function M.outer(node)
  local up = node.up
  return up and OPENERS[node.role] and OPENERS[up.role] and up or nil
end


local function holds_menu(node, below)
  for _, each in ipairs(below) do
    if each.role == "menu" and snapshots.is_below(each, node) then return true end
  end
  return false
end


--- True if it has a popover or a page of one. In GTK 3 the closed popover of a menu button is below it. A page that another
--- button of the popover opens begins with a button of the same name, which leads back.
local function has_page(node, all)
  for _, each in ipairs(all) do
    if each.id ~= node.id and snapshots.is_below(each, node) and (ITEMS[each.role] or OPENERS[each.role]) then return true end
    local back = OPENERS[each.role] and each.id ~= node.id and not each.states.shown and words.own_name(node) ~= ""
    if back and each.top.id == node.top.id and words.own_name(each) == words.own_name(node) and each.role == node.role then
      return true
    end
  end
  return false
end


--- True if it may open a menu, as far as its application reports. Pressing an element that opens none would choose it.
---@param node elements.Node
---@param below elements.Node[]  the elements in it, even if not shown
---@param all elements.Node[]    the application's elements, even if not shown
---@return boolean
function M.may_open(node, below, all)
  if node.role == "menu" or says_so(node) or holds_menu(node, below) then return true end
  if not OPENERS[node.role] then return #M.items_below(node, below) > 0 end
  return M.outer(node) ~= nil or has_page(node, all)
end


---@param items elements.Node[]
---@return elements.Node?
function M.some_shown(items)
  for _, item in ipairs(items) do
    if item.states.shown then return item end
  end
end


return M
