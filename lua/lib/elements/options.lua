--- Options of a combo box, a list, tabs or a group of radio buttons: which there are, which is chosen, and choosing one.

local await     = require "elements.await"
local captions  = require "elements.captions"
local element   = require "sys.element"
local input     = require "sys.input"
local popups    = require "elements.popups"
local press     = require "elements.press"
local snapshots = require "elements.snapshot"
local target    = require "elements.target"
local words     = require "elements.words"

local M = {}

local MOST = 1000     -- that are read
local OPENS = 0.6     -- seconds for the list of a combo box to open,
local TAKES = 0.5     -- and for an application to show what was chosen

local function set(...)
  local roles = {}
  for _, role in ipairs { ... } do roles[role] = true end
  return roles
end

--- Roles of boxes, and of the options in them.
local OPTIONS = {
  combobox = set("listitem", "menuitem", "radioitem", "checkitem", "cell"), list = set("listitem"), tablist = set("tab"),
  tree = set("treeitem", "cell"), table = set("row", "cell"), group = set("radio", "listitem"), form = set("radio"),
  radio = set("radio"),
}


---@class elements.Options
---@field box elements.Node
---@field list elements.Node[]
---@field before? string  the option that was chosen
---@field shows boolean   the box itself tells which one
---@field opened boolean  it was opened to be read, and is


-- --- reading ---------------------------------------------------------------------------------------

--- Of a radio button its group is read.
local function root_of(node) return node.role == "radio" and node.up or node end


--- What a box shows: its value, or its name; tabs of Qt tell it only so.
local function shown_text(box, list)
  local fresh = element.get { box.id }
  if not fresh or fresh[1].gone then return nil end
  for _, text in ipairs { fresh[1].value, fresh[1].name } do
    for _, option in ipairs(list) do
      if text ~= "" and captions.same(text, words.name(option)) then return words.name(option) end
    end
  end
end


local function marked(node) return node.states.checked or node.states.selected or false end


--- The state tells it of those that are not in a combo box: there it only means that the pointer is over it.
local function marked_option(options)
  local ids = {}
  for i, option in ipairs(options.list) do ids[i] = option.id end
  for from = 1, #ids, 500 do
    local fresh = element.get(table.move(ids, from, math.min(#ids, from + 499), 1, {}))
    for i, each in ipairs(fresh or {}) do
      if not each.gone and marked(each) then return words.name(options.list[from + i - 1]) end
    end
  end
end


--- The option that is chosen now; nil: none, or it is not told.
---@param options elements.Options
---@return string?
function M.chosen(options)
  if options.box.role == "tablist" then return marked_option(options) or shown_text(options.box, options.list) end
  if options.box.role ~= "combobox" then return marked_option(options) end
  local text = shown_text(options.box, options.list)
  options.shows = options.shows or text ~= nil
  return text or not options.shows and marked_option(options) or nil
end


local function read_list(box)
  local roles = OPTIONS[box.role]
  local list = {}
  local part = roles and snapshots.take { pid = box.pid, root = root_of(box).id, hidden = true, nodes = MOST }
  for _, node in ipairs(part and part.nodes or {}) do
    if roles[node.role] and words.name(node) ~= "" and not words.doubled(node) then list[#list + 1] = node end
  end
  return list
end


--- A pop-up button of a Mac has a list while it is open only.
local function open_list(box)
  local action = box.native == "AXPopUpButton" and target.renew(box) and press.action(box)
  local since = action and await.mark(box.pid)
  if not action or not press.by_action(box, action) then return {} end
  return await.until_seen(box.pid, since, OPENS, function()
    local list = read_list(box)
    return #list > 0 and list or nil
  end) or {}
end


---@param box elements.Node
---@param open? boolean  opens it if it has a list only then: M.choose() closes it, or M.close()
---@return elements.Options? options
---@return string? err
---@return string? code  "not_supported": it has none
function M.of(box, open)
  local list = read_list(box)
  local opened = #list == 0 and open or false
  if opened then list = open_list(box) end
  if #list == 0 then
    return nil, ("%s tells of no options. Pass a combo box, list, tab list or group of radio buttons."):format(words.called(box)),
      "not_supported"
  end
  local options = { box = box, list = list, shows = false, opened = opened }
  options.before = M.chosen(options)
  return options
end


local function is_expanded(box)
  local fresh = element.get { box.id }
  return fresh ~= nil and not fresh[1].gone and fresh[1].states.expanded or false
end


--- Closes what was opened to be read.
---@param options elements.Options
function M.close(options)
  if options.opened and is_expanded(options.box) then input.keys "escape" end
  options.opened = false
end


---@param options elements.Options
---@param name string
---@return elements.Node? option
---@return string? err
---@return string? code
function M.find(options, name)
  local found = captions.called(options.list, name)
  if found[1] then return found[1] end
  M.close(options)
  return nil, ("%s has no option %s. %s."):format(words.called(options.box), words.quote(name, 40),
    captions.suggest(options.list, name)), "bad_argument"
end


-- --- choosing --------------------------------------------------------------------------------------

local function took(options, option, since)
  return await.until_seen(options.box.pid, since, TAKES, function() return M.chosen(options) == words.name(option) end)
end


--- In an open list; those that were scrolled away are brought back first.
local function in_sight(option)
  local scrolled = option.up and option.up.role ~= "combobox" and option.up.id
  local fresh = element.get { option.id, scrolled or nil }
  local now, list = fresh and fresh[1], fresh and fresh[2]
  if not now or now.gone or not now.states.shown or not now.bounds then return false end
  option.bounds, option.states.shown = now.bounds, true
  local middle = now.bounds.y + now.bounds.height / 2
  if not list or not list.bounds or (middle >= list.bounds.y and middle < list.bounds.y + list.bounds.height) then return true end
  element.act(option.id, { verb = "show" })
  return false
end


--- Where its list is a window, it is clicked only in there: Qt gives the options of a closed list a place, too.
local function is_placed(box, option, popup, was_seen)
  if not in_sight(option) then return false end
  if not popup then return not was_seen or is_expanded(box) end
  local x, y = option.bounds.x + option.bounds.width / 2, option.bounds.y + option.bounds.height / 2
  local f = popup.frame
  return x >= f.x and x < f.x + f.width and y >= f.y and y < f.y + f.height
end


--- An open list has the keyboard.
local function by_keys(options, option)
  local place = 0
  while options.list[place + 1] ~= option do place = place + 1 end
  local ok, err, code = input.keys "home"
  if ok and place > 0 then ok, err, code = input.keys("down", { count = place }) end
  if ok then ok, err, code = input.keys "return" end
  if not ok then return nil, err, code end
  return "keys"
end


--- Opens the list of a combo box and clicks in it, or goes there by keys where the option has no place in it.
local function by_list(options, option)
  local box = options.box
  local since, before, was_seen = await.mark(box.pid), popups.now(), in_sight(option)
  if not is_expanded(box) then
    local action = press.action(box)
    local opened, err, code
    if action then opened, err, code = press.by_action(box, action) else opened, err, code = press.by_pointer(box) end
    if not opened then return nil, err, code end
  end
  local placed = await.until_seen(box.pid, since, OPENS, function()
    return is_placed(box, option, popups.came(before), was_seen)
  end)
  if placed then return press.by_pointer(option) end
  if popups.came(before) then return by_keys(options, option) end
  if is_expanded(box) then input.keys "escape" end
  return nil, ("%s was opened and does not show %s."):format(words.called(box), words.called(option)), "not_in_view"
end


--- The ways to choose it, the quietest first.
local function ways(options, option)
  local list = {}
  local renewed = target.renew(option)
  local action = renewed and press.action(option)
  local selects = option.up and option.up.abilities.select
  if action then list[#list + 1] = function() return press.by_action(option, action) end end
  if selects then list[#list + 1] = function() return press.by_selection(option) end end
  if options.box.role == "combobox" then
    list[#list + 1] = function() return by_list(options, option) end
  else
    list[#list + 1] = function() return press.by_pointer(option) end
  end
  return list
end


--- Applications agree and do nothing: the next way is tried until one is seen to have worked.
---@param options elements.Options
---@param option elements.Node
---@return string? route
---@return string? err
---@return string? code
function M.choose(options, option)
  if options.before == words.name(option) then
    M.close(options)
    return "nothing to do"
  end
  local route, err, code
  for _, way in ipairs(ways(options, option)) do
    local since = await.mark(options.box.pid)
    local went
    went, err, code = way()
    route = went or route
    if went and took(options, option, since) then break end
    if code == "stopped" then return nil, err, code end
  end
  if not route then return nil, err, code end
  return route
end


return M
