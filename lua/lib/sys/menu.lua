--- sys.menu: an item in the status area of the panel or the menu bar, with a menu.
--
--     local item = assert(menu.new {
--       title = "Coffee", icon = "caffeine", tooltip = "Stays awake",
--       items = {
--         { label = "Awake", checked = true, fn = function(entry) toggle(entry) end },
--         "-",
--         { label = "For", items = { { label = "1 hour", fn = one_hour }, { label = "2 hours", fn = two_hours } } },
--       },
--     })
--     item:update { text = "1 h", items = ... }
--
-- `items` may be a function that returns the list: it is called each time before the menu opens.

local backend = require "menu.backend"
local handles = require "handles"
local options = require "events.options"
local path    = require "sys.path"
local policy  = require "sys.policy"
local task    = require "sys.task"

local M = {}

local ENTRIES_MOST, DEPTH_MOST, LABEL_MOST = 1000, 8, 1000

---@class sys.menu.Item
---@field label string       plain text
---@field fn? fun(item: sys.menu.Item)  called when it is chosen, with this table
---@field enabled? boolean   default: true
---@field checked? boolean   with a check mark, set or not (default: it has none)
---@field items? (sys.menu.Item|"-")[]  a submenu

---@class sys.menu.Options
---@field title string       its name, for people and for programs that read the screen
---@field text? string       beside the icon, where the system shows text: in the menu bar of macOS
---@field icon? string|{png: string}  name of an icon in the theme of the desktop, absolute path of an image file, or the bytes of
---                          a PNG file
---@field tooltip? string
---@field items? (sys.menu.Item|"-")[]|fun(): (sys.menu.Item|"-")[]  "-": a line
---@field clicked? fun()     called when it is clicked; a left click opens the menu instead where the system has it so
---@field wait? boolean      where no panel has a status area yet, return the handle all the same: the item appears with the
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


--- The entries of a list, numbered; `by_id` gets the items that they stand for.
local function entries_of(where, list, by_id, depth)
  if type(list) ~= "table" then refuse(where, "'items' is a list of items, not a " .. type(list)) end
  if depth > DEPTH_MOST then refuse(where, ("a menu has at most %d levels"):format(DEPTH_MOST)) end
  local entries = {}
  for i, item in ipairs(list) do
    by_id.count = by_id.count + 1
    if by_id.count > ENTRIES_MOST then refuse(where, ("a menu has at most %d items"):format(ENTRIES_MOST)) end
    local id = by_id.count
    if item == "-" then
      entries[i] = { id = id, separator = true }
    else
      if type(item) ~= "table" then refuse(where, ("item %d is a table or \"-\", not a %s"):format(i, type(item))) end
      options.check(where, item, ITEM_KNOWN)
      if (item.label or "") == "" then refuse(where, ("item %d has no label"):format(i)) end
      by_id[id] = item
      entries[i] = { id = id, label = check_text(where, "label", item.label), enabled = item.enabled ~= false,
        checked = item.checked, items = item.items and entries_of(where, item.items, by_id, depth + 1) or nil }
    end
  end
  return entries
end


local function check_icon(where, icon)
  if type(icon) == "table" then
    if type(icon.png) ~= "string" or icon.png:sub(1, 8) ~= "\x89PNG\r\n\x1a\n" then
      refuse(where, "'icon.png' is the bytes of a PNG file")
    end
    return nil, icon.png
  end
  if icon and icon:find("/", 1, true) and not path.is_absolute(icon) then
    refuse(where, "'icon' is the name of an icon, or an absolute path")
  end
  return icon, nil
end


--- What was given, as backends take it, and the items by their numbers.
---@param where string
---@param given sys.menu.Options
---@param list (sys.menu.Item|"-")[]
---@return menu.View view
---@return table<integer, sys.menu.Item> items
local function view_of(where, given, list)
  local by_id = { count = 0 }
  if (given.title or "") == "" then refuse(where, "'title' is missing") end
  local icon, png = check_icon(where, given.icon)
  return {
    id = "perigee-" .. given.title:lower():gsub("[^a-z0-9]+", "-"):sub(1, 40), title = check_text(where, "title", given.title),
    text = check_text(where, "text", given.text), icon = icon, png = png,
    tooltip = check_text(where, "tooltip", given.tooltip), items = entries_of(where, list, by_id, 1),
  }, by_id
end


local function items_of(given) return type(given.items) == "function" and given.items() or given.items or {} end


--- The same for a caller, whose mistakes are raised where it called.
local function checked(where, given)
  local list = items_of(given)
  local ok, view, items = pcall(view_of, where, given, list)
  if not ok then error((tostring(view):gsub("^lib/[%w_/.]+:%d+: ", "")), 3) end
  return view, items
end


-- --- the handle ---------------------------------------------------------------------------------------

---@class sys.menu.Handle: Handle
---@field update fun(self: sys.menu.Handle, changes: table)  changes what is given, as sys.menu.Options; raises for wrong options
---@field shown fun(self: sys.menu.Handle): boolean, string?, string?  is it in a status area now? false: why, "no_status_area"

---@class sys.menu.State
---@field given sys.menu.Options
---@field items table<integer, sys.menu.Item>
---@field session menu.Session


---@param state sys.menu.State
local function renew(state)
  local view
  view, state.items = view_of("sys.menu", state.given, items_of(state.given))
  state.session:set(view)
end


---@param handle Handle
---@param state sys.menu.State
---@param event menu.Event
local function act(handle, state, event)
  if event.what == "opening" then
    if type(state.given.items) == "function" then handles.call(handle, renew, state) end
    return
  end
  if event.what == "activated" then
    if state.given.clicked then handles.call(handle, state.given.clicked) end
    return
  end
  local item = state.items[event.id]
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


--- Puts an item into the status area. The handle belongs to the service or the script, and the item disappears with it. If the
--- panel restarts, the item comes back.
---@param given sys.menu.Options
---@return sys.menu.Handle? handle
---@return string? err
---@return string? code  "no_status_area" (no panel shows such items: what to do is in the message), "not_supported", "dry_run",
---                      "not_lasting": a call of a tool would end it at once
function M.new(given)
  if type(given) ~= "table" then error("sys.menu.new: expected a table of options, not a " .. type(given), 2) end
  options.check("sys.menu.new", given, KNOWN)
  local state = { given = {} }
  for name, value in pairs(given) do state.given[name] = value end
  local view
  view, state.items = checked("sys.menu.new", given)
  if policy.dry_run() then
    return nil, "This is a dry run, which does not show status menus. Run it without --dry-run.", "dry_run"
  end
  if not task.owner() then
    return nil, "A call of a tool ends before the user clicks. Make the status menu in a service or a script.", "not_lasting"
  end
  local system, err, code = backend.get()
  if not system then return nil, err, code end
  state.session, err, code = system.open(view)
  if not state.session then return nil, err, code end
  local shown, why, what = state.session:shown()
  if not shown and not given.wait then
    state.session:close()
    return nil, why, what
  end
  local handle
  handle, err, code = serve(state)
  if not handle then
    state.session:close()
    return nil, err, code
  end
  handle.shown = function() return state.session:shown() end
  handle.update = function(_, changes)
    local merged = {}
    for name, value in pairs(state.given) do merged[name] = value end
    for name, value in pairs(options.check("sys.menu update", changes, KNOWN)) do merged[name] = value end
    local changed, items = checked("sys.menu update", merged)
    state.given, state.items = merged, items
    if handle:runs() then state.session:set(changed) end
  end
  return handle
end


return M
