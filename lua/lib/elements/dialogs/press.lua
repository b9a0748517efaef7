--- Presses a button of a dialog, or Escape in it, and checks whether the dialog closed, which one came instead, or whether it
--- shows another page.
--
-- Buttons are clicked, because a dialog that an application opens within a button's action keeps it from answering until the
-- dialog is closed.

local await    = require "elements.read.await"
local dialogs  = require "elements.read.dialogs"
local element  = require "sys.element"
local hands    = require "elements.read.hands"
local modal    = require "elements.read.modal"
local press    = require "elements.press.ways"
local target   = require "elements.find.target"
local time     = require "sys.time"
local weights  = require "elements.read.weights"
local windows  = require "elements.read.windows"
local words    = require "elements.read.words"

local M = {}

local TURNS_ON = 1   -- seconds for a button to take input,
local ENDS = 3       -- for its dialog to close, to show another page, or for another one to come,
local SHOWS = 1      -- after something in it changed that may come before that, such as a button that is off,
local IGNORES = 0.7  -- and for a browser that may ignore a click
local ANSWERS = 1


-- --- pressing ----------------------------------------------------------------------------------------

--- Waits until the button is on: file dialogs read a folder before they can be confirmed.
local function await_on(button)
  local on = await.until_seen(button.pid, await.mark(button.pid), TURNS_ON, function()
    local node = target.renew(button)
    return node == nil or node.states.enabled
  end)
  if on then return true end
  return nil, words.called(button) .. " is off: it takes no input now.", "element_disabled"
end


--- The method for a button. GTK 4 opens the path in the field of a file dialog only while the field has the focus, which a
--- click would take from it.
local function method_for(dialog, button)
  if dialog.kind == "file" and dialog.node.native == "filler" and press.action(button) then return "action" end
  return (button.background or button.native:find "^AX") and "auto" or "pointer"
end


local function by_click(dialog, button)
  local ok, err, code = await_on(button)
  if not ok then return nil, err, code end
  local act
  act, err, code = press.way(button, method_for(dialog, button))
  local route
  if act then route, err, code = act() end
  if route or code == "stopped" then return route, err, code end
  local action = press.action(button)
  if action then return press.by_action(button, action) end
  return nil, err, code
end


local function by_escape(node)
  local ok, err, code = windows.focus(node)
  if not ok then return nil, err, code end
  err, code = modal.keys_refusal()
  if err then return nil, err, code end
  local sent
  sent, err, code = hands.keys(node, "escape")
  if not sent then return nil, err, code end
  return "key escape"
end


-- --- waiting for the effect ----------------------------------------------------------------------------

--- True if the node reports that it is shown. Applications of GTK 4 never do.
local function tells_shown(node)
  local fresh = element.get({ node.id }, { timeout = ANSWERS })
  return fresh ~= nil and not fresh[1].gone and fresh[1].states.shown or false
end


local function is_gone(node, told)
  local fresh = element.get({ node.id }, { timeout = ANSWERS })
  return fresh ~= nil and (fresh[1].gone or told and not fresh[1].states.shown) or false
end


--- True if the dialog closed or a window opened, since the press.
---@param dialog elements.Dialog
local function has_ended(dialog)
  local node, before, now = dialog.node, dialog.windows, windows.now(dialog.node.pid)
  if windows.opened(before, now) then return true end
  return before and now and before[node.window] and not now[node.window] or is_gone(node, dialog.told)
end


local function await_end(dialog, seconds)
  return await.until_seen(dialog.node.pid, dialog.since, seconds, function() return has_ended(dialog) end)
end


local function is_inside(change, dialog)
  local at = change.node
  while at and at.id ~= dialog.node.id do at = at.up end
  return at ~= nil
end


--- The changes in the dialog that are more than the focus.
local function in_dialog(dialog, changes)
  local list = {}
  for _, change in ipairs(changes) do
    if is_inside(change, dialog) and not weights.only_focus(change) then list[#list + 1] = change end
  end
  return list
end


--- True if the dialog shows another page, or its fields hold something else. A button that is off now, a label that says
--- something else, or a container without content may also come before the dialog closes.
local function is_another_page(inside, restless)
  local change, rank = weights.weightiest(inside, restless)
  if not change or change.kind == "changed" then return change and rank > 1 and (change.name or change.value) or false end
  return rank > 2
end


--- Makes the function that waits for the effect, for attempt.run().
---@param dialog elements.Dialog
---@return fun(watch: elements.Watch, changes: fun(): elements.Change[])
function M.await(dialog)
  return function(watch, changes)
    local first
    await.until_seen(dialog.node.pid, dialog.since, ENDS, function()
      if has_ended(dialog) then return true end
      if watch.deaf then return false end
      local inside = in_dialog(dialog, changes())
      if is_another_page(inside, watch.restless) then return true end
      first = first or weights.weightiest(inside, watch.restless) and time.monotonic() or nil
      return first and time.monotonic() > first + SHOWS
    end)
  end
end


--- True for a dialog of the browser itself. Chromium ignores clicks in it for half a second after it came, because they may
--- have been meant for the page.
local function is_of_browser(dialog)
  local at = dialog.node.top ~= dialog.node and dialog.node or nil
  if not at then return false end
  while at and at.role ~= "document" do at = at.up end
  return at == nil
end


--- Makes the function that presses, for attempt.run().
---@param dialog elements.Dialog
---@param button? elements.Node  nil: Escape
---@return fun(): string?, string?, string?
function M.act(dialog, button)
  return function()
    local node = dialog.node
    dialog.since, dialog.windows, dialog.told = await.mark(node.pid), windows.now(node.pid), tells_shown(node)
    dialog.windowed = node.top == node and dialog.windows and dialog.windows[node.window or 0] and node.window or nil
    local route, err, code
    if button then route, err, code = by_click(dialog, button) else route, err, code = by_escape(node) end
    if not route then return nil, err, code end
    if button and is_of_browser(dialog) and not await_end(dialog, IGNORES) then
      route = tells_shown(button) and by_click(dialog, button) or route
    end
    return route
  end
end


-- --- judging -----------------------------------------------------------------------------------------

--- The dialog in front now, if it is another one.
local function next_of(dialog, after)
  local node = after and dialogs.front(after)
  if not node or node.id == dialog.node.id then return nil end
  return dialogs.read(after, node)
end


--- True if the dialog's own window closed; false if the window system does not know.
local function window_closed(dialog)
  local now = dialog.windowed and windows.now(dialog.node.pid)
  return now and not now[dialog.windowed] or false
end


--- Judges whether the dialog closed.
---@param dialog elements.Dialog
---@param seen elements.Seen
---@return elements.Verdict
function M.judge(dialog, seen)
  local after = seen.snapshot
  local now = after and after.by_id[dialog.node.id]
  local came = next_of(dialog, after)
  local called = words.called(dialog.node)
  local missing = not now and after ~= nil and after.cut    -- it may be in the part that was not read
  if not missing and (not now or not now.states.shown) or window_closed(dialog) then
    local evidence = came and ("%s closed, and %s is in front now"):format(called, words.called(came.node)) or called .. " closed"
    return { effect = "confirmed", evidence = evidence }
  end
  if came then return { effect = "partial", evidence = ("%s came; %s is still open"):format(words.called(came.node), called) } end
  if missing then
    return { effect = "unknown", evidence = "the interface is too large to be read whole; whether it closed is not known" }
  end
  return { effect = "none_seen", evidence = called .. " is still open" }
end


--- The request of a press: that the dialog closes, otherwise what the button does in it.
---@param dialog elements.Dialog
---@param button? elements.Node
---@return elements.Asked
function M.asked(dialog, button)
  return { node = button, press = true, moves = true, own = function(seen) return M.judge(dialog, seen) end }
end


--- The dialog in front after the press, if it is another one, or the same with another page.
---@param dialog elements.Dialog
---@param seen elements.Seen
---@return elements.Dialog? next
---@return boolean? same
function M.next(dialog, seen)
  local after = seen.snapshot
  local came = next_of(dialog, after)
  local now = after and after.by_id[dialog.node.id]
  if came or not now or not now.states.shown or #in_dialog(dialog, seen.changes) == 0 then return came end
  return dialogs.read(after, now), true
end


return M
