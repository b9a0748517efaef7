--- The modal dialog that blocks an application until it is closed.
--
-- An application of GTK 3 may run a dialog within the action that opened it. Until that dialog is closed, the application does
-- not answer questions about its elements and takes no keys. The pointer works, and so does the window's own close button. The
-- window system reports such a dialog even while the application does not answer.

local above       = require "elements.read.above"
local app         = require "sys.app"
local dialog_name = require "elements.read.dialog_name"
local dialogs     = require "elements.read.dialogs"
local element     = require "sys.element"
local store       = require "sys.store"
local window      = require "sys.window"
local words       = require "elements.read.words"

local M = {}

--- Advice for a dialog whose application does not answer: the actions that still work.
M.ADVICE = 'Click in it by its text, with click_element, source "ocr" and its window, or close it with close_window'


---@param each sys.window.Window
---@return string  'dialog "Go To"'
M.called = dialog_name.called


--- A modal dialog of the process that is open.
---@param pid integer
---@return sys.window.Window?
local function any_modal(pid)
  for _, each in ipairs(window.list { pid = pid } or {}) do
    if each.modal and not each.minimized then return each end
  end
end


--- The dialog of the process that is in front of its other windows, as words; nil: none is.
---@param pid integer
---@return string?
function M.in_front(pid)
  local front
  for _, each in ipairs(window.list { pid = pid } or {}) do
    if not each.minimized and (not front or (each.order or 0) < (front.order or 0)) then front = each end
  end
  local is_dialog = front and (front.modal or front.kind == "dialog" or front.parent ~= nil)
  return is_dialog and M.called(front) or nil
end


--- The dialog that is in front of the other windows of one of these processes, as words; nil: none is. It is often why what was
--- waited for did not come.
---@param pids table<integer, any>
---@return string?
function M.in_front_of(pids)
  for pid in pairs(pids) do
    local over = M.in_front(pid)
    if over then return over end
  end
end


--- Tells that dialog, as a sentence, after a wait that ended in vain; nil: there is none.
---@param pids table<integer, any>
---@return string?
function M.remark(pids)
  local over = M.in_front_of(pids)
  if not over then return nil end
  over = over:gsub("^%l", string.upper)
  return over .. " is in front. If it holds the application up, answer it with handle_dialog."
end


local function is_in(node, top)
  while node and node ~= top do node = node.up end
  return node ~= nil
end


local function page_of(node)
  local at = node.up
  while at and at.role ~= "document" do at = at.up end
  return at
end


--- The modal dialog in front of the node, as the application reports it: not every dialog has a window of its own. A dialog in
--- a page blocks only that page.
---@param snapshot elements.Snapshot
---@param node elements.Node
---@return elements.Node?
local function by_tree(snapshot, node)
  local front = dialogs.front(snapshot)
  if not front or not front.states.modal or is_in(node, front) then return nil end
  if front.top == front then return node.top ~= front and node.top.role == "window" and front or nil end
  local page = page_of(front)
  return node.top == front.top and (not page or is_in(node, page)) and front or nil
end


--- The error if a modal dialog keeps this element from being used; nil: none does.
---@param snapshot elements.Snapshot
---@param node elements.Node
---@return string? err
---@return string? code
function M.refusal(snapshot, node)
  local list = window.list { pid = node.pid } or {}
  local over, is_window = above.modal(list, node)
  local front = not over and is_window and by_tree(snapshot, node)
  for _, each in ipairs(front and front.top == front and list or {}) do
    if front and each.id == front.window then front = nil end   -- a window that lies over others: asked before
  end
  local called = over and M.called(over) or front and words.called(front)
  if not called then return nil end
  return ("%s is in front and holds the application: %s cannot be used. Close the dialog first, with handle_dialog."):format(
    called, words.called(node)), "dialog_in_front"
end


--- Adds to the error of an application that does not answer the dialog that may be the cause.
---@param pid integer
---@param err? string
---@param code? string
---@return string? err
---@return string? code
function M.explained(pid, err, code)
  local over = code == "app_hung" and any_modal(pid)
  if not over then return err, code end
  local why = (err or "it does not answer"):gsub("%.$", "")
  return ("%s. Its %s is in front, and it may answer nothing until that is closed. %s."):format(why, M.called(over),
    M.ADVICE), code
end


-- --- keys ------------------------------------------------------------------------------------------

local ANSWERS = 0.3   -- seconds

---@class modal.Waiting
---@field called string     the dialog that an action opened
---@field started? integer  with the process ID, it tells the process

--- The applications that opened a dialog within an action, and have not answered since, by process ID. The user's other engines
--- know them as well: a key of theirs does the same harm.
---@return sys.store.Store
local function waiting() return store.open "held" end


--- Notes that an application opened a dialog within an action. The action still runs, and in GTK 3 the next key would then wait
--- for the accessibility bus within it, for good.
---@param node elements.Node       whose action it was
---@param over sys.window.Window  the dialog
function M.note_waiting(node, over)
  waiting():set(tostring(node.pid), { called = M.called(over), started = over.started })
end


local SILENT = { timeout = true, app_hung = true }

--- True if the application itself answers: its tree alone may be one that is kept here.
local function answers(pid)
  local tree, _, code = element.tree { pid = pid, nodes = 1, timeout = ANSWERS }
  local root = tree and tree.nodes[1]
  if root then _, _, code = element.get({ root.id }, { timeout = ANSWERS }) end
  return not SILENT[code]
end


---@param pid integer
---@param it modal.Waiting
local function has_ended(pid, it)
  local _, _, code = app.get { pid = pid, started = it.started or 0 }
  return code == "app_not_found"
end


local function focused_process()
  for _, each in ipairs(window.list() or {}) do
    if each.focused then return each.pid end
  end
end


--- The error if the application that has the keyboard focus waits within an action; nil: keys may be sent.
---@return string? err
---@return string? code
function M.keys_refusal()
  local all = waiting():all() or {}   ---@type table<string, modal.Waiting>
  local focused = next(all) and focused_process()
  for key, it in pairs(all) do
    local pid = tonumber(key) or 0
    if pid == focused and not answers(pid) then
      return ("Nothing was sent: an action that opened %s still runs, and a key would make its application hang for good. "
        .. "%s."):format(it.called, M.ADVICE), "dialog_in_front"
    end
    if pid == focused or has_ended(pid, it) then waiting():set(key, nil) end
  end
end


return M
