--- Judges an action: whether its effect was seen, and the evidence.
--
-- An application's answer proves nothing. The verdict is "confirmed" only if a later look shows it: the state that the press
-- was for, or a change of the interface that did not come by itself.

local words = require "elements.read.words"

local M = {}

---@class elements.Verdict
---@field effect "confirmed"|"partial"|"none_seen"|"unknown"
---@field evidence string
---@field change? elements.Change  the change of another element that proves it

---@class elements.Pressed: elements.Node
---@field sheet? boolean  it is a cell of a spreadsheet

local function verdict(effect, evidence, change) return { effect = effect, evidence = evidence, change = change } end


--- The state that a press of the element changes.
local function pressed_state(node)
  if node.states.checkable or node.role == "checkbox" or node.role == "radio" or node.role == "switch"
    or node.role == "checkitem" or node.role == "radioitem" then return "checked" end
  if node.role == "toggle" then return node.states.checkable and "checked" or "pressed" end
  if words.CHOSEN[node.role] and node.states.selectable and not node.sheet then return "selected" end
  if node.states.expandable or node.role == "menu" or node.role == "combobox" then return "expanded" end
end


local SAYS = { checked = { "it is checked now", "it is not checked any more" }, pressed = { "it is down now", "it is up now" },
  selected = { "it is selected now", "it is not selected any more" }, expanded = { "it is open now", "it is closed now" } }

local ONE_OF_SEVERAL = { radio = true, radioitem = true }


-- --- other changes --------------------------------------------------------------------------------

--- True if only the focus moved. It moves with every click, so it proves nothing about a button.
local function only_focus(change)
  if change.kind ~= "changed" or change.name or change.value then return false end
  for state in pairs(change.states) do
    if state ~= "focused" and state ~= "active" then return false end
  end
  return true
end


local function says(change)
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


local function rank_of(change)
  if change.chance then return 1 end
  if change.kind ~= "changed" then return rank_of_came(change.node) end
  return only_shows(change) and 1 or 2
end


--- The change that counts most: an element that came or went, before one that only changed; nil: none counts.
---@return elements.Change? change
---@return integer? rank  1: it may be chance
local function weightiest(changes, restless)
  local found, rank
  for _, change in ipairs(changes) do
    local mine = rank_of(change)
    local counts = not restless[change.node.id] and not change.menu and not only_focus(change)
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
local function unannounced(changes)
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


--- Marks changes of an open menu that closed. Any click closes it, so closing is an effect only of a click on its opener.
local function mark_menus(node, changes)
  local top_of, items, others, some = tops_gone(changes), {}, {}, false
  for each, top in pairs(top_of) do
    local in_menu = ITEMS[top.role] or top.up and ITEMS[top.up.role]
    if ITEMS[each.role] or in_menu then items[top] = true end
    local other = words.WORKED[each.role] and not ITEMS[each.role] and not in_menu
    if each.role == "menubar" or other then others[top] = true end
  end
  for _, change in ipairs(changes) do
    local top = top_of[change.node]
    if top and items[top] and not others[top] and not is_below(top.up, node.id) then change.menu, some = true, true end
  end
  for _, change in ipairs(some and changes or {}) do change.menu = change.menu or is_let_go(node, change) or nil end
end


local function menu_closed(node, changes)
  local closed
  for _, change in ipairs(changes) do
    if change.menu and change.node.id == node.id then return verdict("partial", "its menu closed, and nothing else changed") end
    closed = closed or change.menu
  end
  return closed and verdict("none_seen", "only the menu that was open closed") or nil
end


--- Doubts the selection of a cell in a sheet: the cell need not have the cursor.
local function doubt_selection(node, changes)
  for _, change in ipairs(node.sheet and changes or {}) do
    local is_own = change.node.id == node.id and change.kind == "changed" and not change.name and not change.value
    change.chance = change.chance or is_own and change.states.selected ~= nil or nil
  end
end


-- --- the verdicts ----------------------------------------------------------------------------------

local function of_state(node, now, state)
  local before, after = node.states[state] or false, now.states[state] or false
  if before ~= after then return verdict("confirmed", SAYS[state][after and 1 or 2]) end
  if (ONE_OF_SEVERAL[node.role] or state == "selected") and before then
    return verdict("none_seen", ("it was %s before, and still is"):format(state))
  end
end


--- The same verdict after looks that were cut for time: an effect that was not seen is unknown then.
---@param told elements.Verdict
---@param unsure boolean  diff.is_unsure()
---@return elements.Verdict
function M.doubted(told, unsure)
  if not unsure or told.effect ~= "none_seen" then return told end
  return verdict("unknown", "the application answers so slowly that not all of it could be read in time")
end


--- Judges all changes, regardless of the action's purpose.
---@param changes elements.Change[]
---@param restless table<integer, boolean> IDs of elements that had changed by themselves
---@return elements.Verdict
function M.changes(changes, restless)
  local change, rank = weightiest(changes, restless)
  if change and rank == 1 then return verdict("partial", says(change) .. ", which may have another cause") end
  if change then return verdict("confirmed", says(change), change) end
  if #changes > 0 then return verdict("none_seen", "only the focus moved, or what changes by itself") end
  return verdict("none_seen", "nothing changed that the application tells of")
end


--- Judges a press or a click.
---@param node elements.Pressed            as it was
---@param now? elements.Node               as it is; nil: it is gone
---@param changes elements.Change[]
---@param restless table<integer, boolean> IDs of elements that had changed by themselves
---@return elements.Verdict
function M.press(node, now, changes, restless)
  doubt_windows(node, changes)
  doubt_contents(changes)
  doubt_selection(node, changes)
  mark_menus(node, changes)
  local state = pressed_state(node)
  local told = now and state and of_state(node, now, state)
  if told then return told end
  local focused = now and now.states.focused and words.WORKED[node.role] and (node.states.editable or node.role == "slider")
  if focused and not node.states.focused then return verdict("confirmed", "it has the keyboard focus") end
  if focused and #changes == 0 then return verdict("none_seen", "it had the keyboard focus before, and still has it") end
  local change, rank = weightiest(changes, restless)
  local opened = rank and rank < 4 and unannounced(changes)
  if opened then return verdict("partial", says(opened) .. ", which may have another cause") end
  if not change then
    local closed = menu_closed(node, changes)
    if closed then return closed end
  end
  if now and change and (state == "checked" or state == "selected") then
    return verdict("partial", ("its own state is as before, but %s"):format(says(change)))
  end
  return M.changes(changes, restless)
end


--- Judges a click at a point.
---@param node? elements.Node  the element at the point, as it was
---@param now? elements.Node   the same element, as it is
---@param changes elements.Change[]
---@param restless table<integer, boolean>
---@return elements.Verdict
function M.pointer(node, now, changes, restless)
  if node and node.states.enabled then return M.press(node, now, changes, restless) end
  doubt_windows(nil, changes)
  doubt_contents(changes)
  return M.changes(changes, restless)
end


--- Judges keys. They may have been for anything, also for moving the focus.
---@param changes elements.Change[]
---@param restless table<integer, boolean>
---@return elements.Verdict
function M.keys(changes, restless)
  local told = M.changes(changes, restless)
  for _, change in ipairs(told.effect == "none_seen" and changes or {}) do
    if only_focus(change) and change.states.focused then
      return verdict("confirmed", words.called(change.node) .. " has the focus")
    end
  end
  return told
end


--- Judges a state that was wanted.
---@param now? elements.Node
---@param state string
---@param wanted boolean
---@param before boolean  true: it was already so
---@return elements.Verdict
function M.state(now, state, wanted, before)
  if not now then return verdict("unknown", "the element is gone") end
  if (now.states[state] or false) ~= wanted then
    return verdict("none_seen", ("it is still %s%s"):format(wanted and "not " or "", state))
  end
  if before then return verdict("none_seen", ("it was %s%s before, and still is"):format(wanted and "" or "not ", state)) end
  return verdict("confirmed", ("it is %s%s now"):format(wanted and "" or "not ", state))
end


--- Judges the choice of an option.
---@param wanted string
---@param seen? string   nil: the box does not report it
---@param before? string
---@return elements.Verdict
function M.option(wanted, seen, before)
  if not seen then return verdict("unknown", "the element does not tell which option is chosen") end
  if seen ~= wanted then return verdict("none_seen", ("%s is chosen"):format(words.quote(seen, 60))) end
  if before == wanted then return verdict("none_seen", "it was chosen before, and still is") end
  return verdict("confirmed", ("%s is chosen now"):format(words.quote(seen, 60)))
end


--- Judges a value that was written.
---@param wanted string
---@param seen? string   nil: it cannot be read
---@param before? string
---@return elements.Verdict
function M.text(wanted, seen, before)
  if not seen then return verdict("unknown", "the element does not tell what it holds") end
  if seen == wanted then return verdict("confirmed", "the value was read back") end
  if seen == before then return verdict("none_seen", "it holds what it held before: " .. words.quote(seen, 120)) end
  return verdict("partial", "it holds something else: " .. words.quote(seen, 120))
end


return M
