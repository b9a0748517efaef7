--- sys.menu: an item in the status area of the panel or the menu bar, with a menu.
--
--     local menu = require "sys.menu"
--
--     local item
--     local function last(entry) item:update { text = entry.label } end
--
--     item = assert(menu.new {
--       title = "Coffee", icon = "caffeine", tooltip = "Stays awake",
--       items = {
--         { label = "Awake", checked = true, fn = last },
--         "-",
--         { label = "For", items = { { label = "1 hour", fn = last }, { label = "2 hours", fn = last } } },
--       },
--     })
--
-- `items` may be a function that returns the list: it is called each time before the menu opens.

local backend = require "menu.backend"
local handles = require "handles"
local icons   = require "icons"
local options = require "events.options"
local policy  = require "sys.policy"
local task    = require "sys.task"

local M = {}

local ENTRIES_MOST, DEPTH_MOST, LABEL_MOST = 1000, 8, 1000

---@class sys.menu.Item
---@field label string       plain text
---@field fn? fun(item: sys.menu.Item)  called with this table when the item is chosen
---@field enabled? boolean   default: true
---@field checked? boolean   the state of its check mark (default: it has none)
---@field items? (sys.menu.Item|"-")[]  a submenu

---@class sys.menu.Options
---@field title string       its name, for people and for programs that read the screen
---@field text? string       shown beside the icon in the menu bar of macOS, and by panels that know XAyatanaLabel: GNOME's with
---                          the extension AppIndicator. Xfce's does not. On Linux it is also in the tooltip: "Coffee: 1 h"
---@field icon? string|{png: string}  name of an icon in the theme of the desktop, absolute path of an image file, or the bytes of
---                          a PNG file
---@field tooltip? string
---@field items? (sys.menu.Item|"-")[]|fun(): (sys.menu.Item|"-")[]  "-" is a line
---@field clicked? fun()     called when the icon is clicked; on some systems a left click opens the menu instead
---@field wait? boolean      true: if no panel has a status area yet, return the handle all the same: the item appears with the
---                          first panel that has one (default: fail with "no_status_area")

local KNOWN = { title = "string", text = "string", icon = "string table", tooltip = "string", items = "table function",
  clicked = "function", wait = "boolean" }
local ITEM_KNOWN = { label = "string", fn = "function", enabled = "boolean", checked = "boolean", items = "table" }


-- --- options ------------------------------------------------------------------------------------------

local function refuse(where, what) error(("%s: %s"):format(where, what), 0) end


local function check_text(where, name, text)
  if text == nil then return nil end
  if #text > LABEL_MOST then refuse(where, ("'%s' has more than %d bytes"):format(name, LABEL_MOST)) end
  if text:find("\0", 1, true) or not utf8.len(text) then refuse(where, ("'%s' is not text in UTF-8"):format(name)) end
  return text
end


---@class sys.menu.Known
---@field items table<integer, sys.menu.Item>  by their numbers
---@field first integer   the number before the first one
---@field last integer    the last number
---@field shape string    the kinds of the items, in order

--- Returns the kind of an item: panels remember an item by its number, and cannot change its kind.
local function kind_of(item) return item.checked ~= nil and "c" or item.items and "m" or "i" end


local entries_of

---@param known sys.menu.Known
local function entry_of(where, item, place, known, shape, depth)
  if type(item) ~= "table" then refuse(where, ("item %d is a table or \"-\", not a %s"):format(place, type(item))) end
  options.check(where, item, ITEM_KNOWN)
  if (item.label or "") == "" then refuse(where, ("item %d has no label"):format(place)) end
  local id = known.last
  known.items[id] = item
  shape[#shape + 1] = kind_of(item)
  return { id = id, label = check_text(where, "label", item.label), enabled = item.enabled ~= false, checked = item.checked,
    items = item.items and entries_of(where, item.items, known, shape, depth + 1) or nil }
end


--- Returns the entries of a list, numbered.
---@param known sys.menu.Known
---@param shape string[]
function entries_of(where, list, known, shape, depth)
  if type(list) ~= "table" then refuse(where, "'items' is a list of items, not a " .. type(list)) end
  if depth > DEPTH_MOST then refuse(where, ("a menu has at most %d levels"):format(DEPTH_MOST)) end
  local entries = {}
  shape[#shape + 1] = "("
  for i, item in ipairs(list) do
    known.last = known.last + 1
    if known.last - known.first > ENTRIES_MOST then refuse(where, ("a menu has at most %d items"):format(ENTRIES_MOST)) end
    if item == "-" then
      entries[i] = { id = known.last, separator = true }
      shape[#shape + 1] = "-"
    else
      entries[i] = entry_of(where, item, i, known, shape, depth)
    end
  end
  shape[#shape + 1] = ")"
  return entries
end


--- Numbers the items. They keep their numbers if the kinds of all items are as before; otherwise all numbers are new.
---@param before? sys.menu.Known
---@return menu.Entry[]
---@return sys.menu.Known
local function numbered(where, list, before)
  local function from(first)
    local shape, known = {}, { items = {}, first = first, last = first }
    local entries = entries_of(where, list, known, shape, 1)
    known.shape = table.concat(shape)
    return entries, known
  end
  local entries, known = from(before and before.first or 0)
  if before and before.shape ~= known.shape then return from(before.last) end
  return entries, known
end


local function check_icon(where, icon)
  if type(icon) == "table" then
    if type(icon.png) ~= "string" or icon.png:sub(1, 8) ~= "\x89PNG\r\n\x1a\n" then
      refuse(where, "'icon.png' is the bytes of a PNG file")
    end
    return nil, icon.png
  end
  if icon and not icons.is_name_or_path(icon) then
    refuse(where, "'icon' is the name of an icon, or an absolute path")
  end
  return icon, nil
end


--- Returns the options in the form that backends take, and the items by their numbers.
---@param where string
---@param given sys.menu.Options
---@param list (sys.menu.Item|"-")[]
---@param before? sys.menu.Known
---@return menu.View view
---@return sys.menu.Known known
local function view_of(where, given, list, before)
  if (given.title or "") == "" then refuse(where, "'title' is missing") end
  local icon, png = check_icon(where, given.icon)
  local entries, known = numbered(where, list, before)
  return {
    id = "perigee-" .. given.title:lower():gsub("[^a-z0-9]+", "-"):sub(1, 40), title = check_text(where, "title", given.title),
    text = check_text(where, "text", given.text), icon = icon, png = png,
    tooltip = check_text(where, "tooltip", given.tooltip), items = entries,
    activates = given.clicked ~= nil, dynamic = type(given.items) == "function",
  }, known
end


local function items_of(given) return type(given.items) == "function" and given.items() or given.items or {} end


--- Does the same for a caller, and raises its mistakes where it called.
local function checked(where, given, before)
  local list = items_of(given)
  local ok, view, known = pcall(view_of, where, given, list, before)
  if not ok then error((tostring(view):gsub("^lib/[%w_/.]+:%d+: ", "")), 3) end
  return view, known
end


-- --- the handle ---------------------------------------------------------------------------------------

---@class sys.menu.Handle: Handle
---@field update fun(self: sys.menu.Handle, changes: table): true?, string?, string?  changes the given sys.menu.Options; fails
---            with "not_found" (the icon), "closed"
---@field shown fun(self: sys.menu.Handle): boolean, string?, string?  true if it is in a status area now; else false, a message
---            and "no_status_area"

---@class sys.menu.State
---@field given sys.menu.Options
---@field known sys.menu.Known
---@field session menu.Session


---@param state sys.menu.State
local function renew(state)
  local view
  view, state.known = view_of("sys.menu", state.given, items_of(state.given), state.known)
  state.session:set(view)
end


---@param handle Handle
---@param state sys.menu.State
---@param event menu.Event
local function act(handle, state, event)
  if event.what == "opening" then return handles.call(handle, renew, state) end
  if event.what == "activated" then
    if state.given.clicked then handles.call(handle, state.given.clicked) end
    return
  end
  local item = state.known.items[event.id]
  if item and item.fn then handles.call(handle, item.fn, item) end
end


---@param state sys.menu.State
local function serve(state)
  return handles.new("sys.menu " .. state.given.title, function(handle)
    local _ <close> = setmetatable({}, { __close = function() state.session:close() end })
    if state.session.run then state.session:run() end
    while true do
      local event, err, code = state.session:next()
      if event then act(handle, state, event)
      elseif code == "closed" then return
      else error(err, 0) end
    end
  end)
end


--- Opens a session that shows the view, or waits for a panel that does.
local function open(view, waits)
  local system, err, code = backend.get()
  if not system then return nil, err, code end
  local ok
  ok, err, code = icons.found(view.icon)
  if not ok then return nil, err, code end
  local session
  session, err, code = system.open(view)
  if not session then return nil, err, code end
  ok, err, code = (session.area or session.shown)(session)
  if ok or waits then return session end
  session:close()
  return nil, err, code
end


local function merge(given, changes)
  local merged = {}
  for name, value in pairs(given) do merged[name] = value end
  for name, value in pairs(changes) do merged[name] = value end
  return merged
end


--- handle:update()
---@param handle Handle
---@param state sys.menu.State
local function update(handle, state, changes)
  local merged = merge(state.given, options.check("sys.menu update", changes, KNOWN))
  local view, known = checked("sys.menu update", merged, state.known)
  local ok, err, code = icons.found(view.icon)
  if not ok then return nil, err, code end
  if not handle:runs() then return nil, "the status menu was stopped", "closed" end
  state.given, state.known = merged, known
  state.session:set(view)
  return true
end


--- Puts an item into the status area. The handle belongs to the service or the script, and the item disappears with it. If the
--- panel restarts, the item comes back.
---@param given sys.menu.Options
---@return sys.menu.Handle? handle
---@return string? err
---@return string? code  "no_status_area" (no panel shows such items; the message says what to do), "not_supported", "not_found"
---                      (the icon), "dry_run", "not_lasting": a call of a tool would end it at once
function M.new(given)
  if type(given) ~= "table" then error("sys.menu.new: expected a table of options, not a " .. type(given), 2) end
  local state = { given = merge({}, options.check("sys.menu.new", given, KNOWN)) }
  local view
  view, state.known = checked("sys.menu.new", given)
  if policy.dry_run() then
    return nil, "This is a dry run, which does not show status menus. "
      .. "Run it without --dry-run, and without dry_run in the policy.", "dry_run"
  end
  if not task.owner() then
    return nil, "A call of a tool ends before the user clicks. Make the status menu in a service or a script.", "not_lasting"
  end
  local handle, err, code
  state.session, err, code = open(view, given.wait)
  if not state.session then return nil, err, code end
  handle, err, code = serve(state)
  if not handle then
    state.session:close()
    return nil, err, code
  end
  handle.shown = function() return state.session:shown() end
  handle.update = function(_, changes) return update(handle, state, changes) end
  return handle
end


return M
