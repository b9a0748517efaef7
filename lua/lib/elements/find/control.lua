--- The control that a click on an element is for.

local words = require "elements.read.words"

local M = {}

--- Roles of elements that only show what another is for.
local SHOWS = words.set "label image element heading group"

--- Roles of elements that are pressed as a whole, with all that is in them.
local PRESSED = words.set "button toggle link checkbox radio switch menu menuitem checkitem radioitem"

--- Roles of elements that a text or picture right in them shows. What is deeper in them may be a page, or a form.
local SHOWN_BY = words.set "tab listitem treeitem cell header entry spin combobox"

local OPTIONS = words.set "listitem menuitem checkitem radioitem list menu"


--- The closed combo box that the element is an option of: Chromium names options of closed ones at points below these.
local function closed_box(node)
  local at = OPTIONS[node.role] and node or nil
  while at and OPTIONS[at.role] do at = at.up end
  if at and at.role == "combobox" and not at.states.expanded then return at end
end


--- The control that an element belongs to: the button around its text, the closed combo box of an option; or itself.
---@param leaf elements.Node
---@param in_popup? boolean  it is drawn in a popup, so no box around it is closed, whatever its application tells
---@return elements.Node
function M.of(leaf, in_popup)
  local box, at = not in_popup and closed_box(leaf), leaf
  if box then return box end
  while at and SHOWS[at.role] do at = at.up end
  if at and (PRESSED[at.role] or SHOWN_BY[at.role] and at == leaf.up and leaf.role ~= "group") then return at end
  return leaf
end


return M
