--- The dialogs that macros answer: waiting for the one that is meant, and seeing that it is done with.

local dialogs  = require "elements.tools.dialog_front"
local modal    = require "elements.read.modal"
local names    = require "desktop.names"
local refs     = require "elements.read.refs"
local target   = require "elements.find.target"
local time     = require "sys.time"
local window   = require "sys.window"
local windows  = require "macros.windows"
local words    = require "elements.read.words"

local M = {}

local WAITS = 10    -- seconds for the dialog to come
local OTHER = 1     -- seconds for it to come in front of another one
local CLOSES = 2    -- seconds for it to close

---@class macros.Dialog
---@field window? string      resource name of its own window; nil: it has none
---@field application string
---@field called string


--- True if the dialog's window belongs to this one.
local function is_of(id, each)
  local list, at = {}, id
  for _, other in ipairs(window.list { pid = each.pid } or {}) do list[other.id] = other end
  for _ = 1, 20 do
    if at == each.id or not list[at] or not list[at].parent then return true end
    at = list[at].parent
  end
  return true
end


--- The dialog in front, if it has this title; otherwise nil and what is in front, as words.
local function front(each, title)
  local seen = dialogs.look { application = names.application(each) }
  if not seen then return nil end
  local node = seen.dialog and seen.dialog.node
  local id = seen.bare and seen.bare.id or node and node.window
  local own = seen.bare or windows.now(names.window { pid = seen.place.pid, started = seen.place.started, id = id or 0 })
  local called = seen.bare and modal.called(seen.bare) or words.called(node)
  local titles = { seen.dialog and seen.dialog.title or "", own and own.title or "" }
  for _, each_title in ipairs(titles) do
    if windows.is_titled(each_title, title) and is_of(id, each) then
      return { window = id and id ~= each.id and own and names.window(own) or nil, application = names.application(seen.place),
        called = called }
    end
  end
  return nil, called
end


--- Waits for the dialog of a step.
---@param each sys.window.Window  the window that it belongs to
---@param deed macros.Deed
---@return macros.Dialog? dialog
---@return string? err
---@return string? code
function M.await(each, deed)
  local begun, mark = time.monotonic(), nil
  local found, other
  repeat
    mark = window.changed(mark, { wait = mark and 1 or 0 })
    found, other = front(each, deed.title)
    local spent = time.monotonic() - begun
  until found or spent > (other and OTHER or deed.timeout or WAITS)
  if found then return found end
  if other then
    return nil, ("%s is in front, not the dialog %s. Answer it with handle_dialog, and resume"):format(other,
      words.quote(deed.title, 60)), "MACRO_DIALOG_IN_FRONT"
  end
  return nil, ("The dialog %s did not come. See whether the step before it opens it"):format(words.quote(deed.title, 60)),
    "MACRO_NO_WINDOW"
end


--- True if a dialog that was answered is open. One without a window of its own is looked for among the elements.
local function is_open(dialog, ref)
  if dialog.window then return windows.now(dialog.window) ~= nil end
  local record = ref and refs.find(ref)
  local snapshot = record and target.look { pid = record.pid, started = record.started }
  local node = snapshot and refs.locate(record, snapshot)
  return node ~= nil and node.states.shown == true
end


--- Waits until the dialog is closed. False: it stays open.
local function await_closed(dialog, ref)
  local begun, mark = time.monotonic(), nil
  repeat
    mark = window.changed(mark, { wait = mark and 1 or 0 })
    if not is_open(dialog, ref) then return true end
  until time.monotonic() - begun > CLOSES
  return false
end


--- The names of buttons, for a message.
local function buttons_of(dialog)
  local list = {}
  for i, button in ipairs(dialog.buttons or {}) do list[i] = words.quote(button.name, 40) end
  return #list > 0 and (" (%s)"):format(table.concat(list, ", ")) or ""
end


--- The reason why a dialog is not done with, although its button was pressed: another one asks something on top of it, or a path
--- that was to be taken leaves it open. nil: it is.
---@param deed macros.Deed
---@param dialog macros.Dialog
---@param facts table  the result of handle_dialog
---@return string? why
---@return string? code
function M.left_open(deed, dialog, facts)
  local asked = type(facts.next) == "table" and facts.next
  local ref = type(facts.dialog) == "table" and facts.dialog.ref or nil
  local is_other = asked and asked.ref ~= ref
  if is_other and deed.next and windows.is_titled(asked.title, deed.next) then return nil end
  if is_other and is_open(dialog, ref) then
    local text = asked.text ~= "" and ": " .. words.quote(asked.text, 200) or ""
    local called = words.quote(asked.title, 60)
    return ("The %s %s is in front of it now%s. Answer it with handle_dialog%s, or give the step next = %s and answer it in the "
      .. "next step"):format(asked.kind == "question" and "question" or "dialog", called, text, buttons_of(asked), called),
      "MACRO_DIALOG_IN_FRONT"
  end
  if not is_other and deed.path and deed.button and not deed.unseen and not await_closed(dialog, ref) then
    return ("Its effect was not seen: %s is still open. See whether it takes the path %s"):format(dialog.called,
      words.quote(deed.path, 200)), "MACRO_EFFECT_MISSING"
  end
end


return M
