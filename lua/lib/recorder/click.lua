--- The meaning of a click: the item of a menu, an option, a state, a button, or only a place.

local menu_items = require "elements.choose.menu_items"
local words      = require "elements.read.words"

local M = {}

local ITEMS = words.set "menuitem checkitem radioitem"
local OPTIONS = words.set "menuitem checkitem radioitem listitem cell"
local CHECKS = words.set "checkbox switch"
local FIELDS = words.set "entry text password terminal document"
local NOTHING = words.set "scrollbar separator tooltip"

---@class recorder.Deed
---@field kind "menu"|"choose"|"set"|"click"|"point"|"open_menu"|"open_box"|"focus"|"none"
---@field node? elements.Node  the element that it is about
---@field path? string|string[]
---@field option? string
---@field value? string


--- The nearest outer element of this role.
local function outer(node, role)
  local at = node.up
  while at and at.role ~= role do at = at.up end
  return at
end


--- The names from the menu bar down to an item; nil: it is in no menu bar, or one of them has no name.
---@param node elements.Node
---@return string|string[]?
function M.path(node)
  local names, at, plain = {}, node, true
  while at and at.role ~= "menubar" do
    if menu_items.ROLES[at.role] and not menu_items.is_wrapper(at) then
      local name = words.own_name(at)
      if name == "" then return nil end
      plain = plain and not name:find ">"
      table.insert(names, 1, name)
    end
    at = at.up
  end
  if not at then return nil end
  return plain and table.concat(names, " > ") or names
end


local function of_item(node)
  local path = M.path(node)
  if path then return { kind = "menu", path = path, node = node } end
  return { kind = "click", node = node }
end


--- Says what a click means.
---@param hit recorder.Hit
---@param box? elements.Node  the combo box that the click before opened
---@return recorder.Deed
function M.deed(hit, box)
  local node = hit.node
  if not hit.window then return { kind = "none" } end
  if not node then return { kind = "point" } end
  local owner = OPTIONS[node.role] and outer(node, "combobox") or hit.popup and OPTIONS[node.role] and box or nil
  owner = owner and hit.snapshot and hit.snapshot.by_id[owner.id]   -- the box is of an earlier look
  if owner then return { kind = "choose", node = owner, option = words.own_name(node) } end
  if node.role == "menu" then return { kind = "open_menu", node = node } end
  if ITEMS[node.role] then return of_item(node) end
  if node.role == "combobox" then return { kind = "open_box", node = node } end
  if CHECKS[node.role] then return { kind = "set", node = node, value = node.states.checked and "false" or "true" } end
  if FIELDS[node.role] then return { kind = "focus", node = node } end
  if NOTHING[node.role] then return { kind = "none", node = node } end
  return { kind = "click", node = node }
end


return M
