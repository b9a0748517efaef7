--- The ways to choose an option.
--
-- A way that may have worked is not repeated: a second press would be another choice. A page learns of a choice only from a
-- user's input. An application that selects an option for accessibility does so behind the page's back, and Firefox ends the
-- page if an option before it is off. Options of Chromium have an action that tells the page, for the background.

local asking    = require "elements.read.asking"
local await     = require "elements.read.await"
local choices   = require "elements.choose.options"
local element   = require "sys.element"
local hands     = require "elements.read.hands"
local lists     = require "elements.choose.opened"
local popups    = require "elements.read.popups"
local press     = require "elements.press.ways"
local rect      = require "rect"
local snapshots = require "elements.read.snapshot"
local target    = require "elements.find.target"
local words     = require "elements.read.words"

local M = {}

local OPENS = 2       -- seconds for the list of a combo box to open: a busy browser takes more than one,
local CLOSES = 0.3    -- for it to close,
local SCROLLS = 0.6   -- for an option that was scrolled away to come into view,
local TAKES = 0.5     -- for an application to show the choice,
local TELLS = 1.5     -- and for a page to report where its open list is


local function took(options, option, since)
  return await.until_seen(options.box.pid, since, TAKES, function()
    return choices.chosen(options, option) == words.name(option)
  end)
end


--- True if the application reported a change since then, other than of the focus.
local function has_stirred(pid, since)
  local told = since and element.changes { pid = pid, since = since }
  for _, event in ipairs(told and told.events or {}) do
    if event.kind ~= "focus" and not event.detail:find "^focused" then return true end
  end
  return false
end


-- --- in an open list ---------------------------------------------------------------------------------

local function middle(bounds) return bounds.x + bounds.width / 2, bounds.y + bounds.height / 2 end


--- True if the option is in the visible part of an open list. One that was scrolled away is brought back first, and is false
--- until then.
local function is_visible(option)
  local scrolled = option.up and option.up.role ~= "combobox" and option.up.id
  local fresh = element.get { option.id, scrolled or nil }
  local now, list = fresh and fresh[1], fresh and fresh[2]
  if not now or now.gone or not now.states.shown or not now.bounds then return false end
  option.bounds, option.states.shown = now.bounds, true
  local _, y = middle(now.bounds)
  if not list or not list.bounds or (y >= list.bounds.y and y < list.bounds.y + list.bounds.height) then return true end
  element.act(option.id, { verb = "show" })
  return false
end


--- True if the option can be clicked in its list. If the list is a window, the option must be inside it: Qt gives even the
--- options of a closed list a place.
local function is_placed(box, option, popup, was_seen)
  if not is_visible(option) then return false end
  if not popup then return not was_seen or choices.is_expanded(box) end
  return rect.holds(popup.frame, middle(option.bounds))
end


--- The option that Return would choose, if the application reports it.
local function highlighted(box)
  local found
  local now = snapshots.take { pid = box.pid, hidden = true }
  for _, node in ipairs(now and now.nodes or {}) do
    if node.states.focused and choices.is_option(node) then
      if found then return nil end
      found = node
    end
  end
  return found and words.name(found)
end


--- Moves to the option by keys: an open list has the keyboard focus. Keys skip options that are off.
local function go_to(options, option)
  local place = 0
  for _, each in ipairs(options.list) do
    if each == option then break end
    if each.states.enabled then place = place + 1 end
  end
  local ok, err, code = hands.keys(options.box, "home")
  if ok and place > 0 then ok, err, code = hands.keys(options.box, "down", { count = place }) end
  return ok, err, code
end


--- Moves back to the chosen option: in Chromium Escape would choose the option that the keys went to.
local function go_back(options, before)
  for _, each in ipairs(options.list) do
    if words.name(each) == before then return go_to(options, each) end
  end
end


---@param told boolean  Return is pressed only if the list reports which option it would choose
local function by_keys(options, option, told)
  local since, name, before, at = await.mark(options.box.pid), words.name(option), choices.chosen(options), nil
  local ok, err, code = go_to(options, option)
  if not ok then return nil, err, code end
  await.until_seen(options.box.pid, since, told and TELLS or TAKES, function()
    at = highlighted(options.box)
    return at == name or not at and not told
  end)
  if at ~= name and (at or told) then
    go_back(options, before)
    return nil, ("Keys in the list of %s went to %s and not to %s, so it was not chosen."):format(words.called(options.box),
      at and words.quote(at, 40) or "what it does not tell", words.quote(name, 40)), "not_in_view"
  end
  ok, err, code = hands.keys(options.box, "return")
  if not ok then return nil, err, code end
  return "keys"
end


--- Closes the list. Escape is pressed only while the list is seen open, because otherwise it would close a dialog.
local function close_list(box, popup)
  local function is_closed()
    if popup then return not popups.is_open(popup.id) end
    return not choices.is_expanded(box)
  end
  if not await.until_seen(box.pid, await.mark(box.pid), CLOSES, is_closed) then hands.keys(box, "escape") end
end


--- Chooses in the open list. Browsers have other elements in the open list than in the closed one, and Chromium does not report
--- where they are in a list that is scrolled.
local function in_list(options, option, before, since, was_seen, page)
  local box = options.box
  local popup
  local placed = await.until_seen(box.pid, since, OPENS, function()
    popup = popups.came(before)
    return not page and is_placed(box, option, popup, was_seen) or page and popup ~= nil
  end)
  local route, err, code
  if placed and not page then
    route, err, code = press.by_pointer(option)
  elseif popup then
    route, err, code = by_keys(options, option, page)
  else
    err, code = ("%s was opened and does not show %s."):format(words.called(box), words.called(option)), "not_in_view"
  end
  return popup, route, err, code
end


--- Clicks an element; one that is scrolled away is brought into view first.
local function by_pointer(node)
  local route, err, code = press.by_pointer(node)
  if route or code ~= "not_in_view" then return route, err, code end
  local since = await.mark(node.pid)
  element.act(node.id, { verb = "show" })
  local came = await.until_seen(node.pid, since, SCROLLS, function() return target.renew(node) and press.point(node) end)
  if came then return press.by_pointer(node) end
  return nil, err, code
end


--- Roles of lists that clip: an option that is scrolled away may have a place below its list, and a click there would miss it.
local CLIPS = { list = true, tree = true, table = true }

local function by_pointer_in(options, option)
  local box = options.box
  if not CLIPS[box.role] then return by_pointer(option) end
  local asked = false
  local since = await.mark(box.pid)
  local inside = await.until_seen(box.pid, since, SCROLLS, function()
    local fresh = element.get { option.id, box.id }
    local now, frame = fresh and fresh[1].bounds, fresh and fresh[2] and fresh[2].bounds
    if not now or not frame or rect.holds(frame, middle(now)) then return true end
    if not asked then element.act(option.id, { verb = "show" }) end
    asked = true
    return false
  end)
  if inside and (not asked or target.renew(option)) then return by_pointer(option) end
  return nil, ("%s is scrolled away in %s and did not come into view."):format(words.called(option), words.called(box)),
    "not_in_view"
end


--- Opens the list of a combo box and clicks in it, or goes to the option by keys if it has no place in the list.
local function by_list(options, option, page)
  local box = options.box
  local tied, why = hands.refusal(box, "opened", "its list takes keys or the pointer")
  if tied then return nil, tied, why end
  local since, before, was_seen, chosen = await.mark(box.pid), popups.now(), is_visible(option), choices.chosen(options)
  if not choices.is_expanded(box) then
    local action = press.action(box)
    local opened, err, code
    if action then opened, err, code = press.by_action(box, action) else opened, err, code = by_pointer(box) end
    if not opened then return nil, err, code end
  end
  local popup, route, err, code = in_list(options, option, before, since, was_seen, page)
  if popup or not route then close_list(box, popup) end
  if not route and choices.chosen(options) ~= chosen then return "keys" end   -- another option: the verdict reports it
  return route, err, code
end


-- --- in Swing -----------------------------------------------------------------------------------------

--- Opens the list by the pointer, which also gives it the keys.
local function open_by_pointer(box)
  if choices.is_expanded(box) then return true end
  local renewed, err, code = target.renew(box)
  if not renewed then return nil, err, code end
  local since = await.mark(box.pid)
  renewed, err, code = by_pointer(box)
  if not renewed then return nil, err, code end
  if await.until_seen(box.pid, since, OPENS, function() return choices.is_expanded(box) end) then return true end
  return nil, ("%s was clicked and did not open."):format(words.called(box)), "not_in_view"
end


--- Types the option into the field of the box, and leaves the field.
local function by_field(field, name)
  local ok, err, code
  if not target.renew(field) then return nil, ("%s has gone."):format(words.called(field)), "element_gone" end
  ok, err, code = by_pointer(field)
  if ok then ok, err, code = hands.keys(field, "cmd+a") end
  if ok then ok, err, code = hands.type(field, name) end
  if ok then ok, err, code = hands.keys(field, "tab") end
  if not ok then return nil, err, code end
  return "keys, then tab"
end


--- Chooses an option that is a label in the list of its box, as in Swing. The list tells no place of a row that is scrolled
--- away, and keys in it choose each option on their way: so the action of the label selects it in the list, and Return takes it
--- over. A box with a field takes the text of the field then.
local function by_label(options, option)
  local box, field = options.box, choices.field(options.box)
  local tied, why = hands.refusal(box, "opened", "its list takes keys or the pointer")
  if tied then return nil, tied, why end
  if field then return by_field(field, words.name(option)) end
  local ok, err, code = open_by_pointer(box)
  if not ok then return nil, err, code end
  local since = await.mark(box.pid)
  ok, err, code = press.by_action(option, "click")
  local function is_selected()
    local fresh = element.get { option.id }
    return fresh and not fresh[1].gone and fresh[1].states.selected
  end
  if ok and not await.until_seen(box.pid, since, TELLS, is_selected) then
    ok, err, code = nil, ("%s was opened and does not select %s."):format(words.called(box), words.called(option)), "not_in_view"
  end
  if ok and choices.is_expanded(box) then ok, err, code = hands.keys(box, "return") end
  close_list(box)
  if ok then return "keys" end
  return nil, err, code
end


-- --- the best of them --------------------------------------------------------------------------------

local function in_page(box)
  local at = box.up
  while at and at.role ~= "document" do at = at.up end
  return at ~= nil
end


local function by_select(option)
  return asking.route(option, { verb = "select" }, "selection")
end


--- Presses the option. A choice that opens a dialog may hold its application, which then reports nothing.
local function by_action(option, action)
  return function()
    local route, err, code = press.by_action(option, action)
    if not route or asking.is_unanswered(route) or asking.is_awake(option) then return route, err, code end
    return asking.unanswered(route)
  end
end


--- The action that chooses an option of a page in the background; nil: it has none, or is not one of Chromium, which has another
--- action on all elements.
local function quiet_action(option)
  local select, is_chromium
  for _, name in ipairs(option.background and option.actions or {}) do
    select, is_chromium = select or name == "select" and name, is_chromium or name == "showContextMenu"
  end
  return is_chromium and select or nil
end


--- The ways to choose the option, the quietest first.
local function ways(options, option)
  local list = {}
  if options.popup then return { function() return lists.choose(options.box, options.popup, option) end } end
  if option.role == "label" then return { function() return by_label(options, option) end } end
  local renewed = target.renew(option)
  local action = renewed and press.action(option)
  local selects = option.up and option.up.abilities.select
  local role, page = options.box.role, in_page(options.box)
  local quiet = page and role == "combobox" and renewed and quiet_action(option)
  if quiet then return { by_action(option, quiet) } end
  if page and role == "combobox" then return { function() return by_list(options, option, true) end } end
  if page and role == "list" then return { function() return by_pointer_in(options, option) end } end
  if action then list[1] = by_action(option, action) end
  if page and action then return list end
  if selects and not page then list[#list + 1] = function() return by_select(option) end end
  if role == "combobox" then
    list[#list + 1] = function() return by_list(options, option, false) end
  else
    list[#list + 1] = function() return by_pointer_in(options, option) end
  end
  return list
end


--- True if the choice may have worked. Qt 6 selects in the list of a box, but the box, which reports the choice, does not
--- follow: choosing the same option there once more is harmless.
local function may_have_worked(options, option, route, since)
  if took(options, option, since) then return true end
  local only_selected = route == "selection" and options.box.role == "combobox" and options.shows
  return not only_selected and has_stirred(options.box.pid, since)
end


--- Chooses the option. Some applications accept a choice and do nothing: the next way is tried if no effect at all of the one
--- before was seen.
---@param options elements.Options
---@param option elements.Node
---@return string? route
---@return string? err
---@return string? code
function M.choose(options, option)
  if choices.chosen(options, option) == words.name(option) then
    choices.close(options)
    return "nothing to do"
  end
  local route, err, code
  for _, way in ipairs(ways(options, option)) do
    local since = await.mark(options.box.pid)
    local went
    went, err, code = way()
    route = went or route
    if asking.is_unanswered(went) or went and may_have_worked(options, option, went, since) then break end
    if code == "stopped" then return nil, err, code end
  end
  if not route then return nil, err, code end
  return route
end


return M
