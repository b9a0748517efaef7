--- The meaning of a click: the item of a menu, an option, a state, a button, or only a place.

local menu_items = require "elements.choose.menu_items"
local words      = require "elements.read.words"

local M = {}

local ITEMS = words.set "menuitem checkitem radioitem"
local OPTIONS = words.set "menuitem checkitem radioitem listitem cell"
local CHECKS = words.set "checkbox switch"
local FIELDS = words.set "entry text password terminal"
local WRITTEN = words.set "document paragraph"   -- fields if text can be typed into them
local NUMBERS = words.set "slider spin"
local WHOLES = words.set "combobox spin"         -- their parts are pressed to change them
local PARTS = words.set "button toggle entry text label image group"
local NOTHING = words.set "scrollbar separator tooltip"

---@class recorder.Deed
---@field kind "menu"|"choose"|"set"|"click"|"point"|"open_menu"|"open_box"|"adjust"|"focus"|"none"
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


--- True for an item that opens another menu: Qt and GTK 4 have such items in menu bars.
local function opens(node)
  if node.states.has_popup or node.states.expandable or node.states.expanded then return true end
  if node.up and node.up.role == "menubar" then return (node.children or 0) > 0 end
  for _, child in ipairs(node.down) do
    if child.role == "menu" or ITEMS[child.role] then return true end
  end
  return false
end


--- The path of an item below a menu that the click before opened: Swing has the items of that beside the menu bar.
local function path_below(menu, node)
  local path = menu and node.up and menu_items.is_wrapper(node.up) and M.path(menu)
  local name = words.own_name(node)
  return type(path) == "string" and name ~= "" and not name:find ">" and path .. " > " .. name or nil
end


local function of_item(node, menu)
  local path = M.path(node) or path_below(menu, node)
  if path then return { kind = "menu", path = path, node = node } end
  return { kind = "click", node = node }
end


--- The box or number that an element is a part of: the arrow of a box, the entry of a number.
local function whole_of(node)
  local at = node
  while at and PARTS[at.role] do at = at.up end
  return at and WHOLES[at.role] and at or node
end


--- True for what the list of a box consists of: of labels in Swing.
local function is_option(node)
  return OPTIONS[node.role] or node.role == "label" and node.up ~= nil and node.up.role == "list"
end


--- True for a field in which a click only puts the caret.
local function is_field(node)
  return FIELDS[node.role] or WRITTEN[node.role] and (node.states.editable or node.abilities.write)
end


--- True for an element whose value is a number that clicks and drags change.
---@param node elements.Node
---@return boolean
function M.is_number(node) return NUMBERS[whole_of(node).role] ~= nil end


--- The same element in a look of now.
local function now(hit, node) return node and hit.snapshot and hit.snapshot.by_id[node.id] end


--- Says what a click means.
---@param hit recorder.Spot
---@param box? elements.Node  the combo box that the click before opened
---@param menu? elements.Node  the menu that it opened
---@return recorder.Deed
function M.deed(hit, box, menu)
  local node = hit.node
  if not hit.window then return { kind = "none" } end
  local opened = now(hit, box)   -- the box is of an earlier look
  if not node then return hit.popup and opened and { kind = "adjust", node = opened } or { kind = "point" } end
  local is_open = opened and (hit.popup or opened.states.expanded)
  local owner = is_option(node) and (now(hit, outer(node, "combobox")) or is_open and opened) or nil
  if owner then return { kind = "choose", node = owner, option = words.own_name(node) } end
  node = whole_of(node)
  if node.role == "menu" or ITEMS[node.role] and opens(node) then return { kind = "open_menu", node = node } end
  if ITEMS[node.role] then return of_item(node, menu) end
  if node.role == "combobox" then return { kind = "open_box", node = node } end
  if CHECKS[node.role] then return { kind = "set", node = node, value = node.states.checked and "false" or "true" } end
  if NUMBERS[node.role] then return { kind = "adjust", node = node } end
  if is_field(node) then return { kind = "focus", node = node } end
  if NOTHING[node.role] then return { kind = "none", node = node } end
  return { kind = "click", node = node }
end


return M
