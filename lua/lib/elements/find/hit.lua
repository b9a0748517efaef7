--- The element under a point of the desktop.

local control     = require "elements.find.control"
local element     = require "sys.element"
local labels      = require "elements.read.labels"
local open_menu   = require "elements.find.open_menu"
local popups      = require "elements.read.popups"
local rect        = require "rect"
local recognition = require "elements.read.recognition"
local snapshots   = require "elements.read.snapshot"
local state       = require "sys.state"
local window      = require "sys.window"
local words       = require "elements.read.words"

local M = { control = control.of }

local KEPT = 200   -- windows whose elements are known; beyond that they are looked for again
local PART = 100   -- elements of a row or a button that are read


---@class elements.Hit
---@field node elements.Node      what a click there is for: a control, not the text or the picture in it
---@field leaf elements.Node      the innermost element there
---@field snapshot elements.Snapshot   partial: it may have only what is around the point
---@field nodes elements.Node[]   those of the window, or of what a popup shows
---@field place elements.Place
---@field window sys.window.Window   the one that gets a click there; maybe a popup


-- --- the window ---------------------------------------------------------------------------------

--- The window that a click at the point reaches, popups of menus included.
---@param x number
---@param y number
---@return sys.window.Window? its_window
---@return string? err
---@return string? code  "window_not_found", and those of sys.window
function M.window(x, y)
  local list, err, code = window.list { all_kinds = true }
  if not list then return nil, err, code end
  for _, each in ipairs(list) do
    if each.on_screen and rect.holds(each.frame, x, y) then
      return window.over(each, x, y) or each   -- its shape may have a hole there
    end
  end
  return nil, ("No window is at %g,%g."):format(x, y), "window_not_found"
end


-- --- the innermost element ----------------------------------------------------------------------

--- Elements of these roles draw nothing of their content outside of themselves.
local CLIPS = { scrollarea = true, list = true, table = true, tree = true }

local function clips(node) return CLIPS[node.role] or node.native == "viewport" or node.native == "document web" end


--- The list of tabs for the pages in a stack of GTK 4, beside the stack.
local function tabs_of(stack)
  for _, beside in ipairs(stack.up and stack.up.down or {}) do
    for _, each in ipairs(beside ~= stack and { beside, table.unpack(beside.down) } or {}) do
      if each.role == "tablist" and #each.down == #stack.down then return each.down end
    end
  end
end


--- True for a page of GTK 4 whose tab is not the selected one: what is in it counts as shown, and has places.
local function is_other_page(node)
  if node.bounds or node.role ~= "group" or not node.up then return false end
  local tabs = tabs_of(node.up)
  for i, each in ipairs(tabs and node.up.down or {}) do
    if each == node then return not tabs[i].states.selected end
  end
  return false
end


--- True if what clips the element does so elsewhere: it is not scrolled away from the point.
local function in_view(node, x, y)
  local at = node.up
  while at do
    if at.bounds and clips(at) and not rect.holds(at.bounds, x, y) or is_other_page(at) then return false end
    at = at.up
  end
  return true
end


local function has_size(bounds) return bounds ~= nil and bounds.width > 1 and bounds.height > 1 end


local function same(a, b) return a.x == b.x and a.y == b.y and a.width == b.width and a.height == b.height end


local function area(node) return node.bounds.width * node.bounds.height end


--- The smallest of these elements at the point; of two that are as large, the inner or the later one.
---@param nodes elements.Node[]
---@param x number
---@param y number
---@return elements.Node?
function M.smallest(nodes, x, y)
  local best
  for _, node in ipairs(nodes) do
    local there = node.states.shown and has_size(node.bounds) and rect.holds(node.bounds, x, y) and not words.SILENT[node.role]
    if there and (not best or area(node) <= area(best)) and in_view(node, x, y) then best = node end
  end
  return best
end


--- The elements that a popup of the application shows: those in a window of their own, or in the one whose children fill it.
---@param snapshot elements.Snapshot
---@param popup sys.window.Window
---@return elements.Node[]
function M.in_popup(snapshot, popup)
  local holds, found = {}, {}
  for _, node in ipairs(snapshot.nodes) do   -- parents come before their children
    local inside = node.window == popup.id or node.up and holds[node.up]
    if inside then found[#found + 1] = node end
    holds[node] = inside or popups.shows(popup, node.down) or nil
  end
  return found
end


-- --- menus and lists that are elsewhere than their application tells -----------------------------------------

local ARROW = 12   -- points by which a popover may be higher than what GTK tells of it
local EDGE = 4     -- points of a menu's edges beside its items
local HOLDS = words.set "menu group"


--- The nearest element around a node that opens a popover.
local function opener_of(node)
  local at = node.up
  while at and not (at.role == "combobox" or words.BUTTONS[at.role] or at.role == "menuitem") do at = at.up end
  return at
end


--- The content of a popover of GTK 4, and how far away from there the application says that it is: it has the elements in the
--- window that the popover belongs to, and one of them is as wide as the popover.
---@param snapshot elements.Snapshot
---@param popup sys.window.Window
---@return elements.Node[]? nodes  nil: there is no such element, or several
---@return number? x
---@return number? y
function M.moved_into(snapshot, popup)
  local frame, found = popup.frame, nil
  for _, node in ipairs(snapshot.nodes) do
    local b = HOLDS[node.role] and node.states.shown and node.bounds
    local fits = b and b.width == frame.width and b.height <= frame.height and b.height >= frame.height - ARROW
    if fits and opener_of(node) and not (found and snapshots.is_below(node, found)) then
      if found then return nil end
      found = node
    end
  end
  if not found then return nil end
  local nodes, box, opener = {}, found.bounds, opener_of(found)
  for _, node in ipairs(snapshot.nodes) do
    if snapshots.is_below(node, found) then nodes[#nodes + 1] = node end
  end
  local above = opener.bounds and frame.y + frame.height / 2 < opener.bounds.y   -- its arrow is below it then
  return nodes, frame.x - box.x, frame.y - box.y + (above and 0 or frame.height - box.height)
end


--- The item of a menu that lies at a point in a popup which the shown items do not fill. LibreOffice has each menu twice; nil:
--- there is none, or items of several names are there.
---@param snapshot elements.Snapshot
---@param popup sys.window.Window
---@param x number
---@param y number
---@return elements.Node?
function M.item_in(snapshot, popup, x, y)
  local found, is_open, alike
  for _, node in ipairs(snapshot.nodes) do
    local is_item = popups.ITEMS[node.role] and node.states.shown and has_size(node.bounds)
    if is_item and rect.holds(node.bounds, x, y) and popups.holds(popup, node.bounds) then
      local states = node.up and node.up.states or {}
      local open = states.selected or states.expanded or false
      if not found or open and not is_open then found, is_open, alike = node, open, true
      elseif open == is_open then alike = alike and words.own_name(found) == words.own_name(node) end
    end
  end
  return alike and found or nil
end


local function box_around(items)
  local left, top, right, bottom = math.huge, math.huge, -math.huge, -math.huge
  for _, node in ipairs(items) do
    local b = node.bounds
    left, top = math.min(left, b.x), math.min(top, b.y)
    right, bottom = math.max(right, b.x + b.width), math.max(bottom, b.y + b.height)
  end
  return { x = left, y = top, width = right - left, height = bottom - top }
end


--- The items of a menu that have a place.
local function items_of(menu)
  local items = {}
  for _, node in ipairs(menu.down) do
    if popups.ITEMS[node.role] and node.states.shown and has_size(node.bounds) then items[#items + 1] = node end
  end
  return items
end


--- The item of an open menu that Swing draws in the window: it reports the place of the menu, and its items elsewhere. They may
--- be those of another element, the menu in the menu bar.
---@param snapshot elements.Snapshot
---@param window_id integer
---@param x number
---@param y number
---@return boolean is_open   an open menu is at the point
---@return elements.Node? item  nil: it is not known which
function M.in_drawn_menu(snapshot, window_id, x, y)
  local drawn, found
  for _, node in ipairs(snapshot.nodes) do
    local there = node.native == "popup menu" and node.window == window_id and node.states.shown
    if there and has_size(node.bounds) and rect.holds(node.bounds, x, y) then drawn = node end
  end
  if not drawn then return false end
  local box = drawn.bounds
  for _, node in ipairs(snapshot.nodes) do
    local is_it = node == drawn or #drawn.down == 0 and node.role == "menu" and node.window == window_id
    local items = is_it and items_of(node) or {}
    local size = items[1] and box_around(items)
    local fits = size and size.width <= box.width and box.width - size.width <= 2 * EDGE and size.height <= box.height
      and box.height - size.height <= 2 * EDGE
    if fits then
      if found then return true end
      found = M.smallest(items, x - box.x - box.width / 2 + size.x + size.width / 2, y - box.y - box.height / 2 + size.y
        + size.height / 2)
    end
  end
  return true, found
end


-- --- asking the application ----------------------------------------------------------------------

--- Roles of elements that hold others, and do not answer: something in them may be at the point that was not named.
local CONTAINERS = words.set("window dialog alert group scrollarea form document canvas toolbar menubar statusbar tablist list "
  .. "table tree row element")


---@class elements.Top
---@field pid integer
---@field id integer      the element of the window,
---@field bounds sys.window.Rect   where it was last
---@field around? sys.element.Node[]   from it to a pane in it that has to be asked by itself
---@field silent? boolean   it named nothing at the last point
---@field deaf? boolean     it named nothing where there was something, as GTK 4 does: it is not asked again

---@return table<integer, elements.Top>  by window
local function tops()
  local mine = state.open "elements"
  if not mine.tops or mine.known_tops >= KEPT then mine.tops, mine.known_tops = {}, 0 end
  return mine.tops
end


--- The element of a window.
---@return elements.Top?
local function top_of(its)
  local known = tops()[its.id]
  if known and known.pid == its.pid then return known end
  local tree = element.tree { pid = its.pid, started = its.started, depth = 1, bounds = true }
  for _, node in ipairs(tree and tree.nodes or {}) do
    if node.window == its.id and node.role ~= "application" and node.bounds then
      local top, mine = { pid = its.pid, id = node.id, bounds = node.bounds }, state.open "elements"
      tops()[its.id], mine.known_tops = top, mine.known_tops + 1
      return top
    end
  end
end


--- The elements that the application names at the point in this one, which is the first, and those in the innermost.
---@param node {id: integer, bounds: sys.window.Rect}
---@param x number
---@param y number
---@return sys.element.Tree?
function M.named(node, x, y)
  local b = node.bounds
  local function share(at, from, size) return math.min(1, math.max(1e-9, (at + 0.5 - from) / size)) end
  return element.tree { root = node.id, x = share(x, b.x, b.width), y = share(y, b.y, b.height), bounds = true, values = true }
end


--- The same in a window, which may have moved since its element was read.
---@param top elements.Top
---@return sys.element.Tree?
local function named_in(its, top, x, y)
  for _ = 1, 2 do
    local tree = M.named(top, x, y)
    local now = tree and tree.nodes[1]
    if not now or now.window ~= its.id or not now.bounds then break end
    if same(now.bounds, top.bounds) then return tree end
    top.bounds, top.around = now.bounds, nil
  end
  tops()[its.id] = nil
end


--- The first root pane of LibreOffice, or page, below the window: what is in it may be elsewhere than the application says.
local function pane_in(nodes)
  for i = 2, #nodes do
    local native = nodes[i].native
    if (native == "root pane" or native == "document web") and nodes[i].bounds then return i end
  end
end


local function is_at(node, x, y) return node.bounds ~= nil and rect.holds(node.bounds, x, y) end


--- The elements that are named in a pane, behind those around it, as these were read last.
---@param around sys.element.Node[]  from the window to the pane
---@return sys.element.Node[]? nodes
---@return string? route
local function named_in_pane(its, around, x, y)
  local pane = around[#around]
  local tree = M.named(pane, x, y)
  local now = tree and not tree.late and tree.nodes[1]
  if not now or not now.bounds or not same(now.bounds, pane.bounds) then return nil end
  local nodes = {}
  for i = 1, #around - 1 do
    nodes[i] = {}
    for key, value in pairs(around[i]) do nodes[i][key] = value end
  end
  nodes[1].name, nodes[1].states = its.title, { enabled = true, shown = true, active = its.focused or nil }
  return table.move(tree.nodes, 1, #tree.nodes, #around, nodes), tree.route
end


--- The pane and all around it, from the window.
local function up_from(nodes, pane)
  local by_id, around, at = {}, {}, nodes[pane]
  for _, node in ipairs(nodes) do by_id[node.id] = node end
  while at do
    table.insert(around, 1, at)
    at = by_id[at.parent]
  end
  return around
end


local function any_at(nodes, from, x, y)
  for i = from, #nodes do
    if is_at(nodes[i], x, y) then return true end
  end
  return false
end


--- The elements that the application names at a point of its window, with others there; nil: it names nothing there. Elements
--- in a pane may be elsewhere than it says: then the pane is asked, and that of LibreOffice at once the next time.
---@return sys.element.Node[]? nodes
---@return string? route
local function nodes_at(its, x, y)
  local top = top_of(its)
  local around, known, route = top and top.around, nil, nil
  if around and is_at(around[#around], x, y) then known, route = named_in_pane(its, around, x, y) end
  if known or not top or top.deaf then return known, route end
  local tree = named_in(its, top, x, y)
  top.silent = tree and #tree.nodes < 2
  if not tree or tree.late or top.silent then return nil end
  local pane = pane_in(tree.nodes)
  local is_root = pane and tree.nodes[pane].native == "root pane"
  if not pane or not is_root and any_at(tree.nodes, pane + 1, x, y) then return tree.nodes, tree.route end
  around = up_from(tree.nodes, pane)
  if is_root then top.around = around end
  return named_in_pane(its, around, x, y)
end


--- The elements without those in one that claims to have none: Chromium names the text of a button, which its tree does not have.
---@param nodes sys.element.Node[]
---@return sys.element.Node[]
local function in_tree(nodes)
  local kept, by_id = {}, {}
  for i, node in ipairs(nodes) do
    local up = i > 1 and by_id[node.parent]
    if i == 1 or up and up.children ~= 0 then kept[#kept + 1], by_id[node.id] = node, node end
  end
  return kept
end


--- Marks the elements that may have their name from a label in them, which may be one that was not named.
local function mark_parts(nodes)
  for _, node in ipairs(nodes) do
    node.part = (node.children or 0) > (node.listed or 0) and labels.may_have_inside(node) or nil
  end
end


--- The elements with all that is in this one; nil: it is too much.
---@param nodes sys.element.Node[]
---@return sys.element.Node[]?
local function with_whole(nodes, part)
  local tree = element.tree { root = part.id, nodes = PART, bounds = true, values = true }
  if not tree or tree.late or #tree.nodes >= PART then return nil end
  local whole = {}
  for i, node in ipairs(nodes) do
    if node.id == part.id then break end
    whole[i] = node
  end
  return table.move(tree.nodes, 1, #tree.nodes, #whole + 1, whole)
end


--- A look at the point alone; nil: the application names nothing there.
---@return elements.Snapshot? snapshot
---@return elements.Node? leaf
local function glance(its, x, y)
  local nodes, route = nodes_at(its, x, y)
  nodes = nodes and in_tree(nodes)
  if not nodes or #nodes < 2 then return nil end
  local look, snapshot, leaf = { pid = its.pid, started = its.started, root = nodes[1].id, partial = true }, nil, nil
  mark_parts(nodes)
  for _ = 1, 2 do
    snapshot = snapshots.of({ nodes = nodes, cut = false, route = route .. " at a point" }, look)
    leaf = M.smallest(snapshot.nodes, x, y)
    local node = leaf and M.control(leaf)
    if not node or not node.part then break end
    nodes = with_whole(nodes, node)
    if not nodes then return nil end
  end
  return snapshot, leaf
end


--- True if what is around the element has to be read to tell its name, or that of its dialog.
local function needs_more(node)
  local top = node.top
  return labels.may_name(node) or words.name(top) == "" and (top.role == "dialog" or top.role == "alert")
end


--- A look at the point alone; nil: it does not tell enough.
---@param its sys.window.Window
---@param x number
---@param y number
---@return elements.Snapshot? snapshot
---@return elements.Node[]? nodes
---@return elements.Node? leaf
function M.quick(its, x, y)
  local snapshot, leaf = glance(its, x, y)
  if not snapshot or not leaf or CONTAINERS[leaf.role] or needs_more(leaf) or needs_more(M.control(leaf)) then return nil end
  return snapshot, snapshot.nodes, leaf
end


-- --- an open menu -----------------------------------------------------------------------------------

local function in_menu(popup, x, y)
  local snapshot, nodes = M.menu(popup)
  return snapshot, nodes and M.smallest(nodes, x, y), nodes
end


--- The menu that opens a popup, with all that is in it, and what is around it.
---@return sys.element.Node[]? nodes
---@return string? route
local function opener_at(popup, x, y)
  local its = M.window(x, y)
  if not its or its.pid ~= popup.pid or its.id == popup.id then return nil end
  local look_at = its.kind == "popup" and in_menu or glance
  local snapshot, leaf = look_at(its, x, y)
  local opener = snapshot and leaf and M.control(leaf)
  if not opener or opener.role ~= "menu" then return nil end
  return with_whole(snapshot.nodes, opener), snapshot.route
end


--- The content of a popup, if that is a menu that can be read without the rest of its application.
---@param popup sys.window.Window
---@return elements.Snapshot? snapshot  partial
---@return elements.Node[]? nodes
function M.menu(popup)
  local snapshot = open_menu.read(popup, top_of(popup), opener_at)
  if snapshot then return snapshot, M.in_popup(snapshot, popup) end
end


-- --- both ---------------------------------------------------------------------------------------------

---@class elements.HitOptions
---@field source? string            as for recognition.look(); by default the tree alone
---@field region? sys.window.Rect
---@field look? fun(its: sys.window.Window): elements.Snapshot?, string?, string?  looks at the whole application, if the point
---  alone does not tell; default: recognition.look()

--- Finds the element that gets a click at a point.
---@param x number
---@param y number
---@param options? elements.HitOptions
---@return elements.Hit? hit
---@return string? err
---@return string? code  "window_not_found"; "element_not_found": the window has no element there; "no_tree", ...
function M.at(x, y, options)
  local its, err, code = M.window(x, y)
  if not its then return nil, err, code end
  return M.within(its, x, y, options)
end


--- The elements of a window; all, if the application does not tell which are in it.
local function in_window(nodes, id)
  local own = {}
  for _, node in ipairs(nodes) do
    if node.window == id then own[#own + 1] = node end
  end
  return own[1] and own or nodes
end


--- The content of a popup, and the innermost element there.
local function shown_at(snapshot, popup, x, y)
  local nodes = M.in_popup(snapshot, popup)
  local leaf = M.smallest(nodes, x, y)
  if leaf then return nodes, leaf end
  local moved, dx, dy = M.moved_into(snapshot, popup)
  if moved then return moved, M.smallest(moved, x - dx, y - dy) end
  return nodes, M.item_in(snapshot, popup, x, y)
end


--- Looks at the whole application.
---@return elements.Snapshot? snapshot
---@return elements.Node[]|string|nil nodes
---@return elements.Node|string|nil leaf
local function thorough(its, x, y, source, options)
  local function look_at()
    if options.look then return options.look(its) end
    return recognition.look { pid = its.pid, started = its.started, source = source, region = options.region }
  end
  local snapshot, err, code = look_at()
  if not snapshot then return nil, err, code end
  if its.kind == "popup" then return snapshot, shown_at(snapshot, its, x, y) end
  local drawn, item = M.in_drawn_menu(snapshot, its.id, x, y)
  if drawn then return snapshot, snapshot.nodes, item end
  local nodes = snapshot.nodes
  local leaf, top = M.smallest(in_window(nodes, its.id), x, y), tops()[its.id]
  if top and top.silent and leaf and leaf.window == its.id and not words.TOPS[leaf.role] then top.deaf = true end
  return snapshot, nodes, leaf
end


--- The same in the window that a click at the point reaches.
---@param its sys.window.Window
---@param x number
---@param y number
---@param options? elements.HitOptions
---@return elements.Hit? hit
---@return string? err
---@return string? code
function M.within(its, x, y, options)
  options = options or {}
  local source = options.source or "tree"
  local snapshot, nodes, leaf = nil, nil, nil
  if not source:find "^ocr" then snapshot, nodes, leaf = M.quick(its, x, y) end
  if not snapshot then snapshot, nodes, leaf = thorough(its, x, y, source, options) end
  if not snapshot then return nil, nodes --[[@as string]], leaf --[[@as string]] end
  if not leaf then
    local called = its.title == "" and "The window" or words.quote(its.title, 60)
    return nil, ("%s has no element at %g,%g."):format(called, x, y), "element_not_found"
  end
  local place = { pid = its.pid, started = its.started, source = source }
  local node = M.control(leaf, its.kind == "popup")
  return { node = node, leaf = leaf, snapshot = snapshot, nodes = nodes, place = place, window = its }
end


--- True if the application of a window names nothing at its points, as those of GTK 4: all of it has to be read each time.
---@param its sys.window.Window
---@return boolean
function M.is_deaf(its)
  local top = tops()[its.id]
  return top ~= nil and top.deaf == true
end


--- True if the element only holds others: nothing better is at its points.
---@param node elements.Node
---@return boolean
function M.is_container(node) return CONTAINERS[node.role] or false end


return M
