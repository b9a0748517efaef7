--- Weighs the changes that were seen after an action: what each proves, and which may have another cause.
--
-- Clocks, spinners, notes and menus change, come and go whatever is done, so their changes prove little or nothing.

local words = require "elements.read.words"

local M = {}

-- --- other changes --------------------------------------------------------------------------------

--- True if a state changed that does not move from element to element with every click.
local function has_new_state(change)
  for state in pairs(change.states or {}) do
    if state ~= "focused" and state ~= "active" then return true end
  end
  return false
end


--- True if only the focus moved, which proves nothing about a button.
---@param change elements.Change
---@return boolean
function M.only_focus(change)
  return change.kind == "changed" and not change.name and not change.value and not has_new_state(change)
end


--- Roles of elements that text beside them names.
local LABELLED = words.set "entry text password combobox spin slider switch checkbox radio list tree table progress"

--- True if only the text beside the element changed, which names it, or came or went. A window that is being built lays its
--- labels out while it is looked at.
local function only_its_label(change)
  return LABELLED[change.node.role] and change.name and not change.value and not has_new_state(change)
    and words.own_name(change.before) == words.own_name(change.node)
end


--- True if a change of an element that stays proves nothing about it.
local function proves_nothing(change)
  return change.menu or M.only_focus(change) or change.kind == "changed" and only_its_label(change)
end


--- The change in words: `dialog "Open" came`.
---@param change elements.Change
---@return string
function M.says(change)
  local called = words.called(change.node)
  if change.kind == "added" then return called .. " came" end
  if change.kind == "removed" then return called .. " went" end
  if change.name then return ("%s is %s now"):format(words.called(change.before), words.quote(words.name(change.node), 60)) end
  if change.value then return called .. " has another value" end
  return called .. " has another state"
end


--- Elements that only show something. Clocks, counters and progress bars change at any time, so their change may be chance.
local DISPLAYS = { label = true, progress = true, statusbar = true, image = true, heading = true, paragraph = true }

--- Roles of elements that are worked with, but whose value is their text in a page.
local TEXTS = { listitem = true, cell = true, header = true, treeitem = true }


local function in_page(node)
  while node and node.native ~= "document web" do node = node.up end
  return node ~= nil
end


--- True for text of a page: items of a list that cannot be chosen, cells of a table that cannot be edited.
local function is_page_text(node)
  return TEXTS[node.role] and not node.states.focusable and not node.states.selectable and in_page(node)
end


--- True if the change is one of shown text. Elements inside a container show the container's value. An item of a page's list
--- also loses its bullet, its name, while the list is drawn again.
local function only_shows(change)
  local node = change.node
  if DISPLAYS[node.role] then return true end
  if not change.states and is_page_text(node) then return true end
  if not change.value or change.name or change.states then return false end
  if TEXTS[node.role] then return node.down ~= nil and #node.down > 0 end
  return not words.WORKED[node.role] and node.role ~= "terminal"
end


--- Roles of elements that come with the pointer and go by themselves.
local FLEETING = { tooltip = true, notification = true }


--- The weight of an element that came or went. Clocks in pages come and go with each tick, and so do the items of news. A
--- container without a name comes with its content.
local function rank_of_came(node)
  local at = node
  while at do   -- with all of their content
    if FLEETING[at.role] then return 1 end
    at = at.up
  end
  if words.TOPS[node.role] then return 4 end
  local holds = words.HOLDERS[node.role] and words.own_name(node) == ""
  if is_page_text(node) or (holds or DISPLAYS[node.role]) and in_page(node) then return 1 end
  return holds and 2 or 3
end


--- True if an element only got the name that it had not had yet: a toolbar of Firefox reports "null" until its texts are loaded.
local function is_named_late(change)
  local before = change.kind == "changed" and change.name and not change.value and not has_new_state(change)
    and words.own_name(change.before)
  return before == "" or before == "null"
end


--- True if an element only has done its work: a page that has loaded began to before.
local function only_ends_work(change)
  if change.kind ~= "changed" or change.name or change.value or not change.states then return false end
  return change.states.busy == false and next(change.states) == "busy" and next(change.states, "busy") == nil
end


local function rank_of(change)
  if change.chance or is_named_late(change) or only_ends_work(change) then return 1 end
  if change.kind ~= "changed" then return rank_of_came(change.node) end
  return only_shows(change) and 1 or 2
end


--- The change that counts most: an element that came or went, before one that only changed; nil: none counts.
---@param changes elements.Change[]
---@param restless table<integer, boolean>  IDs of elements that had changed by themselves
---@return elements.Change? change
---@return integer? rank  1: it may be chance
function M.weightiest(changes, restless)
  local found, rank
  for _, change in ipairs(changes) do
    local mine = rank_of(change)
    local counts = not restless[change.node.id] and not proves_nothing(change)
    if counts and (not rank or mine > rank) then found, rank = change, mine end
  end
  return found, rank
end


-- --- windows that open ---------------------------------------------------------------------------

--- Roles of elements that open something by their nature.
local OPENERS = { menu = true, menuitem = true, combobox = true, link = true }
local WORD = "[%w\128-\255][%w\128-\255][%w\128-\255]+"

local function shares_word(a, b)
  local known = {}
  for word in words.fold(a):gmatch(WORD) do known[word] = true end
  for word in words.fold(b):gmatch(WORD) do
    if known[word] then return true end
  end
  return false
end


local function announces(node, top)
  local name = words.own_name(node)
  return OPENERS[node.role] or node.states.expandable or name:find "%.%.%.$" or name:find "…$" or
    shares_word(name, words.own_name(top))
end


--- Doubts windows and dialogs that the element does not announce: these also open by themselves.
---@param node? elements.Node  nil: the clicked element is not known
local function doubt_windows(node, changes)
  for _, change in ipairs(changes) do
    local opened = change.kind == "added" and words.TOPS[change.node.role]
    if opened then change.chance = not (node and announces(node, change.node)) or nil end
  end
end


--- Doubts every change inside a doubted dialog. Some dialogs are not windows, but inside one.
local function doubt_contents(changes)
  local doubted = {}
  for _, change in ipairs(changes) do
    if change.chance and change.kind == "added" and words.TOPS[change.node.role] then doubted[change.node] = true end
  end
  for _, change in ipairs(changes) do
    local at = change.node
    while at and not doubted[at] do at = at.up end
    change.chance = change.chance or at and true or nil
  end
end


local HOLDING = { dialog = true, alert = true, window = true }

--- A window or dialog that may have opened by itself: it may be the cause of the other changes.
---@param changes elements.Change[]
---@return elements.Change?
function M.unannounced(changes)
  for _, change in ipairs(changes) do
    if change.chance and change.kind == "added" and HOLDING[change.node.role] then return change end
  end
end


-- --- menus that close ------------------------------------------------------------------------------

local ITEMS = { menuitem = true, checkitem = true, radioitem = true, menu = true }

--- For each element that went: the topmost element that went with it.
local function tops_gone(changes)
  local gone, top_of = {}, {}
  for _, change in ipairs(changes) do
    if change.kind == "removed" then gone[change.node] = true end
  end
  for node in pairs(gone) do
    local top, at = node, node.up
    while at do
      if gone[at] then top = at end
      at = at.up
    end
    top_of[node] = top
  end
  return top_of
end


local function is_below(node, id)
  while node and node.id ~= id do node = node.up end
  return node ~= nil
end


local OPENED = { expanded = true, pressed = true, selected = true, focused = true, active = true }
local OPENERS_OF = { menu = true, menuitem = true, button = true, toggle = true }

--- True if the change only says that the opener of a menu is closed.
local function is_let_go(node, change)
  if change.kind ~= "changed" or change.name or change.value or not OPENERS_OF[change.node.role] then return false end
  for state, set in pairs(change.states) do
    if not OPENED[state] or set and state ~= "focused" and state ~= "active" then return false end
  end
  return change.node.id ~= node.id
end


--- True for the bar of a window. Chromium has one without menus in each context menu.
local function is_bar(node)
  for _, each in ipairs(node.role == "menubar" and node.down or {}) do
    if ITEMS[each.role] then return true end
  end
  return false
end


--- Marks changes of an open menu that closed. Any click closes it, so closing is an effect only of a click on its opener.
local function mark_menus(node, changes)
  local top_of, items, others, some = tops_gone(changes), {}, {}, false
  for each, top in pairs(top_of) do
    local in_menu = ITEMS[top.role] or top.up and ITEMS[top.up.role]
    if ITEMS[each.role] or in_menu then items[top] = true end
    local other = words.WORKED[each.role] and not ITEMS[each.role] and not in_menu
    if is_bar(each) or other then others[top] = true end
  end
  for _, change in ipairs(changes) do
    local top = top_of[change.node]
    if top and items[top] and not others[top] and not is_below(top.up, node.id) then change.menu, some = true, true end
  end
  for _, change in ipairs(some and changes or {}) do change.menu = change.menu or is_let_go(node, change) or nil end
end


--- The change that says that a menu closed, the element's own before others; nil: no menu closed.
---@param node elements.Node
---@param changes elements.Change[]
---@return elements.Change? change
---@return boolean own
function M.menu_closed(node, changes)
  local closed
  for _, change in ipairs(changes) do
    if change.menu and change.node.id == node.id then return change, true end
    closed = closed or change.menu and change
  end
  return closed, false
end


--- Doubts the selection of a cell in a sheet: the cell need not have the cursor.
local function doubt_selection(node, changes)
  for _, change in ipairs(node.sheet and changes or {}) do
    local is_own = change.node.id == node.id and change.kind == "changed" and not change.name and not change.value
    change.chance = change.chance or is_own and change.states.selected ~= nil or nil
  end
end


--- Doubts the changes that a press of the element may not have caused.
---@param node? elements.Pressed  nil: the element is not known
---@param changes elements.Change[]
function M.doubt(node, changes)
  doubt_windows(node, changes)
  doubt_contents(changes)
  if not node then return end
  doubt_selection(node, changes)
  mark_menus(node, changes)
end


-- --- changes of the element and its dialog ---------------------------------------------------------

--- The change of the element itself, otherwise of what is in it; nil: neither changed, or only the focus moved.
---@param node elements.Node
---@param changes elements.Change[]
---@param inside? boolean  also of what is in it
---@return elements.Change?
function M.of_itself(node, changes, inside)
  local found
  for _, change in ipairs(changes) do
    local counts = not proves_nothing(change)
    if counts and change.node.id == node.id and change.kind == "changed" then return change end
    if counts and inside and change.node.id ~= node.id and is_below(change.node, node.id) then found = found or change end
  end
  return found
end


local function dialog_of(node)
  local at = node
  while at and at.role ~= "dialog" and at.role ~= "alert" and not at.states.modal do at = at.up end
  return at
end


--- True if the change is in the dialog of the element.
---@param node elements.Node
---@param change elements.Change
---@return boolean
function M.in_dialog(node, change)
  local dialog = dialog_of(node)
  return dialog ~= nil and is_below(change.node, dialog.id)
end


return M
