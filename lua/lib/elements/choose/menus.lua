--- Menus of an application: finding an item by its path, opening one menu after the other, and closing them again.
--
-- Toolkits place items differently: below their menu (GTK 3), in another menu between that has no name (Qt), in a menu that is
-- filled only when it opens (LibreOffice), or in a popover that a button opens. In a popover they may be buttons.

local await      = require "elements.read.await"
local beginnings = require "desktop.beginnings"
local captions   = require "elements.read.captions"
local element    = require "sys.element"
local hands      = require "elements.read.hands"
local menu_items = require "elements.choose.menu_items"
local modal      = require "elements.read.modal"
local popups     = require "elements.read.popups"
local press      = require "elements.press.ways"
local rect       = require "rect"
local snapshots  = require "elements.read.snapshot"
local target     = require "elements.find.target"
local window     = require "sys.window"
local words      = require "elements.read.words"

local M = {}

local OPENS = 1      -- seconds at most for a menu to open,
local CLOSES = 0.5   -- to close,
local FILLS = 0.4    -- and for items that come after it opened
local ANSWERS = 1    -- seconds for one look

local ITEMS, OPENERS = menu_items.ROLES, menu_items.OPENERS
local IN_POPOVERS = { menuitem = true, checkitem = true, radioitem = true, menu = true, button = true, toggle = true,
  checkbox = true, radio = true, switch = true }


---@class elements.MenuLevel
---@field opener elements.Node
---@field items elements.Node[]  the menu's items while it is open
---@field before {popups: table<integer, sys.window.Window>, shown: table<integer, boolean>}
---@field probe integer          the ID of an item, which is shown while the menu is open
---@field popup? integer         the window that came with it

---@class elements.MenuWay
---@field place elements.Place
---@field window? integer        only the menus of this window
---@field before elements.Snapshot
---@field mark? integer
---@field opened elements.MenuLevel[]  menus that this way opened, from the outermost
---@field taken string[]  notes about names of which the beginning was given


-- --- looking at an open menu -----------------------------------------------------------------------

local function all_below(way, opener)
  local part = snapshots.take { pid = way.place.pid, started = way.place.started, root = opener.id, hidden = true,
    background = way.place.background }
  return part and part.nodes or {}
end


local function read_below(way, opener) return menu_items.items_below(opener, all_below(way, opener)) end


local function shown_ids(snapshot)
  local ids = {}
  for _, node in ipairs(snapshot.nodes) do ids[node.id] = node.states.shown end
  return ids
end


local function below(node, top_id)
  local at = node.up
  while at and at.id ~= top_id do at = at.up end
  return at ~= nil
end


local function is_item(node, opener)
  return IN_POPOVERS[node.role] and node.states.shown and node.id ~= opener.id and not menu_items.is_wrapper(node)
    and not words.doubled(node)
end


--- The items that came since then: a popover is not always below its button. GTK 4 does not report that items went, so those
--- below the button count if a window came.
local function read_new(way, opener, before)
  local now, items = target.look(way.place), {}
  local top = menu_items.outer(opener) or opener
  local popup = popups.came(before.popups)
  for _, node in ipairs(now and now.nodes or {}) do
    local new = not before.shown[node.id] or popup and below(node, top.id)
    if new and is_item(node, opener) then items[#items + 1] = node end
  end
  return items
end


--- The items of a popover that is already open: pressing its button would bring no new ones and close it.
local function open_before(way, opener)
  local top, items = menu_items.outer(opener) or opener, {}
  local down = opener.states.pressed or opener.states.checked or opener.states.expanded or top.states.expanded
  for _, node in ipairs(down and OPENERS[opener.role] and way.before.nodes or {}) do
    if below(node, top.id) and is_item(node, opener) then items[#items + 1] = node end
  end
  return #items > 0 and items or nil
end


--- The same menu in the other menu bar. LibreOffice has two menu bars, in any order, and draws only one of them.
local function twin_of(way, opener)
  for _, node in ipairs(opener.role == "menu" and way.before.nodes or {}) do
    local same = node.role == "menu" and node.id ~= opener.id and node.window == opener.window
    if same and words.own_name(node) == words.own_name(opener) then return node end
  end
end


--- The items that lie in the window that came since then, or that they fill, if the application does not tell that they are
--- shown.
local function placed_items(way, items, before)
  local popup = popups.came(before.popups) or #items > 0 and popups.filled_by(way.place.pid, function() return items end)
  local found = {}
  for _, item in ipairs(popup and items or {}) do
    if popup and popups.holds(popup, item.bounds) then
      item.states.shown, item.popup = true, popup.id
      found[#found + 1] = item
    end
  end
  return #found > 0 and found or nil
end


--- The opener's items, if they are shown.
local function open_items(way, opener, before)
  local items = ITEMS[opener.role] and read_below(way, opener) or {}
  if menu_items.some_shown(items) then return items end
  local placed = placed_items(way, items, before)
  if placed then return placed end
  local twin = twin_of(way, opener)
  items = twin and read_below(way, twin) or {}
  if menu_items.some_shown(items) then return items end
  items = OPENERS[opener.role] and read_new(way, opener, before) or {}
  return menu_items.some_shown(items) and items or nil
end


-- --- closing -----------------------------------------------------------------------------------------

--- True if the menu is open. The window system knows this best: applications of GTK 4 do not report which items are shown.
local function is_open(level)
  if level.popup then return popups.is_open(level.popup) end
  local fresh = element.get({ level.probe }, { timeout = ANSWERS })
  return fresh ~= nil and not fresh[1].gone and fresh[1].states.shown or false
end


local function outermost_open(way)
  for _, level in ipairs(way.opened) do
    if is_open(level) then return level end
  end
end


local function await_closed(way, seconds)
  return await.until_seen(way.place.pid, await.mark(way.place.pid), seconds, function() return not outermost_open(way) end)
end


--- Closes the outermost menu by the action that opened it, which is all that is left in the background.
local function press_again(way)
  local opener = way.place.background and way.opened[1].opener
  local action = opener and press.action(opener)
  if not action then return nil end
  return press.by_action(opener, action)
end


--- Closes the menus that were opened. Each Escape closes one menu, and is pressed only while a menu is seen open, because
--- otherwise a dialog would get it.
---@param way elements.MenuWay
---@param patience? number  seconds in which they may close by themselves
---@return elements.Node? left  the menu that is still open
---@return boolean? alone        true: the menus closed by themselves
function M.close(way, patience)
  if #way.opened == 0 then return nil end
  if await_closed(way, patience or 0) then return nil, true end
  for _ = 1, #way.opened + 1 do
    if not hands.keys(way.place, "escape") and not press_again(way) then break end
    if await_closed(way, CLOSES) then return nil end
  end
  local level = outermost_open(way)
  return level and level.opener
end


--- True if the item is pressed in an open menu: by its action, or at this point in the menu's window. A click beside a menu
--- closes it too, so a menu without a window of its own is not known to have got the click.
---@param way elements.MenuWay
---@param point? {x: number, y: number}  nil: by its action
---@param shown table<integer, sys.window.Window>?  the popups just before the press
---@return boolean
function M.is_pressed_in(way, point, shown)
  if not point then return #way.opened > 0 end
  local level = way.opened[#way.opened]
  local popup = level and level.popup and shown and shown[level.popup]
  return popup ~= nil and rect.holds(popup.frame, point.x, point.y)
end


--- Returns a failure after closing the menus, and names one that stayed open.
---@param way elements.MenuWay
---@param err? string
---@param code? string
---@return nil
---@return string err
---@return string? code
function M.failed(way, err, code)
  local left = M.close(way)
  if left then err = ("%s %s is still open: press Escape with create_input."):format(err, words.called(left)) end
  return nil, err, code
end


-- --- opening -----------------------------------------------------------------------------------------

--- Opens a menu by `act` and waits for its items. Callers try its action first and then the pointer: some applications accept
--- an action and do nothing.
local function open_by(way, opener, before, act)
  local since = await.mark(way.place.pid)
  local route, err, code = act()
  if not route then return nil, err, code end
  return await.until_seen(way.place.pid, since, OPENS, function() return open_items(way, opener, before) end)
end


--- The items of a closed menu, on a Mac and in the background. They can be pressed. On a Mac an open menu keeps its application
--- from answering to the press, and a menu inside another opens for the pointer only; elsewhere it takes keys and pointer.
local function closed_items(way, opener)
  local closed = opener.native:find "^AXMenu" or way.place.background
  local items = closed and opener.states.enabled and read_below(way, opener) or {}
  return #items > 0 and items or nil
end


local function open(way, opener, before)
  local items = open_before(way, opener) or open_items(way, opener, before) or closed_items(way, opener)
  if items then return items, false end
  local err, code = modal.refusal(way.before, opener)
  if err then return nil, nil, err, code end
  local renewed
  renewed, err, code = target.renew(opener)
  if not renewed then return nil, nil, err, code end
  if not opener.states.enabled then
    return nil, nil, ("%s is off: it does not open now."):format(words.called(opener)), "element_disabled"
  end
  local action = press.action(opener)
  if action then items = open_by(way, opener, before, function() return press.by_action(opener, action) end) end
  if not items then
    items, err, code = open_by(way, opener, before, function() return press.by_pointer(opener) end)
  end
  if items then return items, true end
  return nil, nil, err or ("%s was opened and shows no items."):format(words.called(opener)), code or "not_in_view"
end


---@return elements.Node[]? items
---@return string? err
---@return string? code
local function open_level(way, opener)
  local before = { popups = popups.now(), shown = OPENERS[opener.role] and shown_ids(target.look(way.place) or way.before) or {} }
  local items, opened, err, code = open(way, opener, before)
  if not items then return nil, err, code end
  if opened then
    local popup = popups.came(before.popups)
    way.opened[#way.opened + 1] = { opener = opener, items = items, before = before,
      probe = menu_items.some_shown(items).id, popup = popup and popup.id }
  end
  return items
end


-- --- one name of the path ------------------------------------------------------------------------------

--- Narrows several items of the same name to those that bear it themselves and not by a label, are shown, are enabled, and are
--- in the window in front.
local function likeliest(nodes, name)
  for _, wanted in ipairs {
    function(node) return captions.same(words.own_name(node), name) end,
    function(node) return node.states.shown end, function(node) return node.states.enabled end,
    function(node) return node.top.states.active end,
  } do
    local some = {}
    for _, node in ipairs(nodes) do
      if wanted(node) then some[#some + 1] = node end
    end
    if #some > 0 then nodes = some end
  end
  return nodes
end


local function in_one_window(nodes)
  for _, node in ipairs(nodes) do
    if node.top ~= nodes[1].top then return false end
  end
  return true
end


--- Picks one of several items of the same name. Of LibreOffice's two menu bars the first counts.
local function one_of(nodes, name, first_of_bars)
  nodes = likeliest(nodes, name)
  if #nodes <= 1 or first_of_bars and in_one_window(nodes) then return nodes[1] end
  local refs = {}
  for i, node in ipairs(nodes) do refs[i] = ("%s %s"):format(node.ref, words.called(node)) end
  return nil, ("%d items are called %s: %s. Pass window, or click one by its ref with click_element."):format(#nodes,
    words.quote(name, 40), table.concat(refs, ", ")), "element_ambiguous"
end


--- Picks the item with a name that begins so. nil: there is none, or with an error several.
local function begun(way, nodes, name, first_of_bars)
  local found, taken = beginnings.of(nodes, name, function(node)
    return { words.name(node), captions.plain(words.name(node)) }
  end)
  if #found == 0 or taken and not beginnings.cuts_word(taken, name) then return nil end
  local caption = words.name(found[1])
  for _, node in ipairs(found) do
    if not captions.same(words.name(node), caption) then
      return nil, ("Several items begin with %s: %s. Write one of these names."):format(words.quote(name, 40),
        captions.list(found, 10)), "element_ambiguous"
    end
  end
  local node, err, code = one_of(found, caption, first_of_bars)
  if node then way.taken[#way.taken + 1] = beginnings.note(caption, name) end
  return node, err, code
end


local function no_menu(bars, open_ones, name)
  local all = table.move(open_ones, 1, #open_ones, #bars + 1, table.move(bars, 1, #bars, 1, {}))
  if #all == 0 then
    return nil, ("The application shows no menu, and no button %s. Call get_ui_tree to see what opens one."):format(
      words.quote(name, 40)), "element_not_found"
  end
  return nil, ("No menu is called %s. %s."):format(words.quote(name, 40), captions.suggest(all, name)), "element_not_found"
end


local function by_ref(snapshot, ref)
  for _, node in ipairs(snapshot.nodes) do
    if node.ref == ref then return node end
  end
end


--- The first element of the path: a menu of the bar, an item of an open menu, or a button that opens a menu.
local function first(way, name, last)
  local bars, open_ones = menu_items.first_items(way.before, way.window)
  local listed = name:find "^e%d+$" and by_ref(way.before, name)
  if listed then return listed end
  for _, list in ipairs { bars, open_ones, last and {} or menu_items.menu_buttons(way.before, way.window) } do
    local found = captions.called(list, name)
    if #found > 0 then return one_of(found, name, list == bars) end
  end
  for _, list in ipairs { bars, open_ones } do
    local node, err, code = begun(way, list, name, list == bars)
    if node or err then return node, err, code end
  end
  return no_menu(bars, open_ones, name)
end


--- The item of an open menu. Some applications add items after the menu has opened.
local function item_of(way, opener, items, name)
  local found = captions.called(items, name)
  local level = way.opened[#way.opened]
  if #found == 0 and level and level.opener == opener then
    local fuller = await.until_seen(way.place.pid, await.mark(way.place.pid), FILLS, function()
      items = open_items(way, opener, level.before) or items
      return #captions.called(items, name) > 0
    end)
    found = fuller and captions.called(items, name) or {}
  end
  if #found > 0 then return one_of(found, name) end
  local node, err, code = begun(way, items, name)
  if node or err then return node, err, code end
  return nil, ("%s has no item %s. %s."):format(words.called(opener), words.quote(name, 40), captions.suggest(items, name)),
    "element_not_found"
end


-- --- the whole path --------------------------------------------------------------------------------------

--- Splits `"File > Save As..."` into names. A list of names is used as it is.
---@param path string|string[]
---@return string[]? names
---@return string? err
---@return string? code
function M.names(path)
  local names = {}
  if type(path) == "string" then
    for part in (path .. ">"):gmatch "([^>]*)>" do names[#names + 1] = words.clean(part) end
  else
    for i, part in ipairs(path) do names[i] = words.clean(part) end
  end
  for _, name in ipairs(names) do
    if name == "" then return nil, 'The path has an empty name. Write it as "File > Save As...".', "bad_argument" end
  end
  return names
end


--- Brings to the front the window that a shared menu bar is to work on.
local function bring(place, id)
  local list, err, code = window.list()
  for _, each in ipairs(list or {}) do
    if each.id == id and each.focused then return true end
    if each.id == id then return hands.raise(place, each) end
  end
  return nil, err or "The window has closed. Call list_windows again.", code or "window_not_found"
end


--- Starts with a look at all elements, before any menu is opened.
---@param args {application?: string, window?: string, background?: boolean}
---@return elements.MenuWay? way
---@return string? err
---@return string? code
function M.begin(args)
  local place, err, code = target.place(args)
  if not place then return nil, err, code end
  local window_id = place.window
  place.window = nil
  local mark = await.mark(place.pid)
  local before
  before, err, code = target.look(place, { hidden = true })
  if before and window_id and menu_items.is_shared(before) then
    local came
    came, err, code = bring(place, window_id)
    if not came then return nil, err, code end
    before, err, code = target.look(place, { hidden = true })
  end
  if not before then return nil, err, code end
  return { place = place, window = window_id, before = before, mark = mark, opened = {}, taken = {} }
end


--- Refuses an item that cannot be chosen: a menu, or an item that is off.
local function check(way, node)
  local renewed, err, code = target.renew(node)
  if not renewed then return nil, err, code end
  local items = ITEMS[node.role] and read_below(way, node) or {}
  if #items > 0 then
    return nil, ("%s is a menu. Add one of its items to the path: %s."):format(words.called(node), captions.list(items, 15)),
      "bad_argument"
  end
  if node.states.enabled then return node end
  local behind = not way.window and menu_items.is_shared(way.before)
    and " Some items are off while their application is behind another: pass window." or ""
  return nil, ("%s is off: it cannot be chosen now.%s"):format(words.called(node), behind), "element_disabled"
end


--- Refuses an item that opens no menu: a press would choose it.
---@param siblings? elements.Node[]  the items beside it
local function check_opens(way, node, siblings)
  local all = OPENERS[node.role] and target.look(way.place, { hidden = true }) or way.before
  if menu_items.may_open(node, all_below(way, node), all.nodes) or open_before(way, node) then return node end
  local called, menus = words.called(node), {}
  if OPENERS[node.role] then
    return nil, ("%s does not tell that it opens a menu, so it was not pressed. If it opens one, click it with click_element, "
      .. "and then the item."):format(called), "bad_argument"
  end
  for _, each in ipairs(siblings or {}) do
    if menu_items.may_open(each, all_below(way, each), {}) then menus[#menus + 1] = each end
  end
  return nil, ("%s is an item, not a menu, so nothing was chosen. %s."):format(called, #menus > 0
    and "Menus beside it: " .. captions.list(menus, 15) or "There are no menus beside it"), "bad_argument"
end


--- Opens the menus of the path, for all names but the last. Afterwards the item is shown; on a failure all menus are closed
--- again.
---@param way elements.MenuWay
---@param names string[]
---@return elements.Node? item
---@return string? err
---@return string? code
function M.walk(way, names)
  local node, err, code = first(way, names[1], #names == 1)
  local items
  for i = 2, #names do
    if node then node, err, code = check_opens(way, node, items) end
    if not node then break end
    local opener = node
    items, err, code = open_level(way, opener)
    node = nil
    if items then node, err, code = item_of(way, opener, items, names[i]) end
    if node then node.misplaced = opener.misplaced or i < #names and press.is_misplaced(node) or nil end
  end
  if node then node, err, code = check(way, node) end
  if not node then return M.failed(way, err, code) end
  return node
end


return M
