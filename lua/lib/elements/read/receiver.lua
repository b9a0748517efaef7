--- The window that keys are meant for: whether it gets them, and what would get them instead.
--
-- Keys go to whatever has the keyboard. A dialog that opens meanwhile, or the user's other window, would take them, and reading
-- back there would even confirm them.

local above       = require "elements.read.above"
local dialog_name = require "elements.read.dialog_name"
local quoting     = require "desktop.quoting"
local window      = require "sys.window"

local M = {}

local SHOWN = 60   -- characters of a title


---@param each sys.window.Window
---@return boolean
function M.is_dialog(each) return each.modal or each.kind == "dialog" or each.kind == "normal" and each.parent ~= nil end


---@param each sys.window.Window
---@return string  'dialog "Save As"', 'window "Notes"'
function M.called(each)
  return M.is_dialog(each) and dialog_name.called(each) or "window " .. quoting.quote(each.title, SHOWN)
end


local function with_focus(list)
  for _, each in ipairs(list) do
    if each.focused then return each end
  end
end


local function by_id(list, id)
  for _, each in ipairs(list) do
    if each.id == id then return each end
  end
end


--- The error for keys that a dialog of the application would get.
---@param over sys.window.Window  the dialog
---@param below? sys.window.Window
local function behind(over, below)
  return nil, ("Nothing was sent: %s is in front%s and has the keyboard. Answer or close it with handle_dialog. If it is meant, "
    .. "pass its title as window."):format(M.called(over), below and " of " .. M.called(below) or ""), "dialog_in_front"
end


--- The modal dialog over a window.
---@param list sys.window.Window[]
---@param which sys.window.Window
---@return sys.window.Window?
function M.over(list, which) return (above.modal(list, { window = which.id, pid = which.pid })) end


local function elsewhere(focused, wanted)
  if focused.pid == wanted.pid and M.is_dialog(focused) then return behind(focused, wanted) end
  return nil, ("Nothing was sent: %s of %s has the keyboard, and not %s. Call focus_window for the one that is meant.")
    :format(M.called(focused), focused.app, M.called(wanted)), "focus_lost"
end


--- The error if a dialog of the same application has the keyboard, modal or not: it may have opened since.
---@param list sys.window.Window[]
---@param wanted sys.window.Window
---@return true? ok
---@return string? err
---@return string? code  "dialog_in_front"
function M.undisturbed(list, wanted)
  local front = M.over(list, wanted) or with_focus(list)
  if not front or front.id == wanted.id or front.pid ~= wanted.pid or not M.is_dialog(front) then return true end
  return behind(front, wanted)
end


--- Checks that the window gets keys. A modal dialog over it would get them even if the window has the keyboard focus: toolkits
--- pass them on.
---@param id integer
---@param list? sys.window.Window[]  all windows; default: they are read
---@return true? ok
---@return string? err
---@return string? code  "dialog_in_front", "focus_lost", "window_not_found"
function M.check(id, list)
  local err, code
  if not list then list, err, code = window.list() end
  if not list then return nil, err, code end
  local wanted = by_id(list, id)
  if not wanted then return nil, "Nothing was sent: the window that it was meant for is closed.", "window_not_found" end
  local over = M.over(list, wanted)
  if over then return behind(over, wanted) end
  local focused = with_focus(list)
  if focused and focused.id ~= id then return elsewhere(focused, wanted) end
  return true
end


--- The error for input with `window` that another window would have got.
---@param id integer
---@return nil
---@return string err
---@return string code
function M.moved(id)
  local ok, err, code = M.check(id)
  if not ok then return nil, err or "", code or "focus_lost" end
  return nil, "Nothing was sent: another window had the keyboard at that moment. Look at what opened.", "focus_lost"
end


--- True if keys that were not sent for a window go to it all the same: it has the focus, no dialog is over it, and what holds
--- the keyboard is a menu or list of its application. Swing draws these into the window itself, so that the window system cannot
--- say whose they are.
---@param id integer
---@return boolean
function M.holds_itself(id)
  local list = window.list { all_kinds = true } or {}
  local mine = by_id(list, id)
  if not mine or not M.check(id) then return false end
  for _, each in ipairs(list) do
    if each.kind == "popup" and each.on_screen and each.pid ~= mine.pid then return false end
  end
  return true
end


--- The window of an element, if keys for the element can be tied to it: an open menu or list is in no managed window, and has
--- the keyboard while its application's window has the focus. Without a window manager no window has it.
---@param node {window?: integer, pid?: integer}
---@return integer? id  nil without an error: they cannot be tied
---@return string? err
---@return string? code
function M.of(node)
  local list = node.window and window.list()
  local mine = list and by_id(list, node.window)
  if not mine or not with_focus(list) then return nil end
  local ok, err, code = M.check(mine.id, list)
  if not ok then return nil, err, code end
  return mine.id
end


--- The window of a process that keys for the application are meant for: the one with the keyboard, otherwise the frontmost. A
--- dialog is meant only if the application has no other window.
---@param list sys.window.Window[]
---@param pid integer
---@return sys.window.Window? wanted
---@return string? err
---@return string? code  "dialog_in_front", "no_focus"
function M.of_application(list, pid)
  local front, main
  for _, each in ipairs(list) do
    if each.pid == pid then
      local is_dialog = M.is_dialog(each)
      if each.focused or not front and each.kind ~= "utility" then front = each end
      if not is_dialog and each.kind == "normal" then main = main or each end
    end
  end
  if not front then return nil, "The application has no window that keys could go to.", "no_focus" end
  if main and M.is_dialog(front) then return behind(front, main) end
  return front
end


return M
