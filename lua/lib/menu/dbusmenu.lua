--- A menu as other programs read it over D-Bus: com.canonical.dbusmenu, the interface of panels for status notifier items.
--
-- An item is (id, properties, children); 0 is the menu itself. A panel requests the layout, reports clicks, and requests the
-- layout again when it is told that it changed.

local M = {}

M.INTERFACE = "com.canonical.dbusmenu"

local ERROR = "org.freedesktop.DBus.Error.InvalidArgs"
local ITEM = "(ia{sv}av)"


---@class menu.Dbusmenu
---@field entries menu.Entry[]
---@field by_id table<integer, menu.Entry>
---@field revision integer
---@field chosen fun(id: integer)
---@field opening fun(): boolean  called before the menu opens; returns true if its layout has changed
local Menu = {}
Menu.__index = Menu


local function index(by_id, entries)
  for _, entry in ipairs(entries) do
    by_id[entry.id] = entry
    if entry.items then index(by_id, entry.items) end
  end
  return by_id
end


--- Doubles underscores: a single one would mark a key in the label.
local function label_of(entry) return (entry.label:gsub("_", "__")) end


--- Returns the properties that differ from the protocol's defaults: enabled, visible, without a mark.
---@param entry? menu.Entry  nil means the menu itself
local function properties_of(entry)
  if not entry then return { ["children-display"] = { "s", "submenu" } } end
  if entry.separator then return { type = { "s", "separator" } } end
  local all = { label = { "s", label_of(entry) } }
  if entry.enabled == false then all.enabled = { "b", false } end
  if entry.checked ~= nil then
    all["toggle-type"], all["toggle-state"] = { "s", "checkmark" }, { "i", entry.checked and 1 or 0 }
  end
  if entry.items then all["children-display"] = { "s", "submenu" } end
  return all
end


--- Returns only the requested properties; all if none are named.
local function chosen_properties(entry, names)
  local all = properties_of(entry)
  if #names == 0 then return all end
  local some = {}
  for _, name in ipairs(names) do some[name] = all[name] end
  return some
end


--- Returns an item with its children: with depth -1 all levels, with 0 none.
local function item_of(self, id, depth, names)
  local entry = self.by_id[id]
  local children, below = {}, id == 0 and self.entries or entry and entry.items or {}
  if depth ~= 0 then
    for i, each in ipairs(below) do children[i] = { ITEM, item_of(self, each.id, depth - 1, names) } end
  end
  return { id, chosen_properties(entry, names), children }
end


local function unknown(id) return nil, ("the menu has no item %d"):format(id), ERROR end


local function get_layout(self, id, depth, names)
  if id ~= 0 and not self.by_id[id] then return unknown(id) end
  return self.revision, item_of(self, id, depth, names)
end


local function get_group(self, ids, names)
  local list = {}
  if #ids == 0 then
    for id in pairs(self.by_id) do ids[#ids + 1] = id end
    table.sort(ids)
  end
  for _, id in ipairs(ids) do
    if id == 0 or self.by_id[id] then list[#list + 1] = { id, chosen_properties(self.by_id[id], names) } end
  end
  return list
end


local function get_property(self, id, name)
  if id ~= 0 and not self.by_id[id] then return unknown(id) end
  local value = properties_of(self.by_id[id])[name]
  if not value then return nil, ("item %d has no property %s"):format(id, name), ERROR end
  return value
end


local function on_event(self, id, what)
  local entry = self.by_id[id]
  if entry and what == "clicked" and entry.enabled ~= false and not entry.separator then self.chosen(id) end
  return entry ~= nil or id == 0
end


local function on_group(self, events)
  local missing = {}
  for _, event in ipairs(events) do
    if not on_event(self, event[1], event[2]) then missing[#missing + 1] = event[1] end
  end
  return missing
end


local function about_to_show(self, id)
  if id == 0 then return self.opening() end
  return false
end


local function about_to_show_group(self, ids)
  local renewed, missing = {}, {}
  for _, id in ipairs(ids) do
    if id ~= 0 and not self.by_id[id] then missing[#missing + 1] = id
    elseif about_to_show(self, id) then renewed[#renewed + 1] = id end
  end
  return renewed, missing
end


--- Returns the interface, for dbus.service.
---@return sys.dbus.Interface
function Menu:interface()
  local function method(takes, gives, fn) return { takes = takes, gives = gives, fn = function(...) return fn(self, ...) end } end
  return {
    methods = {
      GetLayout          = method("iias", "u" .. ITEM, get_layout),
      GetGroupProperties = method("aias", "a(ia{sv})", get_group),
      GetProperty        = method("is", "v", get_property),
      Event              = method("isvu", "", function(_, id, what)
        if not on_event(self, id, what) then return unknown(id) end
      end),
      EventGroup         = method("a(isvu)", "ai", on_group),
      AboutToShow        = method("i", "b", about_to_show),
      AboutToShowGroup   = method("ai", "aiai", about_to_show_group),
    },
    properties = {
      Version       = { type = "u", get = 3 },
      TextDirection = { type = "s", get = "ltr" },
      Status        = { type = "s", get = "normal" },
      IconThemePath = { type = "as", get = {} },
    },
    signals = { LayoutUpdated = "ui", ItemsPropertiesUpdated = "a(ia{sv})a(ias)", ItemActivationRequested = "iu" },
  }
end


local function same(a, b)
  if #a ~= #b then return false end
  for i, entry in ipairs(a) do
    local other = b[i]
    if entry.label ~= other.label or entry.enabled ~= other.enabled or entry.checked ~= other.checked
      or entry.separator ~= other.separator or not entry.items ~= not other.items
      or entry.items and not same(entry.items, other.items) then
      return false
    end
  end
  return true
end


--- Sets the entries. Returns true if they look different.
---@param entries menu.Entry[]
---@return boolean
function Menu:set(entries)
  local differs = not same(self.entries, entries)
  self.entries, self.by_id = entries, index({}, entries)
  if differs then self.revision = self.revision % 0xffffffff + 1 end
  return differs
end


---@param entries menu.Entry[]
---@param chosen fun(id: integer)
---@param opening fun(): boolean
---@return menu.Dbusmenu
function M.new(entries, chosen, opening)
  return setmetatable({ entries = entries, by_id = index({}, entries), revision = 1, chosen = chosen, opening = opening }, Menu)
end


return M
