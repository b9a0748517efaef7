--- What holds an application: a modal dialog, until it is closed.
--
-- An application of GTK 3 may run a dialog within the action that opened it. Until that is closed it answers no question for its
-- elements and takes no keys; the pointer works, and so does the window's own close button. The window system tells of such a
-- dialog, also while the application does not answer.

local dialogs = require "elements.dialogs"
local window  = require "sys.window"
local words   = require "elements.words"

local M = {}

--- What still works in a dialog whose application does not answer.
M.ADVICE = 'Click in it by its text, with click_element, source "ocr" and its window, or close it with close_window'


---@param each sys.window.Window
---@return string  'dialog "Go To"'
function M.called(each) return "dialog " .. words.quote(each.title, 60) end


--- The modal dialog in front of that window, or of any.
---@param pid integer
---@param window_id? integer
---@return sys.window.Window?
function M.by_window(pid, window_id)
  for _, each in ipairs(window.list { pid = pid } or {}) do
    local over = not window_id or each.id ~= window_id and (not each.parent or each.parent == window_id)
    if each.modal and not each.minimized and over then return each end
  end
end


local function is_in(node, top)
  while node and node ~= top do node = node.up end
  return node ~= nil
end


--- The same as the application tells it: not every dialog has a window of its own.
---@param snapshot elements.Snapshot
---@param node elements.Node
---@return elements.Node?
local function by_tree(snapshot, node)
  local front = dialogs.front(snapshot)
  return front and front.states.modal and not is_in(node, front) and front or nil
end


--- Whether a modal dialog keeps this element from being used; then the failure that says so.
---@param snapshot elements.Snapshot
---@param node elements.Node
---@return string? err
---@return string? code
function M.refusal(snapshot, node)
  local over = node.window and M.by_window(node.pid, node.window)
  local front = not over and by_tree(snapshot, node)
  local called = over and M.called(over) or front and words.called(front)
  if not called then return nil end
  return ("%s is in front and holds the application: %s cannot be used. Close the dialog first, with handle_dialog."):format(
    called, words.called(node)), "dialog_in_front"
end


--- A failure of an application that does not answer, with the dialog that may be the cause.
---@param pid integer
---@param err? string
---@param code? string
---@return string? err
---@return string? code
function M.explained(pid, err, code)
  local over = code == "app_hung" and M.by_window(pid)
  if not over then return err, code end
  local why = (err or "it does not answer"):gsub("%.$", "")
  return ("%s. Its %s is in front, and it may answer nothing until that is closed. %s."):format(why, M.called(over),
    M.ADVICE), code
end


return M
