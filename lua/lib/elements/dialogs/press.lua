--- Presses a button of a dialog, or Escape in it, and checks whether the dialog closed and which one came instead.
--
-- Buttons are clicked, because a dialog that an application opens within a button's action keeps it from answering until the
-- dialog is closed.

local await    = require "elements.read.await"
local dialogs  = require "elements.read.dialogs"
local element  = require "sys.element"
local input    = require "sys.input"
local modal    = require "elements.read.modal"
local press    = require "elements.press.ways"
local target   = require "elements.find.target"
local windows  = require "elements.read.windows"
local words    = require "elements.read.words"

local M = {}

local TURNS_ON = 1   -- seconds for a button to take input,
local ENDS = 3       -- and for its dialog to close or another one to come
local IGNORES = 0.7  -- seconds for which a browser may ignore a click
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
  local needs_focus = dialog.kind == "file" and dialog.node.native == "filler"
  return (needs_focus or button.native:find "^AX") and "auto" or "pointer"
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
  sent, err, code = input.keys "escape"
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


local function await_end(node, seconds, since, before, told)
  return await.until_seen(node.pid, since, seconds, function()
    local now = windows.now(node.pid)
    if windows.opened(before, now) then return true end
    return before and now and before[node.window] and not now[node.window] or is_gone(node, told)
  end)
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
    local since, before, told = await.mark(node.pid), windows.now(node.pid), tells_shown(node)
    dialog.windowed = node.top == node and before and before[node.window or 0] and node.window or nil
    local route, err, code
    if button then route, err, code = by_click(dialog, button) else route, err, code = by_escape(node) end
    if not route then return nil, err, code end
    if button and is_of_browser(dialog) and not await_end(node, IGNORES, since, before, told) then
      route = tells_shown(button) and by_click(dialog, button) or route
    end
    await_end(node, ENDS, since, before, told)
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


---@param dialog elements.Dialog
---@param seen elements.Seen
---@return elements.Verdict
---@return elements.Dialog? next
function M.judge(dialog, seen)
  local after = seen.snapshot
  local now = after and after.by_id[dialog.node.id]
  local came = next_of(dialog, after)
  local called = words.called(dialog.node)
  local missing = not now and after ~= nil and after.cut    -- it may be in the part that was not read
  if not missing and (not now or not now.states.shown) or window_closed(dialog) then
    local evidence = came and ("%s closed, and %s is in front now"):format(called, words.called(came.node)) or called .. " closed"
    return { effect = "confirmed", evidence = evidence }, came
  end
  if came then
    return { effect = "partial", evidence = ("%s came; %s is still open"):format(words.called(came.node), called) }, came
  end
  if missing then
    return { effect = "unknown", evidence = "the interface is too large to be read whole; whether it closed is not known" }
  end
  return { effect = "none_seen", evidence = called .. " is still open" }
end


return M
