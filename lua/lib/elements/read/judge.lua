--- Judges an action: whether its effect was seen, and the evidence.
--
-- An application's answer proves nothing. One function, of(), judges every action by what was asked for, as it was read back, and
-- by the changes of the whole application between two looks. It asks, in this order:
--
--   1. Was it read back? Then the effect is confirmed.
--   2. Did the element itself change? Then something was done, and the effect is never "none_seen".
--   3. Did anything else change? That is the effect of a press. Beside a value or state that was not reached it is "partial".
--   4. Otherwise the effect is what was read back, or none.
--
-- A change that may have another cause (weights.lua) confirms nothing.

local weights = require "elements.read.weights"
local words   = require "elements.read.words"

local M = {}

---@class elements.Verdict
---@field effect "confirmed"|"partial"|"none_seen"|"unknown"
---@field evidence string
---@field change? elements.Change  the change that proves it
---@field held? string             the value that was read back, if it is not as it was written
---@field copied? boolean          a copy to the clipboard proves it
---@field awaited? boolean         what was asked for is not there, or only its beginning is, and the rest may come yet; or the
---                                 field was left and does not know it yet

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


-- --- the verdicts ----------------------------------------------------------------------------------

M.LOOK = "; look before you do it again"   -- it may have done what the application does not report
local NONE = "nothing changed that the application tells of" .. M.LOOK
local OTHER_CAUSE = ", which may have another cause"
local FLICKERED = "something was turned on or off, and is as it was again"
local COPIED = "something was copied to the clipboard"

local function of_state(node, now, state)
  local before, after = node.states[state] or false, now.states[state] or false
  if before ~= after then return verdict("confirmed", SAYS[state][after and 1 or 2]) end
  if (ONE_OF_SEVERAL[node.role] or state == "selected") and before then
    return verdict("none_seen", ("it was %s before, and still is"):format(state))
  end
end


--- The verdict on the state that a press changes, or the focus that it moves to a field; nil: neither can be judged.
local function of_pressed(node, now, state)
  local told = now and state and of_state(node, now, state)
  told = told or now and node.role == "toggle" and of_state(node, now, "checked")   -- GTK 3 does not call all of them checkable
  if told then return told end
  local focused = now and now.states.focused and words.WORKED[node.role] and (node.states.editable or node.role == "slider")
  if not focused then return nil end
  if not node.states.focused then return verdict("confirmed", "it has the keyboard focus") end
  return verdict("none_seen", "it had the keyboard focus before, and still has it")
end


--- The same verdict after looks that were cut for time: an effect that was not seen is unknown then.
---@param told elements.Verdict
---@param unsure boolean  diff.is_unsure()
---@return elements.Verdict
function M.doubted(told, unsure)
  if not unsure or told.effect ~= "none_seen" then return told end
  return verdict("unknown", "the application answers so slowly that not all of it could be read in time")
end


-- --- from the changes -------------------------------------------------------------------------------

local function of_changes(changes, restless)
  local change, rank = weights.weightiest(changes, restless)
  if change and rank == 1 then return verdict("partial", weights.says(change) .. OTHER_CAUSE) end
  if change then return verdict("confirmed", weights.says(change), change) end
  if #changes > 0 then return verdict("none_seen", "only the focus moved, or what changes by itself" .. M.LOOK) end
  return verdict("none_seen", NONE)
end


local function of_keys(changes, restless)
  local told = of_changes(changes, restless)
  for _, change in ipairs(told.effect == "none_seen" and changes or {}) do
    if weights.only_focus(change) and change.states.focused then
      return verdict("confirmed", words.called(change.node) .. " has the focus")
    end
  end
  return told
end


local function is_doubtful(change, restless) return change.chance or restless[change.node.id] or false end


local BESIDE = { "checked", "pressed", "expanded" }

--- The verdict on an element that is selected by a press, and that the press changed otherwise: cells have check marks.
local function beside_selection(change, restless)
  if is_doubtful(change, restless) then return nil end
  for _, state in ipairs(BESIDE) do
    local set = change.states and change.states[state]
    if set ~= nil then return verdict("confirmed", SAYS[state][set and 1 or 2], change) end
  end
end


--- The same verdict, if it speaks of no window that came or went: then the change that is missing may come yet.
local function awaiting(told, change)
  told.awaited = not change or change.kind == "changed" or nil
  return told
end


--- The verdict on a press of an element whose own state is as before. Many rows never tell that they are selected.
local function beside_own_state(node, mine, change, rank, own, state)
  if own and rank == 1 and not mine and not weights.in_dialog(node, change) then return own end
  local told = verdict("partial", ("its own state is as before, but %s"):format(weights.says(change)))
  return state == "checked" and not own and awaiting(told, change) or told
end


--- The verdict on a press that only closed a menu. An item that is off does not close its menu, but a click beside it does.
local function of_menus(node, changes, took)
  local closed, own = weights.menu_closed(node, changes)
  if took then return verdict("partial", "its menu took it and closed, and nothing else changed") end
  if own then return verdict("partial", "its menu closed, and nothing else changed") end
  return closed and verdict("none_seen", "only the menu that was open closed" .. M.LOOK) or nil
end


---@param node elements.Pressed
---@return elements.Verdict
local function of_press(node, seen, restless)
  local now, changes = seen.now, seen.changes
  local state = pressed_state(node)
  local own, mine = of_pressed(node, now, state), weights.of_itself(node, changes)
  local beside = mine and state == "selected" and beside_selection(mine, restless)
  if beside then return beside end
  if own and own.effect == "confirmed" then
    return restless[node.id] and mine and verdict("partial", own.evidence .. OTHER_CAUSE) or own
  end
  local change, rank = weights.weightiest(changes, restless)
  local opened = rank and rank < 4 and weights.unannounced(changes)
  if opened then return verdict("partial", weights.says(opened) .. OTHER_CAUSE) end
  if not change and mine then return verdict("partial", weights.says(mine) .. OTHER_CAUSE) end
  local has_own = now and (state == "checked" or state == "selected")
  if not change then
    local told = of_menus(node, changes, seen.took) or own
    if told or not has_own then return told or of_changes(changes, restless) end
    return awaiting(of_changes(changes, restless))
  end
  if has_own then return beside_own_state(node, mine, change, rank, own, state) end
  return of_changes(changes, restless)
end


-- --- from what was read back, and the changes ----------------------------------------------------------

local function but(own, change, doubtful)
  local told = verdict("partial", ("%s, but %s%s"):format(own.evidence, weights.says(change), doubtful and OTHER_CAUSE or ""),
    change)
  return own.effect == "none_seen" and awaiting(told, change) or told
end


--- The value that the changes show of an element that did not tell its own; nil: they show none. A box has it in its field, or
--- as its name.
---@return string? text
---@return elements.Change? change
local function shown_value(node, changes, same)
  local found, at
  for _, change in ipairs(changes) do
    local value = change.kind == "changed" and weights.of_itself(node, { change }, true) and change.value and change.node.value
    local name = node.role == "combobox" and change.node.id == node.id and change.name and words.name(change.node)
    for _, text in ipairs { value or "", name or "" } do
      if text ~= "" and (not found or same(text)) then found, at = text, change end
    end
  end
  return found, at
end


--- The verdict on a value, state or option that was not seen to be reached.
---@param asked elements.Asked
---@param own elements.Verdict
---@return elements.Verdict
local function of_wanted(asked, own, changes, restless)
  local node = asked.node
  if own.effect == "unknown" and own.held then return own end    -- it was read, and may be the value in another form
  local mine = node and weights.of_itself(node, changes, true)
  if mine and asked.same and (own.held or "") == "" then
    local text, change = shown_value(node, changes, asked.same)
    local sure = text and not is_doubtful(change, restless)
    if sure and asked.same(text) then return verdict("confirmed", "the value was read back", change) end
    if sure then return verdict("partial", "it holds something else: " .. words.quote(text, 120)) end
  end
  if own.effect == "partial" then return own end
  if mine then return but(own, mine, is_doubtful(mine, restless)) end
  if own.effect ~= "none_seen" then return own end
  local change, rank = weights.weightiest(changes, restless)
  if change and (rank > 1 or node and weights.in_dialog(node, change)) then return but(own, change, rank == 1) end
  return own
end


--- A request, and how its result is read back.
---@class elements.Asked
---@field press? boolean           a press: any change may be its effect
---@field keys? boolean            keys: the same, also if they only moved the focus
---@field node? elements.Pressed   the element, as it was; nil: it is not known
---@field own? fun(seen: elements.Seen): elements.Verdict?  judges what was read back
---@field same? fun(text: string): boolean  true for the value that was written
---@field moves? boolean           its effect may move the element, as another page of a dialog moves the buttons

--- Completes the verdict on input that confirms nothing: by a copy to the clipboard, of which one of another application may
--- have come by itself, or by what changed only between the two looks.
---@param told elements.Verdict
---@param seen elements.Seen
---@return elements.Verdict
function M.pressed(told, seen)
  local by = seen.copied and (told.effect == "none_seen" or told.effect == "partial") and seen.copied()
  if by == "own" then return { effect = "confirmed", evidence = COPIED, copied = true } end
  if told.effect ~= "none_seen" or not by and not seen.flickered then return told end
  return verdict("partial", (by and COPIED or FLICKERED) .. OTHER_CAUSE)
end


local function weighed(asked, seen, restless)
  local changes, own = seen.changes, asked.own and asked.own(seen)
  if asked.press then weights.doubt(asked.node, changes) end
  if own and (own.effect == "confirmed" or seen.idle) then return own end
  if own and not (asked.press or asked.keys) then return of_wanted(asked, own, changes, restless) end
  if own and (own.effect == "partial" or asked.keys and own.effect == "unknown") then return own end
  local told
  if asked.press and asked.node then
    told = of_press(asked.node, seen, restless)
  else
    told = (asked.keys and of_keys or of_changes)(changes, restless)
  end
  if not own then return told end
  if told.effect == "none_seen" and asked.press then return verdict(own.effect, own.evidence .. M.LOOK) end
  if told.effect == "none_seen" or asked.keys and told.effect == "confirmed" and not told.change then return own end
  if asked.keys and told.effect == "confirmed" then return told end
  return verdict(told.effect, asked.keys and ("%s, but %s"):format(own.evidence, told.evidence)
    or ("%s; %s"):format(told.evidence, own.evidence), told.change)
end


--- Judges an action.
---@param asked elements.Asked
---@param seen elements.Seen
---@param restless? table<integer, boolean>  IDs of elements that had changed by themselves
---@return elements.Verdict
function M.of(asked, seen, restless)
  local told = weighed(asked, seen, restless or {})
  return (asked.press or asked.keys) and not seen.idle and M.pressed(told, seen) or told
end


--- Judges a click at a point.
---@param node? elements.Node  the element at the point, as it was
---@param seen elements.Seen
---@param restless table<integer, boolean>
---@return elements.Verdict
function M.pointer(node, seen, restless)
  return M.of({ press = true, node = node and node.states.enabled and node or nil }, seen, restless)
end


-- --- verdicts on what was read back ------------------------------------------------------------------

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
  local chosen = ("%s is chosen"):format(words.quote(seen, 60))
  if seen == wanted and before ~= wanted then return verdict("confirmed", chosen .. " now") end
  local told = verdict("none_seen", seen == wanted and "it was chosen before, and still is" or chosen)
  told.held = seen
  return told
end


--- Advice for a date by ISO 8601 that a field did not take, because it has another form.
local function advice_on_date(wanted, seen)
  local is_iso = wanted:find "^%d%d%d%d%-%d%d%-%d%d"
  local shown = seen:match "^%d+[%./%- ]+%d+[%./%- ]+%d+"
  if is_iso and shown and not shown:find "^%d%d%d%d%-" then return ": write a date as it shows them" end
  return ""
end


--- Judges a value that was written.
---@param wanted string
---@param seen? string   nil: it cannot be read
---@param before? string
---@return elements.Verdict
function M.text(wanted, seen, before)
  if not seen then return verdict("unknown", "the element does not tell what it holds") end
  if seen == wanted then return verdict("confirmed", "the value was read back") end
  local told = seen == before and verdict("none_seen", "it holds what it held before: " .. words.quote(seen, 120))
    or verdict("partial", "it holds something else: " .. words.quote(seen, 120))
  told.evidence = told.evidence .. advice_on_date(wanted, seen)
  told.held = seen
  return told
end


return M
