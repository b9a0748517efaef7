--- The ways to press an element: its own action, selecting it, or the pointer.
--
-- Only actions with a known name are used, because the first of a list may undo text or end its application. An application of
-- GTK 3 that opens a dialog within an action does not answer until the dialog is closed, and the next key makes it hang for good.
-- So what may open a dialog, a button or an item of a menu, is clicked while its window is in front.

local asking     = require "elements.read.asking"
local await      = require "elements.read.await"
local desktop    = require "sys.desktop"
local display    = require "sys.display"
local element    = require "sys.element"
local hands      = require "elements.read.hands"
local listable   = require "desktop.listable"
local popups     = require "elements.read.popups"
local rect       = require "rect"
local time       = require "sys.time"
local visibility = require "elements.press.visibility"
local window     = require "sys.window"
local windows    = require "elements.read.windows"
local words      = require "elements.read.words"

local M = {}

--- Names of actions that press, in lower case and best first; by role if these are not enough.
local PRESSES = { "click", "press", "toggle", "activate", "dodefault" }
local CHECKS = { "click", "press", "toggle", "check", "uncheck", "activate", "dodefault" }   -- two more for browsers
local BY_ROLE = {
  checkbox = CHECKS, switch = CHECKS, radio = { "click", "press", "toggle", "check", "select", "activate", "dodefault" },
  link = { "jump", "click", "press", "activate", "open" },
  combobox = { "press", "click", "showmenu", "togglepopup", "expand or contract" },
  menu = { "click", "press", "showmenu", "activate", "open" },
  treeitem = {}, listitem = { "click", "press", "select", "activate" }, tab = { "click", "press", "switch" },
  cell = { "click", "press" },
  -- these have an "activate" that is the Return key, and others that edit the text
  entry = {}, text = {}, password = {}, spin = {}, slider = {}, document = {}, terminal = {}, label = {}, list = {}, tree = {},
}
local OPENERS = { combobox = true, menu = true }

local function action_among(node, wanted)
  for _, name in ipairs(wanted) do
    for _, action in ipairs(node.actions or {}) do
      if action:lower() == name then return action end
    end
  end
end


--- The action that presses it; nil: no action is known to.
---@param node elements.Node
---@return string?
function M.action(node) return action_among(node, BY_ROLE[node.role] or PRESSES) end


--- True if a press opens or closes it. A press of a plain button may do anything.
local function opens(node)
  local states = node.states
  return OPENERS[node.role] or states.expandable or states.expanded or states.has_popup or false
end


--- Asks the application for a change that it may refuse.
local function ask(node, change, called)
  local done, err, code = asking.ask(node, change, called)
  if not done then return nil, err, code end
  if type(done) == "string" or done.agreed then return done end
  return nil, ("the application refused %s"):format(called), "element_refused"
end


---@param node elements.Node
---@param name string
---@return string? route
---@return string? err
---@return string? code
function M.by_action(node, name)
  local called = "action " .. name
  local done, err, code = ask(node, { verb = "do", name = name }, called)
  if not done then return nil, err, code end
  return type(done) == "string" and done or called
end


--- Opens or closes the element.
---@param node elements.Node
---@param open boolean
---@return string? route
---@return string? err
---@return string? code
function M.by_opening(node, open)
  local verb = open and "expand" or "collapse"
  local done, err, code = ask(node, { verb = verb }, verb)
  if type(done) == "table" then return done.route:match "action .*" or done.route end
  if done or code ~= "not_supported" then return done, err, code end
  if opens(node) then return M.by_pointer(node) end
  return nil, ("%s does not say that it opens or closes. Use click_element to press it."):format(words.called(node)),
    "not_supported"
end


local SELECTED_IN = 0.3   -- seconds for it to report that it is selected

--- Selects it, or clicks it if it does not become selected: browsers agree to select a tab and do nothing.
---@param node elements.Node
---@return string? route
---@return string? err
---@return string? code
function M.by_selection(node)
  if words.in_sheet(node) then return M.by_pointer(node) end
  local since = await.mark(node.pid)
  local route, err, code = asking.route(node, { verb = "select" }, "selection")
  if not route or asking.is_unanswered(route) then return route, err, code end
  local function is_selected()
    local fresh = element.get { node.id }
    return not fresh or fresh[1].gone or not fresh[1].states.selectable or fresh[1].states.selected
  end
  if await.until_seen(node.pid, since, SELECTED_IN, is_selected) then return route end
  return M.by_pointer(node)
end


-- --- the pointer -------------------------------------------------------------------------------

local function own_window(list, node)
  for _, each in ipairs(list) do
    if each.id == node.window then return each end
  end
end


local function covered(node, over)
  local told = listable.window(over)
  local what = over.kind == "popup" and ("a popup of %s"):format(told and over.app ~= "" and over.app or "another application")
    or told and ("the window %s"):format(words.quote(over.title, 60)) or "a window of another application"
  return nil, ("%s is covered by %s. Move that away, or use method action."):format(words.called(node), what),
    "window_covered"
end


--- Brings its window to the front if another window lies over the point, unless that is its own popup.
local function uncover(node, mine, x, y)
  local over, err, code = window.over(mine, x, y)
  if over == nil then return nil, err, code end
  if not over or over.own then return true end
  hands.raise(node, mine)
  over, err, code = window.over(mine, x, y)
  if over == nil then return nil, err, code end
  if over and not over.own then return covered(node, over) end
  return true
end


-- --- items of menus ------------------------------------------------------------------------------

local ITEMS = { menuitem = true, checkitem = true, radioitem = true, menu = true }
local OPTIONS = { listitem = true, cell = true, treeitem = true, row = true }
local MENU_OPENS = 1   -- seconds at most


--- True if it is in an open menu or list: these lie over everything, and may reach beyond their window.
local function in_menu(node)
  if ITEMS[node.role] and node.up ~= nil and ITEMS[node.up.role] then return true end
  local at = (ITEMS[node.role] or OPTIONS[node.role]) and node.up or nil
  while at and at.role ~= "combobox" do at = at.up end
  return at ~= nil
end


local function items_now(menu)
  local ids = {}
  for i, item in ipairs(menu.down) do ids[i] = item.id end
  return element.get(ids)
end


--- Opens the menus that it is in, from the outermost, by their actions.
---@param node elements.Node
---@return true? ok
---@return string? err
---@return string? code
local function open_menus(node)
  local menu = node.up
  if node.states.shown or not menu or not ITEMS[menu.role] then return true end
  local ok, err, code = open_menus(menu)
  if not ok then return nil, err, code end
  local filled = popups.filled_by(node.pid, function() return items_now(menu) end)
  node.popup = filled and filled.id
  if filled and visibility.is_shown(node) then return true end
  local fresh = element.get { menu.id }
  menu.actions = fresh and fresh[1].actions or nil
  local name = M.action(menu)
  local since, before = await.mark(node.pid), popups.now()
  if name then   -- Qt has another menu between an item and its items, which is opened with the item
    ok, err, code = M.by_action(menu, name)
    if not ok then return nil, err, code end
  end
  local shown = await.until_seen(node.pid, since, MENU_OPENS, function()
    if visibility.is_shown(node) then return true end
    local popup = popups.came(before)
    if popups.holds(popup, node.bounds) then node.popup = popup.id end
    return node.popup and visibility.is_shown(node)
  end)
  if shown then return true end
  return nil, ("%s was opened and does not show %s."):format(words.called(menu), words.called(node)), "not_in_view"
end


--- True for an item of a menu whose first item says that it is at the menu's heading in the menu bar, or outside of its popup.
--- Swing counts the places of such items from another corner than all others, and so those of menus in menus. `misplaced` is
--- set of what is known to be in such a menu.
---@param node elements.Node
---@return boolean
function M.is_misplaced(node)
  if node.misplaced then return true end
  local menu = node.up
  local around = menu and menu.role == "menu" and menu.bounds
  local in_popup = around and menu.native == "popup menu"
  local in_bar = around and (not menu.up or menu.up.role == "menubar")   -- select_menu_item reads no more than the menu
  if not in_popup and not in_bar then return menu ~= nil and ITEMS[menu.role] and M.is_misplaced(menu) or false end
  local first = element.get { (menu.down[1] or node).id }   -- it may have been looked at before its menu opened
  local b = first and first[1].bounds
  return b ~= nil and rect.holds(around, b.x, b.y + b.height / 2) ~= in_popup
end


--- The largest part of a rectangle that is on a display. Displays are asked for only after a click was refused because its point
--- is outside of all: a window may be larger than the screen.
local function on_displays(node, part)
  local largest, most = nil, 0
  for _, each in ipairs(node.displays or {}) do
    local cut = visibility.cut(part, each.bounds)
    if cut and cut.width * cut.height > most then largest, most = cut, cut.width * cut.height end
  end
  if node.displays then return largest end
  return part
end


--- The point to click at. Makes sure that nothing lies over it.
---@param node elements.Node
---@return {x: number, y: number}? point
---@return string? err
---@return string? code
function M.point(node)
  if in_menu(node) and node.bounds then
    local open, err, code = visibility.is_open(node)
    if not open then return nil, err, code end
    if M.is_misplaced(node) then
      return nil, ("%s does not tell where it is in its menu, so the pointer cannot click it."):format(words.called(node)),
        "not_in_view"
    end
    local b = node.bounds
    return { x = math.floor(b.x + b.width / 2), y = math.floor(b.y + b.height / 2) }
  end
  local list, err, code = window.list()
  if not list then return nil, err, code end
  local mine = own_window(list, node)
  if not mine then
    return nil, ("The window of %s is not known, so it cannot be clicked."):format(words.called(node)), "not_supported"
  end
  local part
  part, err, code = visibility.bring(node, mine.frame, function(x, y) return uncover(node, mine, x, y) end)
  if not part then return nil, err, code end
  part = on_displays(node, part)
  if not part then
    return nil, ("%s is outside all displays. Move its window, or use method action."):format(words.called(node)), "not_in_view"
  end
  local width = node.mark_first and math.min(part.width, part.height) or part.width
  local x, y = math.floor(part.x + width / 2), math.floor(part.y + part.height / 2)
  local ok
  ok, err, code = uncover(node, mine, x, y)
  if ok then ok, err, code = visibility.sure(node) end
  if not ok then return nil, err, code end
  return { x = x, y = y }
end


local LOOKS = 3       -- tries with an element that moves
local FRAME = 0.02    -- seconds: toolkits place moved elements with the next frame

--- The point of an element that is still there in another look, a frame later.
local function steady_point(node)
  local at, err, code
  for _ = 1, LOOKS do
    at, err, code = M.point(node)
    if not at then return nil, err, code end
    if not node.source then time.sleep(FRAME) end
    local fresh = element.get { node.id }
    local bounds = fresh and fresh[1].bounds
    if not bounds or rect.holds(bounds, at.x, at.y) then break end
    node.bounds = bounds
  end
  return at
end


--- Opens the menus around the element and finds the point to click. Sets its `clicked`, the point, because another element may
--- get the click if this one moves meanwhile, and its `rival`, an element that lies over it there.
---@param node elements.Node
---@return {x: number, y: number}? point
---@return string? err
---@return string? code
function M.aim(node)
  local ok, at, err, code
  err, code = hands.refusal(node, "clicked", hands.POINTER)
  if err then return nil, err, code end
  ok, err, code = open_menus(node)
  if not ok then return nil, err, code end
  at, err, code = steady_point(node)
  if not at then return nil, err, code end
  node.clicked, node.rival = at, visibility.rival(node, at.x, at.y)
  return at
end


--- Input waits while a question to the user is open, and would then click what has taken the element's place.
local function click_at(node, at, options)
  if desktop.held() then
    return nil, "a question to the user is open on this display, so nothing was done. Try again after it is answered", "held"
  end
  local sent, err, code = hands.click(node, at, options)
  if not sent then return nil, err, code end
  return ("pointer at %g,%g"):format(at.x, at.y)
end


--- Clicks at the point, or, if that is outside all displays, at one of the part of the element that is on a display.
local function click_where_shown(node, at, options)
  local route, err, code = click_at(node, at, options)
  if code ~= "bad_point" then return route, err, code end
  node.displays = display.list()
  at, err, code = M.aim(node)
  if not at then return nil, err, code end
  return click_at(node, at, options)
end


--- Clicks the element.
---@param node elements.Node
---@param options? {button?: string, count?: integer}
---@return string? route
---@return string? err
---@return string? code
function M.by_pointer(node, options)
  local at, err, code = M.aim(node)
  if not at then return nil, err, code end
  return click_where_shown(node, at, options)
end


-- --- the best of them ------------------------------------------------------------------------------

--- Roles of elements that often open a dialog, within their action. On a Mac, and in a page, no action waits for a dialog.
local OPENS_DIALOGS = { button = true, toggle = true, menuitem = true, checkitem = true, radioitem = true, checkbox = true,
  radio = true, switch = true }
local BUTTON = { button = true, toggle = true }
local MARKED = { checkbox = true, radio = true, switch = true }
local OUTSIDE = { bad_point = true, not_in_view = true }   -- codes of clicks that were not sent, because no display is there
local MARKS = 0.5     -- seconds for the mark to change after a click

--- True if a press shows more of the element itself. It may be as wide as its window, and a click beside its title does nothing.
local function expands(node) return (node.states.expandable or node.states.expanded) and not node.states.has_popup or false end


local function may_wait_for_dialog(node)
  if not OPENS_DIALOGS[node.role] or BUTTON[node.role] and expands(node) then return false end
  return not node.native:find "^AX" and not visibility.page_of(node)
end


--- True if its name says that it opens a dialog.
local function says_dialog(node)
  local name = words.own_name(node)
  return not node.native:find "^AX" and (name:find "%.%.%.$" or name:find "…$") ~= nil
end


--- True if its window has the keyboard focus; an open menu need not be in that window.
---@param node elements.Node
---@return boolean
function M.is_in_front(node)
  for _, each in ipairs(window.list { pid = node.pid } or {}) do
    if each.focused then return each.id == node.window or ITEMS[node.role] or false end
  end
  return false
end


--- True if the application did anything after the click, other than to move the focus.
local function has_stirred(node, since, windows_before)
  local told = since and element.changes { pid = node.pid, since = since }
  for _, event in ipairs(told and told.events or {}) do
    if event.kind ~= "focus" and not event.detail:find "^focused" then return true end
  end
  local fresh = element.get({ node.id }, { timeout = MARKS })
  if not fresh or fresh[1].gone or fresh[1].states.checked ~= node.states.checked then return true end
  return windows.opened(windows_before, windows.now(node.pid)) ~= nil
end


--- Clicks an element with a mark, as a person does: Qt tells its applications less of an action. The mark is at the beginning.
--- If nothing at all comes of that, because the mark is elsewhere, the action presses it.
local function by_mark(node, at, action)
  local since, before = await.mark(node.pid), windows.now(node.pid)
  local route, err, code = click_where_shown(node, at)
  local idle = node.role == "radio" and node.states.checked
  if not route or idle or await.until_seen(node.pid, since, MARKS, function() return has_stirred(node, since, before) end) then
    return route, err, code
  end
  node.clicked, node.rival = nil, nil
  return M.by_action(node, action)
end


--- Clicks an element that may open a dialog, or presses it by its action if the pointer cannot reach it.
local function by_pointer_or_action(node, action)
  node.mark_first = MARKED[node.role]
  local route
  local at, err, code = M.aim(node)
  if at and MARKED[node.role] then
    route, err, code = by_mark(node, at, action)
  elseif at then
    route, err, code = click_where_shown(node, at)
  end
  if at and not OUTSIDE[code] or code == "stopped" or code == "held" then return route, err, code end
  node.clicked, node.rival = nil, nil
  return M.by_action(node, action)
end


--- The best way to press it: one of the functions above, bound to it.
---@param node elements.Node  renewed
---@param method "auto"|"action"|"pointer"
---@param options? {button?: string, count?: integer}
---@return (fun(): string?, string?, string?)? press
---@return string? err
---@return string? code
function M.way(node, method, options)
  local plain = not options or (not options.button and not options.count)
  if node.background and plain and method == "auto" then method = "action" end
  if method == "auto" and says_dialog(node) then method = "pointer" end
  local action = plain and method ~= "pointer" and M.action(node)
  if action and method == "auto" and may_wait_for_dialog(node) and M.is_in_front(node) then
    return function() return by_pointer_or_action(node, action) end
  end
  if action then return function() return M.by_action(node, action) end end
  -- selecting a chosen one would do nothing, and a click sets its check mark
  local chosen = node.states.selected and (method == "auto" or node.background)
  local selects = plain and method ~= "pointer" and not chosen and words.CHOSEN[node.role] and not words.in_sheet(node)
    and node.up and node.up.abilities.select
  if selects then return function() return M.by_selection(node) end end
  local lacks = plain and method ~= "pointer" and "it has no action that is known to press it, and " or ""
  local err, code = hands.refusal(node, "clicked", lacks .. "a click takes the pointer")
  if err then return nil, err, code end
  if method == "action" then
    return nil, ("%s has no action that is known to press it. Use method pointer."):format(words.called(node)), "not_supported"
  end
  return function() return M.by_pointer(node, options) end
end


return M
