--- The part of an element that can be seen, and bringing it into view before the pointer clicks it.
--
-- An application reports where an element is even if nothing of it can be seen: when it is scrolled away, or on a page or in a
-- popover that is closed. Another element at that place would get the click.

local asking  = require "elements.read.asking"
local await   = require "elements.read.await"
local cells   = require "elements.read.table_cells"
local element = require "sys.element"
local hands   = require "elements.read.hands"
local popups  = require "elements.read.popups"
local rect    = require "rect"
local time    = require "sys.time"
local words   = require "elements.read.words"

local M = {}

local COMES = 0.5    -- seconds for it to come into view,
local IN_PAGE = 2    -- the same in a page, whose process may be busy when the browser has answered,
local STILL = 0.04   -- and between two looks that find it at the same place
local PAGES = 40     -- pages that a scroll bar is moved, at most,
local TURNS = 60     -- and times that the wheel is turned,
local NOTCHES = 25   -- by so many notches, each time
local UP_MAX = 100   -- elements around it that are read again

--- Elements of these roles draw nothing of their content outside of themselves.
local CLIPS = { scrollarea = true, list = true, table = true, tree = true }


---@param a sys.window.Rect
---@param b sys.window.Rect
---@return sys.window.Rect?  nil: it is less than a point wide or high
function M.cut(a, b)
  local x, y = math.max(a.x, b.x), math.max(a.y, b.y)
  local width = math.min(a.x + a.width, b.x + b.width) - x
  local height = math.min(a.y + a.height, b.y + b.height) - y
  return width >= 1 and height >= 1 and { x = x, y = y, width = width, height = height } or nil
end


-- --- clipping --------------------------------------------------------------------------------------

--- The page that an element is in; nil: it is in none.
---@param node elements.Node
---@return elements.Node?
function M.page_of(node)
  local at = node.up
  while at and at.native ~= "document web" do at = at.up end
  return at
end


--- True if the element clips its content. In a page only the page's own view is sure to: style sheets draw parts of a list
--- beside it.
local function clips(at, page)
  if at.role == "scrollarea" or at.native == "viewport" or at.native == "document web" then return true end
  return not page and CLIPS[at.role] or false
end


local function has_size(bounds) return bounds and bounds.width >= 2 and bounds.height >= 2 end


local ROWS = { cell = true, listitem = true, row = true, treeitem = true }

--- The rectangle of a view without the header on top, under which Qt scrolls its rows. A header at the side is beside a row.
local function without_header(view, node)
  local b, covered, beside = view.bounds, 0, {}
  for _, each in ipairs(view.down) do
    if each.role == node.role and each.bounds then beside[each.bounds.y] = true end
  end
  for _, each in ipairs(view.down) do
    local on_top = each.role == "header" and has_size(each.bounds) and math.abs(each.bounds.y - b.y) <= 2
    if on_top and not beside[each.bounds.y] then covered = math.max(covered, each.bounds.height) end
  end
  return { x = b.x, y = b.y + covered, width = b.width, height = b.height - covered }
end


--- The part of the element that is within all that clips it and, if possible, within all that it is in.
local function part_of(node, frame)
  local part, page = node.bounds and M.cut(node.bounds, frame), M.page_of(node)
  local at = node.up
  while part and at and at.up do   -- the topmost is the window
    local bounds = has_size(at.bounds) and ROWS[node.role] and CLIPS[at.role] and at == node.up and without_header(at, node)
    local inner = has_size(at.bounds) and M.cut(part, bounds or at.bounds)
    if has_size(at.bounds) and not inner and clips(at, page) then return nil end
    part = has_size(inner) and inner or part
    at = at.up
  end
  return part
end


-- --- its present state ------------------------------------------------------------------------------

--- The element's present states. Those of the look stay unchanged, to be compared with the result of the click.
local function states_now(node) return node.now or node.states end


--- Reads the bounds and present states of the element, and of all that it is in.
local function renew(node)
  local ids = {}
  local at = node
  while at and #ids < UP_MAX do
    ids[#ids + 1] = at.id
    at = at.up
  end
  local fresh = element.get(ids)
  at = node
  for _, each in ipairs(fresh or {}) do
    local bounds = each.bounds or at == node and at.role == "cell" and cells.place(at) or nil
    if not each.gone then at.bounds, at.now = bounds, each.states end
    if at.popup and not each.gone then each.states.shown = popups.is_open(at.popup) end
    at = at.up
  end
  return fresh ~= nil and fresh[1] ~= nil and not fresh[1].gone
end


--- All elements of the node's application, by ID.
local function all_now(node)
  local tree, by_id = element.tree { pid = node.pid, hidden = true, bounds = true }, {}
  for _, each in ipairs(tree and tree.nodes or {}) do by_id[each.id] = each end
  return by_id
end


local function same(a, b) return a.x == b.x and a.y == b.y and a.width == b.width and a.height == b.height end


--- The element in a look at all of them: trees of Qt list new ones each time, in the same places.
local function find_now(node, by_id)
  if by_id[node.id] then return by_id[node.id] end
  for _, each in pairs(by_id) do
    local alike = each.role == node.role and each.name == node.name and each.bounds and node.bounds
    if alike and same(each.bounds, node.bounds) then return each end
  end
end


--- True if a look at all elements lists it as shown. That is the only proof for an element that was not shown: GTK 4 calls even
--- the content of a closed popover visible.
local function is_listed(node)
  local now = find_now(node, all_now(node))
  return now and now.states.shown or false
end


--- True if it is shown now. Renews its place.
---@param node elements.Node
---@return boolean
function M.is_shown(node)
  if not renew(node) or not states_now(node).shown or not node.bounds then return false end
  return not node.unseen or node.popup ~= nil or is_listed(node)
end


--- Waits until it is in view and does not move anymore, because browsers answer before they scroll. Returns the part in view.
local function await_part(node, frame, seconds)
  local ends, last = time.monotonic() + seconds, nil
  repeat
    local known = renew(node)
    local bounds = node.bounds
    local part = known and states_now(node).shown and part_of(node, frame)
    if part and last and same(last, bounds) then return (not node.unseen or is_listed(node)) and part or nil end
    last = bounds
    time.sleep(STILL)
  until not known or time.monotonic() >= ends
end


--- Seconds for it to come into view after its application was asked.
local function patience(node) return await.patience(M.page_of(node) and IN_PAGE or COMES) end


-- --- ways to bring it there ---------------------------------------------------------------------------

local function by_asking(node, frame)
  local done = element.act(node.id, { verb = "show" })
  return done and done.agreed and await_part(node, frame, patience(node))
end


--- Focuses it: GTK scrolls to the element that gets the focus. A click would focus it anyway.
local function by_focus(node, frame)
  local done = node.states.focusable and asking.focus(node)
  return done and done.agreed and await_part(node, frame, await.patience(COMES))
end


--- The scroll bars in the areas around it.
local function bars_around(node)
  local at, found = node.up, {}
  while at do
    for _, each in ipairs(at.role == "scrollarea" and at.down or {}) do
      if each.role == "scrollbar" and each.states.shown and each.abilities.count then
        found[#found + 1] = { bar = each, area = at }
      end
    end
    at = at.up
  end
  return found
end


--- Scrolls page by page from the top, because not every bar reports its range. The wheel would change the numbers and lists
--- that it passes.
local function by_bar(node, frame)
  for _, each in ipairs(bars_around(node)) do
    local b = each.area.bounds
    local page = b and math.max(10, math.min(b.width, b.height) - 10) or 50
    for i = 0, PAGES do
      local done = element.act(each.bar.id, { verb = "set_number", number = i * page })
      if not done or not done.agreed then break end
      local part = await_part(node, frame, STILL * 2)
      if part then return part end
    end
  end
end


--- The list, tree or table that the element is in.
local function view_of(node)
  local at = ROWS[node.role] and node.up or nil
  while at and not CLIPS[at.role] do at = at.up end
  return at
end


--- A point of the view over which the wheel does nothing but scroll it: one of an element like this one that is shown. Trees of
--- Qt list new elements in each look, so these are not those of the look before.
local function place_of_wheel(node, view)
  local tree = element.tree { pid = node.pid, bounds = true }
  for _, each in ipairs(tree and tree.nodes or {}) do
    local alike = each.parent == node.up.id and each.role == node.role and each.states.shown and each.bounds
    local part = alike and M.cut(each.bounds, view.bounds)
    if part and each.children == 0 and not each.abilities.count and not each.states.focused then
      return { x = math.floor(part.x + part.width / 2), y = math.floor(part.y + part.height / 2) }
    end
  end
end


--- How far a stretch lies behind the other one's end (positive) or before its beginning (negative); 0: neither.
local function distance(from, size, outer, outer_size)
  if from + size > outer + outer_size then return math.min(from + size - outer - outer_size, from - outer) end
  return from < outer and from - outer or 0
end


local function away(node, view)
  local b, v = node.bounds, without_header(view, node)
  return distance(b.x, b.width, v.x, v.width), distance(b.y, b.height, v.y, v.height)
end


local function notches(far, step)
  if far == 0 then return 0 end
  local count = math.max(1, math.min(NOTCHES, math.floor(math.abs(far) / step)))
  return far > 0 and count or -count
end


--- Turns the wheel until it is in view. Lists, trees and tables of Qt have no other way, and tell where rows that are scrolled
--- away would be.
local function by_wheel(node, frame, uncover)
  local view = view_of(node)
  if not view or not uncover or not has_size(view.bounds) or not has_size(node.bounds) then return nil end
  local place, step = place_of_wheel(node, view), math.huge
  for _ = 1, place and uncover(place.x, place.y) and TURNS or 0 do
    local x, y = away(node, view)
    if x == 0 and y == 0 then return await_part(node, frame, patience(node)) end
    local was, right, down = node.bounds, notches(x, step), y ~= 0 and notches(y, step) or 0
    if down ~= 0 then right = 0 end
    if not hands.scroll(node, place, right, down) then return nil end
    local ends = time.monotonic() + patience(node)
    repeat
      time.sleep(STILL)
      if not renew(node) or not has_size(node.bounds) then return nil end
    until not same(was, node.bounds) or time.monotonic() >= ends
    local moved = math.abs(was.x - node.bounds.x) + math.abs(was.y - node.bounds.y)
    if moved == 0 then return nil end
    step = math.max(1, moved / math.max(math.abs(right), math.abs(down)))
  end
end


local BUTTONS = { button = true, toggle = true }

--- The menu button that it is in: the outer and the inner one. GTK 4 makes a menu button of two nested ones, and its popover is
--- in the outer one.
local function menu_button(node)
  local at = node.up
  while at do
    for _, each in ipairs(BUTTONS[at.role] and at.down or {}) do
      if BUTTONS[each.role] and each ~= node then return at, each end
    end
    at = at.up
  end
end


local function is_down(states) return states.expanded or states.pressed or states.checked or false end


--- The button of the closed popover that it is in. GTK 4 still reports elements as shown after their popover has closed.
local function closed_by(node)
  local outer, inner = menu_button(node)
  if not outer or M.page_of(node) then return nil end
  local fresh = element.get { outer.id, inner.id }
  local button, face = fresh and fresh[1], fresh and fresh[2]
  if not button or button.gone or not face or face.gone or is_down(button.states) or is_down(face.states) then return nil end
  local is_face = button.bounds and node.bounds and M.cut(button.bounds, node.bounds)
  return not is_face and outer or nil
end


local function refused(node)
  local opener = closed_by(node)
  if opener then
    return nil, ("%s is in a popover of %s that is closed. Open that first."):format(words.called(node), words.called(opener)),
      "not_in_view"
  end
  if node.unseen then
    return nil, ("%s is not shown. Open the menu, tab or list that it is in first, or use method action."):format(
      words.called(node)), "not_in_view"
  end
  return nil, ("%s is not in view, and scrolling to it did not bring it there. Scroll with create_input, or use method action.")
    :format(words.called(node)), "not_in_view"
end


--- The part of the element that can be seen and clicked. Scrolls it into view if none can.
---@param node elements.Node  renewed
---@param frame sys.window.Rect  the frame of its window
---@param uncover? fun(x: number, y: number): boolean?  true if nothing lies over a point, for the wheel
---@return sys.window.Rect? part
---@return string? err
---@return string? code  "not_in_view"
function M.bring(node, frame, uncover)
  if closed_by(node) then return refused(node) end
  if not node.bounds and node.role == "cell" then renew(node) end
  local part = states_now(node).shown and part_of(node, frame)
  if part and (not node.unseen or is_listed(node)) then return part end
  if node.source then return refused(node) end
  node.scrolled = true
  part = by_asking(node, frame) or by_focus(node, frame) or by_bar(node, frame) or by_wheel(node, frame, uncover)
  if part then return part end
  return refused(node)
end


--- True if an item of a menu or an option of a list can be clicked where it is. These may lie beside their window.
---@param node elements.Node
---@return true? ok
---@return string? err
---@return string? code  "not_in_view"
function M.is_open(node)
  if states_now(node).shown and not closed_by(node) and (not node.unseen or M.is_shown(node)) then return true end
  return refused(node)
end


--- Checks that its application reports it as shown once its window is in front. Firefox reports covered elements as not shown.
---@param node elements.Node
---@return true? ok
---@return string? err
---@return string? code  "not_in_view"
function M.sure(node)
  if node.source then return true end
  local ends = time.monotonic() + patience(node)
  repeat
    local fresh = element.get { node.id }
    if not fresh or fresh[1].gone or fresh[1].states.shown then return true end
    time.sleep(STILL)
  until time.monotonic() >= ends
  return refused(node)
end


-- --- elements over it -----------------------------------------------------------------------------------

local function is_around(node, other)
  while node and node ~= other do node = node.up end
  return node ~= nil
end


--- Another element of the same page at that point that is drawn later, and so may get the click.
---@param node elements.Node
---@param x number
---@param y number
---@return elements.Node?
function M.rival(node, x, y)
  local page, found, passed = M.page_of(node), nil, false
  local moved = page and node.scrolled and all_now(node) or {}
  local function look(at)
    local now = moved[at.id] or at
    passed = passed or at == node
    local b = passed and words.WORKED[at.role] and now.states.shown and now.bounds
    if b and rect.holds(b, x, y) and not is_around(at, node) and not is_around(node, at) then found = at end
    for _, each in ipairs(at.down or {}) do look(each) end
  end
  if page then look(page) end
  return found
end


return M
