--- Gives text to a cell of a spreadsheet, or of a list or table of Qt or GTK. Accessibility can set only a number, so it is
--- edited by keys, which go to the cell with the cursor.
---
-- Each step waits until the one before has worked: keys for a cell that is not being edited are commands for the sheet. The
-- text is pasted, because the application would correct and complete typed text.

local await     = require "elements.read.await"
local captions  = require "elements.read.captions"
local element   = require "sys.element"
local hands     = require "elements.read.hands"
local press     = require "elements.press.ways"
local snapshots = require "elements.read.snapshot"
local values    = require "elements.choose.values"
local words     = require "elements.read.words"

local M = {}

local MOVES = 1    -- seconds for the cursor to come to the cell,
local EDITS = 3    -- and for the cell to be edited
local CLICKS = 3   -- on a cell that moves

local EDITED = { paragraph = true, text = true, entry = true, spin = true }


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


--- A cell of text in a list or tree of GTK 3. It says of each that it can be edited.
---@param node elements.Node
---@return boolean
function M.is_tree_cell(node)
  local can, edits = node.abilities, false
  for _, name in ipairs(node.role == "cell" and node.actions or {}) do edits = edits or name == "edit" end
  return edits and can.read and not (can.write or can.count) or false
end


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


--- The roles of the elements that got the focus since then; "" for one that is not known.
local function focused_since(node, since)
  local told, roles = since and element.changes { pid = node.pid, since = since }, {}
  for _, event in ipairs(told and told.events or {}) do
    local here = event.kind == "focus" and event.detail == "focused on" and event.id ~= node.id
    local fresh = here and event.id and element.get { event.id }
    if here then roles[#roles + 1] = fresh and fresh[1].role or not event.id and "" or nil end
  end
  return roles
end


--- True if an element that is edited got the focus since then, in the same window. Qt and GTK do not list the field in which a
--- row is edited, and tell only of its focus.
local function is_row_edited(node, since)
  for _, role in ipairs(focused_since(node, since)) do
    if (EDITED[role] or role == "") and press.is_in_front(node) then return true end
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


-- --- cells of GTK 3 ---------------------------------------------------------------------------------

local PARTS = { cell = true, table = true, tree = true, header = true }   -- what has the focus while nothing is edited
local ITEMS = { menuitem = true, listitem = true }

--- The kind of editor that is open: "text", "list" or "other"; nil: none.
local function editor(node, since)
  local found
  for _, role in ipairs(focused_since(node, since)) do
    if EDITED[role] then return press.is_in_front(node) and "text" or nil end
    if not PARTS[role] and not words.TOPS[role] then found = ITEMS[role] and "list" or found or "other" end
  end
  return found
end


local function await_editor(node, since)
  return await.until_seen(node.pid, since, MOVES, function() return editor(node, since) end)
end


--- Clicks a cell that has the cursor, and again if it has moved meanwhile: the list still scrolled, another one got the click.
---@return "text"|"list"|"other"|"none"|nil kind
---@return string? err
---@return string? code
local function click(node)
  for _ = 1, CLICKS do
    local at, since = node.bounds, await.mark(node.pid)
    local kind = editor(node, since)
    if not kind then
      local ok, err, code = press.by_pointer(node)
      if not ok then return nil, err, code end
      kind = await_editor(node, since)
    end
    local fresh = not kind and element.get { node.id }
    local now = fresh and not fresh[1].gone and fresh[1].bounds
    if not now or now.x == at.x and now.y == at.y then return kind or "none" end
    node.bounds = now
  end
  return "none"
end


--- Opens the editor of a cell. GTK edits the cell that has the cursor when it is clicked once, and a double click would activate
--- its row. Its action to edit moves the cursor and scrolls to the cell; lists of some applications edit with F2.
local function open_editor(node)
  local since, fresh, last = await.mark(node.pid), nil, nil
  local ok, err, code = press.by_action(node, "edit")
  if not ok then return nil, err, code end
  await.until_seen(node.pid, since, MOVES, function()   -- in two looks at the same place: the list may still scroll
    fresh = element.get { node.id }
    if not fresh or fresh[1].gone then return true end
    local at, before = fresh[1].states.active and fresh[1].bounds or nil, last
    last = at
    return at and before and at.x == before.x and at.y == before.y
  end)
  if fresh and not fresh[1].gone then node.bounds = fresh[1].bounds end
  local kind
  kind, err, code = click(node)
  if not kind then return nil, err, code end
  if kind ~= "none" or not has_cursor(node) then return kind end
  since = await.mark(node.pid)
  ok, err, code = hands.keys(node, "f2")
  if not ok then return nil, err, code end
  return await_editor(node, since) or "none"
end


--- Chooses from the list that opened over a cell.
local function choose(node, value)
  local now, items = snapshots.take { pid = node.pid }, {}
  for _, each in ipairs(now and now.nodes or {}) do
    if ITEMS[each.role] and each.states.shown then items[#items + 1] = each end
  end
  local found = captions.called(items, value)
  if #found == 1 then return press.by_pointer(found[1]) end
  hands.keys(node, "escape")
  return nil, ("%s is chosen from a list, which has %s %s. %s."):format(words.called(node),
    #found > 0 and #found .. " options" or "no option", words.quote(value, 40), captions.suggest(items, value)), "bad_argument"
end


local function write_tree_cell(node, value)
  local err, code = hands.refusal(node, "written", "it is edited by keys, which takes the focus")
  if err then return nil, err, code end
  local kind, ok
  kind, err, code = open_editor(node)
  if not kind then return nil, err, code end
  if kind == "none" then
    return nil, ("%s opened no editor by a click and F2, so nothing was written. It may be read-only. If a double click edits "
      .. "it, use click_element with count 2, then type."):format(words.called(node)), "element_refused"
  end
  if kind == "list" then return choose(node, value) end
  if kind == "other" then
    hands.keys(node, "escape")
    return refused(node, "opened an editor that is not a field of text")
  end
  ok, err, code = replace(node, value)
  if not ok then return nil, err, code end
  return "keys"
end


-- --- the others --------------------------------------------------------------------------------------

---@param node elements.Node
---@param value string
---@return string? route
---@return string? err
---@return string? code
function M.write(node, value)
  if value:find "[%c]" then
    return nil, ("%s takes text of one line without tabs. Pass such text."):format(words.called(node)), "bad_argument"
  end
  if M.is_tree_cell(node) then return write_tree_cell(node, value) end
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
