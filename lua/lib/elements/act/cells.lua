--- Gives text to a cell of a spreadsheet, or of a list or table of Qt. Accessibility can set only a number, so it is edited by
--- keys, which go to the cell with the cursor.
---
-- Each step waits until the one before has worked: keys for a cell that is not being edited are commands for the sheet. The
-- text is pasted, because the application would correct and complete typed text.

local await     = require "elements.read.await"
local element   = require "sys.element"
local hands     = require "elements.read.hands"
local press     = require "elements.press.ways"
local snapshots = require "elements.read.snapshot"
local values    = require "elements.choose.values"
local words     = require "elements.read.words"

local M = {}

local MOVES = 1    -- seconds for the cursor to come to the cell,
local EDITS = 3    -- and for the cell to be edited

local EDITED = { paragraph = true, text = true, entry = true }


--- A cell that has a number and can be edited.
---@param node elements.Node
---@return boolean
function M.is_cell(node)
  return node.role == "cell" and node.abilities.count and not node.abilities.write and node.states.editable or false
end


--- A row or cell of Qt, which can be edited where it is, or not.
---@param node elements.Node
---@return boolean
M.is_row = values.is_named


local function refused(node, what)
  return nil, ("%s %s, so nothing was written. Take a screenshot to see why."):format(words.called(node), what), "element_refused"
end


local function has_cursor(node)
  local fresh = element.get { node.id }
  return fresh and not fresh[1].gone and fresh[1].states.focused or false
end


local function is_edited(pid)
  local now = snapshots.take { pid = pid }
  for _, node in ipairs(now and now.nodes or {}) do
    if node.states.focused and EDITED[node.role] and node.top.role ~= "dialog" and node.top.role ~= "alert" then return true end
  end
  return false
end


--- True if an element that is edited got the focus since then, in the same window. Qt does not list the field in which a row is
--- edited, and tells only of its focus.
local function is_row_edited(node, since)
  local told = since and element.changes { pid = node.pid, since = since }
  for _, event in ipairs(told and told.events or {}) do
    local here = event.kind == "focus" and event.detail == "focused on" and event.id ~= node.id
    local fresh = here and event.id and element.get { event.id }
    if here and (not event.id or fresh and EDITED[fresh[1].role]) and press.is_in_front(node) then return true end
  end
  return false
end


local function replace(node, value)
  local ok, err, code = hands.keys(node, "cmd+a")
  if ok and value == "" then ok, err, code = hands.keys(node, "delete") end
  if ok and value ~= "" then ok, err, code = hands.paste(node, value) end
  if ok and value ~= "" then ok, err, code = hands.keys(node, "delete") end   -- the application's completion, which is selected
  if ok then return hands.keys(node, "return") end
  hands.keys(node, "escape")   -- editing ends, and the cell keeps its content
  return nil, err, code
end


---@param node elements.Node
---@param value string
---@return string? route
---@return string? err
---@return string? code
function M.write(node, value)
  if value:find "[%c]" then
    return nil, ("%s takes text of one line without tabs. Pass such text."):format(words.called(node)), "bad_argument"
  end
  local since = await.mark(node.pid)
  local route, err, code = press.by_pointer(node)
  if not route then return nil, err, code end
  if not await.until_seen(node.pid, since, MOVES, function() return has_cursor(node) end) then
    return refused(node, "was clicked and does not have the cursor")
  end
  since = await.mark(node.pid)
  local ok
  ok, err, code = hands.keys(node, "f2")
  if not ok then return nil, err, code end
  local edits = await.until_seen(node.pid, since, EDITS, function()
    if M.is_row(node) then return is_row_edited(node, since) end
    return is_edited(node.pid)
  end)
  if not edits then return refused(node, "cannot be edited") end
  ok, err, code = replace(node, value)
  if not ok then return nil, err, code end
  return "keys"
end


return M
