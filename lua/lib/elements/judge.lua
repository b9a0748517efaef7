--- What came of an action: whether its effect was seen, and by what.
--
-- What an application answers proves nothing. "confirmed" is said only of what was read afterwards: the state that the press
-- was for, or a change of the interface that did not come by itself.

local words = require "elements.words"

local M = {}

---@class elements.Verdict
---@field effect "confirmed"|"partial"|"none_seen"|"unknown"
---@field evidence string
---@field change? elements.Change  of another element, by which it is judged

---@class elements.Pressed: elements.Node
---@field sheet? boolean  it is a cell of a spreadsheet

local function verdict(effect, evidence, change) return { effect = effect, evidence = evidence, change = change } end


--- The state that a press of it changes.
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

--- Focus moves with every click: it proves nothing of a button.
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


--- Clocks, counters and progress bars change whenever they like: what only shows something may have changed by chance.
local DISPLAYS = { label = true, progress = true, statusbar = true, image = true, heading = true, paragraph = true }


local function rank_of(change)
  if change.chance then return 1 end
  if change.kind ~= "changed" then return words.TOPS[change.node.role] and 4 or 3 end
  return DISPLAYS[change.node.role] and 1 or 2
end


--- What came or went, before what only changed; nil: nothing that counts.
---@return elements.Change? change
---@return integer? rank  1: it may be chance
local function weightiest(changes, restless)
  local found, rank
  for _, change in ipairs(changes) do
    local mine = rank_of(change)
    if not restless[change.node.id] and not only_focus(change) and (not rank or mine > rank) then found, rank = change, mine end
  end
  return found, rank
end


-- --- what opens ----------------------------------------------------------------------------------

--- Elements that say of themselves that they open something.
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


--- Dialogs also open by themselves. One that the element does not announce may be such.
---@param node? elements.Node  nil: it is not known what was clicked
local function doubt_windows(node, changes)
  for _, change in ipairs(changes) do
    local opened = change.kind == "added" and words.TOPS[change.node.role]
    if opened then change.chance = not (node and announces(node, change.node)) or nil end
  end
end


--- In one that is doubted everything is.
local function doubt_contents(changes)
  local doubted = {}
  for _, change in ipairs(changes) do
    if change.chance and change.kind == "added" and words.TOPS[change.node.role] then doubted[change.node] = true end
  end
  for _, change in ipairs(changes) do change.chance = change.chance or doubted[change.node.top] or nil end
end


--- A cell that is selected in a sheet need not have the cursor.
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


--- The same, after looks that were cut for want of time: there, what was not seen is not known.
---@param told elements.Verdict
---@param unsure boolean  diff.is_unsure()
---@return elements.Verdict
function M.doubted(told, unsure)
  if not unsure or told.effect ~= "none_seen" then return told end
  return verdict("unknown", "the application answers so slowly that not all of it could be read in time")
end


--- Of what changed, whatever it was for.
---@param changes elements.Change[]
---@param restless table<integer, boolean> ids of those that had changed by themselves
---@return elements.Verdict
function M.changes(changes, restless)
  local change, rank = weightiest(changes, restless)
  if change and rank == 1 then return verdict("partial", says(change) .. ", which may have another cause") end
  if change then return verdict("confirmed", says(change), change) end
  if #changes > 0 then return verdict("none_seen", "only the focus moved, or what changes by itself") end
  return verdict("none_seen", "nothing changed that the application tells of")
end


--- Of a press or a click.
---@param node elements.Pressed            as it was
---@param now? elements.Node               as it is; nil: it is gone
---@param changes elements.Change[]
---@param restless table<integer, boolean> ids of those that had changed by themselves
---@return elements.Verdict
function M.press(node, now, changes, restless)
  doubt_windows(node, changes)
  doubt_contents(changes)
  doubt_selection(node, changes)
  local state = pressed_state(node)
  local told = now and state and of_state(node, now, state)
  if told then return told end
  local focused = now and now.states.focused and words.WORKED[node.role] and (node.states.editable or node.role == "slider")
  if focused and not node.states.focused then return verdict("confirmed", "it has the keyboard focus") end
  if focused and #changes == 0 then return verdict("none_seen", "it had the keyboard focus before, and still has it") end
  local change = weightiest(changes, restless)
  if change and (state == "checked" or state == "selected") then
    return verdict("partial", ("its own state is as before, but %s"):format(says(change)))
  end
  return M.changes(changes, restless)
end


--- Of a click at a point.
---@param node? elements.Node  what was there, as it was
---@param now? elements.Node   as it is
---@param changes elements.Change[]
---@param restless table<integer, boolean>
---@return elements.Verdict
function M.pointer(node, now, changes, restless)
  if node and node.states.enabled then return M.press(node, now, changes, restless) end
  doubt_windows(nil, changes)
  doubt_contents(changes)
  return M.changes(changes, restless)
end


--- Of keys, which may have been for anything: the focus is one of the things that they move.
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


--- Of a state that was wanted.
---@param now? elements.Node
---@param state string
---@param wanted boolean
---@param before boolean  it was so already
---@return elements.Verdict
function M.state(now, state, wanted, before)
  if not now then return verdict("unknown", "the element is gone") end
  if (now.states[state] or false) ~= wanted then
    return verdict("none_seen", ("it is still %s%s"):format(wanted and "not " or "", state))
  end
  if before then return verdict("none_seen", ("it was %s%s before, and still is"):format(wanted and "" or "not ", state)) end
  return verdict("confirmed", ("it is %s%s now"):format(wanted and "" or "not ", state))
end


--- Of an option that was chosen.
---@param wanted string
---@param seen? string   nil: the box does not tell
---@param before? string
---@return elements.Verdict
function M.option(wanted, seen, before)
  if not seen then return verdict("unknown", "the element does not tell which option is chosen") end
  if seen ~= wanted then return verdict("none_seen", ("%s is chosen"):format(words.quote(seen, 60))) end
  if before == wanted then return verdict("none_seen", "it was chosen before, and still is") end
  return verdict("confirmed", ("%s is chosen now"):format(words.quote(seen, 60)))
end


--- Of a value that was written.
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
