--- Boxes that have a list only while they are open, as those of GTK 4: a button opens it, in a window of its own.
--
-- The list has the keyboard focus, and its rows tell wrong places: it is read and used by keys, and the row that has the focus
-- is read before Return is pressed. Of a long list there are only the rows around that one.

local await     = require "elements.read.await"
local element   = require "sys.element"
local hands     = require "elements.read.hands"
local popups    = require "elements.read.popups"
local press     = require "elements.press.ways"
local rect      = require "rect"
local snapshots = require "elements.read.snapshot"
local target    = require "elements.find.target"
local words     = require "elements.read.words"

local M = {}

local PARTS = 30      -- elements of a closed box
local NODES = 3000    -- elements of a list that are read: it has some two hundred rows at a time
local FEW = 60        -- rows that are never only a part of the list
local OPENS = 2       -- seconds for the list to open,
local FILLS = 0.5     -- for its rows to come,
local CLOSES = 1      -- for it to close,
local MOVES = 1       -- for a row to get the focus,
local ENDS = 3        -- and the last one of a long list, whose rows are made then
local TRIES = 3       -- to go to a row: keys may skip one


---@class elements.OpenedList
---@field popup sys.window.Window
---@field list elements.Node[]
---@field gap? integer  options after so many were not read: the list is too long


local function nodes_of(box, most)
  local part = snapshots.take { pid = box.pid, root = box.id, hidden = true, nodes = most or NODES, background = box.background }
  return part and part.nodes or {}
end


--- True if only groups are between the node and its box.
local function is_part(node, box)
  local at = node.up
  while at and at.role == "group" and at.id ~= box.id do at = at.up end
  return at ~= nil and at.id == box.id
end


--- The button that opens the box; nil: it has none.
---@param box elements.Node
---@return elements.Node? button
---@return elements.Node[] nodes  the first elements in the box
function M.button(box)
  local nodes = nodes_of(box, PARTS)
  for _, node in ipairs(nodes) do
    if words.BUTTONS[node.role] and is_part(node, box) then return node, nodes end
  end
  return nil, nodes
end


--- The text on the button of a box: the chosen option.
---@param box elements.Node
---@return string? text
---@return boolean has_button
function M.shown(box)
  local button, nodes = M.button(box)
  for _, node in ipairs(button and nodes or {}) do
    local text = node.role == "label" and node.states.shown and snapshots.is_below(node, button) and words.own_name(node)
    if text and text ~= "" then return text, true end
  end
  return nil, button ~= nil
end


--- The rows, each named by the text in it, and the one with the keyboard focus.
local function rows_of(box)
  local rows, by_id, focused = {}, {}, nil
  for _, node in ipairs(nodes_of(box)) do
    if node.role == "listitem" then
      rows[#rows + 1], by_id[node.id] = node, node
      node.name = words.own_name(node)
      focused = node.states.focused and node or focused
    elseif node.role == "label" then
      local at = node.up
      while at and not by_id[at.id] do at = at.up end
      local row = at and (node.states.shown or not at.states.shown) and by_id[at.id]   -- or scrolled away
      if row and row.name ~= node.name then row.name = words.clean(row.name .. " " .. node.name) end
      if row then row.text = row.text or { id = node.id, name = node.name } end
    end
  end
  return rows, focused
end


--- The largest popup of the application: others are hints.
local function own_popup(box)
  local found, most = nil, 0
  for _, each in pairs(popups.now() or {}) do
    local area = each.frame.width * each.frame.height
    if each.pid == box.pid and area > most then found, most = each, area end
  end
  return found
end


--- Closes the list. Escape is pressed only while its window is seen, because otherwise a dialog would get it.
---@param box elements.Node
---@param popup sys.window.Window
---@param patience? number  seconds in which it may close by itself
function M.close(box, popup, patience)
  local function is_closed() return not popups.is_open(popup.id) end
  if await.until_seen(box.pid, await.mark(box.pid), patience or 0, is_closed) then return end
  hands.keys(box, "escape")
  await.until_seen(box.pid, await.mark(box.pid), CLOSES, is_closed)
end


--- True if the row has the focus and still its text: GTK uses a row that was scrolled away for another option.
local function is_at(row)
  local fresh = element.get { row.id, row.text and row.text.id }
  if not fresh or fresh[1].gone or not fresh[1].states.focused then return false end
  return not row.text or not fresh[2].gone and fresh[2].name == row.text.name
end


--- Goes to an end of the list from the row of that name. Returns the rows around the end, once the focus stays there.
local function go_to_end(box, chord, from)
  local since, seen, rows = await.mark(box.pid), nil, nil
  if not hands.keys(box, chord) then return {} end
  await.until_seen(box.pid, since, ENDS, function()
    local found, focused = rows_of(box)
    local before = seen
    rows, seen = found, focused and focused.name
    return seen and seen ~= from and seen == before
  end)
  return rows
end


--- Appends the rows at the end of the list. Returns true if rows between them were not read.
local function append(list, rows)
  local from = 0
  for i = #rows, 1, -1 do
    if rows[i].name == list[#list].name then
      from = i
      break
    end
  end
  table.move(rows, from + 1, #rows, #list + 1, list)
  return from == 0
end


--- The rows of a long list: around its beginning and its end. Returns how many are before a gap, if there is one.
local function read_all(box, list, focused)
  if focused ~= list[1] then list = go_to_end(box, "home", focused.name) end
  local since = await.mark(box.pid)
  local whole = #list == 0 or not hands.keys(box, "end")
    or await.until_seen(box.pid, since, MOVES, function() return is_at(list[#list]) end)
  if whole then return list end
  local first = #list
  local gap = append(list, go_to_end(box, "end", list[1].name)) and first or nil
  return list, gap
end


--- The popup of the box, opened if it is closed.
local function open(box, button)
  if button.states.pressed then
    local popup = own_popup(box)
    if popup then return popup end
  end
  local renewed, err, code = target.renew(box)
  if not renewed then return nil, err, code end
  local other, b = own_popup(box), box.bounds
  if other and b and rect.holds(other.frame, b.x + b.width / 2, b.y + b.height / 2) then
    return nil, ("%s is covered by an open menu or list of its application. Close that first, with Escape by create_input.")
      :format(words.called(box)), "window_covered"
  end
  for _ = 1, other and 2 or 1 do   -- the first click may only close the other one
    local before, since = popups.now(), await.mark(box.pid)
    renewed, err, code = press.by_pointer(box)
    if not renewed then return nil, err, code end
    local popup = await.until_seen(box.pid, since, OPENS, function() return popups.came(before) end)
    if popup then return popup end
  end
  return nil, ("%s was clicked and opened no list. Call get_ui_tree to see what it shows now."):format(words.called(box)),
    "not_in_view"
end


--- Opens the box and reads its options. If it tells of none it is closed again.
---@param box elements.Node  with a button
---@param button elements.Node
---@return elements.OpenedList? opened
---@return string? err
---@return string? code
function M.open(box, button)
  local tied, why = hands.refusal(box, "opened", "its options are told only while it is open, which takes keys and the pointer")
  if tied then return nil, tied, why end
  local popup, err, code = open(box, button)
  if not popup then return nil, err, code end
  local list, focused
  local told = await.until_seen(box.pid, await.mark(box.pid), FILLS, function()
    list, focused = rows_of(box)
    return focused and focused.name ~= ""
  end)
  if not told then
    M.close(box, popup)
    return nil, ("%s opened a list that does not tell the text of its options, so none was chosen and it was closed. Open it "
      .. "with click_element, look at it with capture_screenshot, and click the option with create_input."):format(
      words.called(box)), "not_supported"
  end
  local gap
  if #list >= FEW then list, gap = read_all(box, list, focused) end
  return { popup = popup, list = list, gap = gap }
end


local function place_of(list, name)
  for i, each in ipairs(list) do
    if words.name(each) == name then return i end
  end
end


--- Moves by so many rows. Returns true if the option has the focus then, otherwise the name of the row that has it.
local function move(box, by, option)
  local since = await.mark(box.pid)
  if by ~= 0 then
    local ok, err, code = hands.keys(box, by > 0 and "down" or "up", { count = math.abs(by) })
    if not ok then return nil, err, code end
  end
  if await.until_seen(box.pid, since, MOVES, function() return is_at(option) end) then return true end
  local _, at = rows_of(box)
  return at and at.name == words.name(option) or at and at.name
end


--- Goes to the option by keys and presses Return there.
---@param box elements.Node
---@param opened elements.OpenedList
---@param option elements.Node  of the list
---@return string? route
---@return string? err
---@return string? code
function M.choose(box, opened, option)
  local wanted, place = words.name(option), nil
  for i, each in ipairs(opened.list) do place = each == option and i or place end
  if not popups.is_open(opened.popup.id) then
    return nil, ("The list of %s was closed meanwhile, so nothing was chosen. Try again."):format(words.called(box)),
      "not_in_view"
  end
  local is_far = place > (opened.gap or #opened.list) or place > #opened.list / 2
  local ok, err, code = hands.keys(box, is_far and "end" or "home")
  local at = ok and (is_far and #opened.list or 1)
  for _ = 1, TRIES do
    if not at then break end
    local name
    name, err, code = move(box, place - at, option)
    if name == true then
      ok, err, code = hands.keys(box, "return")
      M.close(box, opened.popup, CLOSES)
      if ok then return "keys" end
      return nil, err, code
    end
    at = name and place_of(opened.list, name)
  end
  M.close(box, opened.popup)
  return nil, err or ("Keys in the list of %s did not reach %s, so it was not chosen."):format(words.called(box),
    words.quote(wanted, 40)), code or "not_in_view"
end


return M
