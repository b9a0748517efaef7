--- Which elements are items of menus, and whose.

local words = require "elements.read.words"

local M = {}

M.ROLES = { menuitem = true, checkitem = true, radioitem = true, menu = true }
M.OPENERS = words.BUTTONS
local ITEMS, OPENERS = M.ROLES, M.OPENERS


--- A menu that another one opens with it, and that nobody sees as one of its own. GTK 4 calls the popover of a button by what the
--- button is called.
---@param node elements.Node
---@return boolean
function M.is_wrapper(node)
  if node.role ~= "menu" then return false end
  local of_button = node.up and OPENERS[node.up.role] and words.own_name(node.up) == words.own_name(node)
  return of_button or node.native:find "^popup" ~= nil or words.own_name(node) == ""
end


--- The menu, button or box that an item is in; nil: it is at the top.
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


--- Items of the menu bars, and of a menu that is open already. The bar of a Mac is the application's: it is in no window.
---@param snapshot elements.Snapshot
---@param window_id? integer  only of this one
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


--- Whether the menu bar is the application's and works on its window in front.
---@param snapshot elements.Snapshot
---@return boolean
function M.is_shared(snapshot)
  for _, node in ipairs(snapshot.nodes) do
    if node.role == "menubar" and not node.window then return true end
  end
  return false
end


--- Those that may open a menu.
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


-- --- what opens ------------------------------------------------------------------------------------

local function says_so(node)
  local states = node.states
  return states.has_popup or states.expandable or states.expanded or node.native:find "menu$" and M.OPENERS[node.role]
end


--- GTK 4 has a button in each of its menu buttons.
---@param node elements.Node
---@return elements.Node? outer
function M.outer(node)
  local up = node.up
  return up and OPENERS[node.role] and OPENERS[up.role] and up or nil
end


local function is_below(node, top)
  local at = node.up
  while at and at.id ~= top.id do at = at.up end
  return at ~= nil
end


local function holds_menu(node, below)
  for _, each in ipairs(below) do
    if each.role == "menu" and is_below(each, node) then return true end
  end
  return false
end


--- The popover of a menu button of GTK 3 is below it, and closed. A page of it that another button opens begins with a button of
--- the same name, which leads back.
local function has_page(node, all)
  for _, each in ipairs(all) do
    if each.id ~= node.id and is_below(each, node) and (ITEMS[each.role] or OPENERS[each.role]) then return true end
    local back = OPENERS[each.role] and each.id ~= node.id and not each.states.shown and words.own_name(node) ~= ""
    if back and each.top.id == node.top.id and words.own_name(each) == words.own_name(node) and each.role == node.role then
      return true
    end
  end
  return false
end


--- Whether it may open a menu, as far as its application tells: what opens none would be chosen.
---@param node elements.Node
---@param below elements.Node[]  what is in it, also what is not shown
---@param all elements.Node[]    of the application, also what is not shown
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
