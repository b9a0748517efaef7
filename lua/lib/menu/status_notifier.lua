--- Status menus over D-Bus: an org.kde.StatusNotifierItem with a com.canonical.dbusmenu. Panels with a StatusNotifierWatcher
--- show it. Each item has a connection of its own, and its name on the bus is the item's.

local connection = require "dbus.connection"
local dbusmenu   = require "menu.dbusmenu"
local icons      = require "icons"
local log        = require "sys.log"
local refused    = require "refused"
local service    = require "dbus.service"
local task       = require "sys.task"
local time       = require "sys.time"

local M = {}

local WATCHER, WATCHER_PATH = "org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher"
local ITEM, ITEM_PATH, MENU_PATH = "org.kde.StatusNotifierItem", "/StatusNotifierItem", "/MenuBar"
local NO_MENU = "/NO_DBUSMENU"    -- panels take this path for no menu
local BUS = "org.freedesktop.DBus"
local WAITING = 100               -- clicks that wait to be taken
local READ = 1                    -- seconds for a panel to read an item
local SIDE = 22                   -- pixels of the picture of an item without an icon
local TURN = { item = 4, menu = 1 }   -- seconds for a panel to read each of an item, until the next item is registered
local RENEWAL = 0.5               -- seconds for which the panel waits for the function that makes the menu

local ADVICE = "Add the status area to the panel: \"Status Tray\" in Xfce and LXQt, the extension AppIndicator in GNOME."

---@class menu.status_notifier.Session: menu.Session
---@field service dbus.Service
---@field menu menu.Dbusmenu
---@field view menu.View
---@field events sys.task.Channel
---@field registered? string    the owner of the watcher that accepted the item
---@field file? string          the file of the icon
---@field read? boolean         true: the panel has read the icon since the item was registered
---@field taken? table<"item"|"menu", sys.task.Channel>  while it registers: gets a value when the panel has read that
---@field disc? table           the picture of an item without an icon
---@field renewing? sys.task.Channel  for the panel that waits for a new menu
local Session = {}
Session.__index = Session


-- --- the item -----------------------------------------------------------------------------------------

--- Notes what the panel has read of a new item.
local function note_taken(self, what)
  if self.taken then self.taken[what]:send(true, 0) end
end


local function icon_of(self)
  self.read = true
  note_taken(self, "item")
  return self.file or self.view.icon or ""
end


--- Draws a disc, in a color that the text chooses. Panels that find no icon show nothing at all, not even an empty place.
---@param text string
---@return table  of type a(iiay)
local function disc_of(text)
  local hash = 5381
  for i = 1, #text do hash = (hash * 33 + text:byte(i)) % 0x1000000 end
  hash = hash * 0x9E3779 >> 8   -- so that "Item 1" and "Item 2" differ
  local color = { 255, 96 + hash % 128, 96 + (hash >> 8) % 128, 96 + (hash >> 16) % 128 }
  local bytes, middle = {}, (SIDE + 1) / 2
  for at = 0, SIDE * SIDE - 1 do
    local x, y = at % SIDE + 1 - middle, at // SIDE + 1 - middle
    local inside = x * x + y * y <= (middle - 1.5) ^ 2
    for i = 1, 4 do bytes[#bytes + 1] = inside and color[i] or 0 end
  end
  return { { SIDE, SIDE, bytes } }
end


--- The picture of an item without an icon, or whose icon the panel's theme does not have.
local function pixmap_of(self)
  if self.file or (self.view.icon or ""):sub(1, 1) == "/" then return {} end
  self.disc = self.disc or disc_of(self.view.title)
  return self.disc
end


--- The tooltip has the text as well, because only some panels show it beside the icon (XAyatanaLabel).
local function tooltip_of(self)
  local view = self.view
  local title = (view.text or "") ~= "" and ("%s: %s"):format(view.title, view.text) or view.title
  return { "", {}, title, view.tooltip or "" }
end


---@return sys.dbus.Interface
local function item_of(self)
  local function tell(what) return function() self:tell { what = what } end end
  local function text(name) return { type = "s", get = name } end
  local pixels = { type = "a(iiay)", get = {} }
  return {
    methods = {
      Activate          = { takes = "ii", fn = tell "activated" },
      SecondaryActivate = { takes = "ii", fn = tell "activated" },
      ContextMenu       = { takes = "ii", fn = function() end },   -- the panel shows the menu by itself
      Scroll            = { takes = "is", fn = function() end },
    },
    properties = {
      Category = text "ApplicationStatus", Id = text(self.view.id), Status = text "Active",
      Title = text(function() return self.view.title end),
      IconName = text(function() return icon_of(self) end),
      IconPixmap = { type = "a(iiay)", get = function() return pixmap_of(self) end },
      OverlayIconPixmap = pixels, AttentionIconPixmap = pixels,
      OverlayIconName = text "", AttentionIconName = text "", AttentionMovieName = text "", IconThemePath = text "",
      WindowId = { type = "i", get = 0 },
      ToolTip = { type = "(sa(iiay)ss)", get = function() return tooltip_of(self) end },
      ItemIsMenu = { type = "b", get = function() return not self.view.activates end },
      Menu = { type = "o", get = function() return self:has_menu() and MENU_PATH or NO_MENU end },
      XAyatanaLabel = text(function() return self.view.text or "" end), XAyatanaLabelGuide = text "",
    },
    signals = { NewTitle = "", NewIcon = "", NewToolTip = "", NewMenu = "", NewStatus = "s", XAyatanaNewLabel = "ss" },
  }
end


function Session:has_menu() return self.view.dynamic or #self.view.items > 0 end


--- Sends an event to its receiver. If too many wait, the newest is lost.
---@param event menu.Event
function Session:tell(event)
  local ok, _, code = self.events:send(event, 0)
  if not ok and code == "timeout" then
    log.warn(("the status menu %s has %d clicks that wait: one is lost"):format(self.view.title, WAITING))
  end
end


--- Makes the menu again. It is called while the panel waits, and the function for it may be slow, or busy with a click.
function Session:renew()
  if not self.view.dynamic then return false end
  local before = self.menu.revision
  self.renewing = self.renewing or task.channel(1)
  self:tell { what = "opening" }
  self.renewing:receive(RENEWAL)
  self.renewing = nil
  return self.menu.revision ~= before
end


-- --- the panel ----------------------------------------------------------------------------------------

local function owner_of_watcher(bus)
  local values = bus:ask_bus("GetNameOwner", "s", WATCHER)
  return values and values[1]
end


---@return true? ok
---@return string? err
---@return string? code
local function register_now(self)
  local bus = self.service.connection
  local owner = owner_of_watcher(bus)
  if not owner then
    return nil, ("No panel has a status area: %s has no owner on the D-Bus. %s"):format(WATCHER, ADVICE), "no_status_area"
  end
  local values, err, code, name = bus:call { to = owner, path = WATCHER_PATH, interface = WATCHER,
    member = "RegisterStatusNotifierItem", signature = "s", args = { (bus.wire:name()) } }
  if not values and refused.is(code, name) then return nil, err, code end
  if not values then return nil, ("The status area did not take the item: %s."):format(err), code end
  self.registered = owner
  return true
end


--- Puts the item into the status area of a panel that has one, and waits until the panel has read it. Items take turns: the panel
--- of Xfce 4.18 may lose some, for good, if it gets to know several at once.
---@param told fun(ok: true?, err?: string, code?: string)  called when it is registered, or cannot be
local function register_in_turn(self, told)
  local _ <close> = task.lock "a status area"
  self.taken = { item = task.channel(1), menu = task.channel(1) }
  local ok, err, code = register_now(self)
  told(ok, err, code)
  if ok and self.taken.item:receive(TURN.item) and self:has_menu() then self.taken.menu:receive(TURN.menu) end
  self.taken = nil
end


--- Does the same, and returns when it is registered.
---@return true? ok
---@return string? err
---@return string? code
function Session:register()
  local outcome = task.channel(1)
  assert(task.spawn(register_in_turn, self, function(...) outcome:send { ... } end))
  local told, err, code = outcome:receive()
  if not told then return nil, err, code end
  return table.unpack(told, 1, 3)
end


--- Registers with a panel that starts, or comes back.
---@param signal sys.dbus.Incoming
function Session:hear(signal)
  if signal.member ~= "NameOwnerChanged" or signal.values[1] ~= WATCHER then return end
  self.registered, self.read = nil, nil
  if signal.values[3] == "" then return end
  task.spawn(register_in_turn, self, function(ok, err, code)   -- the watcher may ask for properties before it answers
    if not ok and code ~= "closed" then log.warn(err) end
  end)
end


--- A property of the watcher.
---@return any value  nil: it has none
---@return string? err
---@return string? code
local function ask_watcher(self, name)
  local values, err, code, fault = self.service.connection:call { to = self.registered, path = WATCHER_PATH,
    interface = "org.freedesktop.DBus.Properties", member = "Get", signature = "ss", args = { WATCHER, name } }
  return values and values[1], err, code, fault
end


--- True if there is a panel that shows status items.
---@return boolean is
---@return string? err
---@return string? code
function Session:area()
  if not self.registered then
    return false, ("No panel has a status area: %s has no owner on the D-Bus. %s"):format(WATCHER, ADVICE), "no_status_area"
  end
  local is, err, code, name = ask_watcher(self, "IsStatusNotifierHostRegistered")
  if is then return true end
  if refused.is(code, name) then return false, err, code end
  if err then return false, ("The status area does not answer: %s."):format(err), code end
  return false, ("A program collects status items, and no panel shows them. %s"):format(ADVICE), "no_status_area"
end


--- True if the watcher lists the item, or does not say what it lists.
local function is_listed(self)
  local listed = ask_watcher(self, "RegisteredStatusNotifierItems")
  if type(listed) ~= "table" then return true end
  local name = self.service.connection.wire:name()
  for _, each in ipairs(listed) do
    if each == name or each:sub(1, #name + 1) == name .. "/" then return true end
  end
  return false
end


function Session:shown()
  local is, err, code = self:area()
  if not is then return false, err, code end
  if not is_listed(self) then
    return false, "The status area has dropped the item. Restart the panel, or make the item again.", "no_status_area"
  end
  local ends = time.monotonic() + READ
  while not self.read and time.monotonic() < ends do time.sleep(0.02) end
  if self.read then return true end
  return false, "The panel has not read the item, so it does not show it. Restart the panel.", "no_status_area"
end


-- --- the session ----------------------------------------------------------------------------------------

--- Writes an icon that is given as bytes to a file.
local function set_file(self, png)
  local before = self.file
  self.file = nil
  if png then
    local path, err = icons.write(png)
    if not path then log.warn(("the icon of the status menu %s: %s"):format(self.view.title, err)) end
    self.file = path
  end
  return before
end


function Session:set(view)
  local before, old_file = self.view, nil
  self.view = view
  if view.png ~= before.png then old_file = set_file(self, view.png) end
  local function tell(...) self.service:emit(ITEM_PATH, ITEM, ...) end
  if view.title ~= before.title then tell "NewTitle" end
  if view.icon ~= before.icon or view.png ~= before.png then tell "NewIcon" end
  local new_text = view.text ~= before.text
  if view.tooltip ~= before.tooltip or view.title ~= before.title or new_text then tell "NewToolTip" end
  if new_text then tell("XAyatanaNewLabel", view.text or "", "") end
  if self.menu:set(view.items) then self.service:emit(MENU_PATH, dbusmenu.INTERFACE, "LayoutUpdated", self.menu.revision, 0) end
  if old_file then icons.remove(old_file) end
  if self.renewing then self.renewing:send(true, 0) end
end


--- Answers the panel in a task beside the one that takes the clicks.
function Session:run()
  assert(task.spawn(function()
    local _, err, code = self.service:run()
    if code ~= "closed" then log.warn(("the status menu %s is gone: %s"):format(self.view.title, err)) end
    self.events:close()
  end))
end


function Session:next(seconds) return self.events:receive(seconds) end


function Session:close()
  self.service:close()
  self.events:close()
  if self.file then icons.remove(self.file) end
  self.file = nil
end


local function no_area(err, code)
  if refused.is(code) then return nil, err, code end
  if code == "module_missing" then return nil, err, "not_supported" end
  if code == "timeout" then return nil, err, code end
  return nil, ("Status menus need the D-Bus of a session: %s."):format(err), "no_status_area"
end


---@param view menu.View
---@return menu.Session? session
---@return string? err
---@return string? code
function M.open(view)
  local bus, err, code = connection.open "session"
  if not bus then return no_area(err, code) end
  local ok
  ok, err, code = bus:hear { sender = BUS, interface = BUS, member = "NameOwnerChanged", arg0 = WATCHER }
  if not ok then
    bus:close()
    return no_area(err, code)
  end
  local self = setmetatable({ view = view, events = task.channel(WAITING) }, Session)
  self.menu = dbusmenu.new(view.items, function(id) self:tell { what = "chosen", id = id } end,
    function() return self:renew() end)
  set_file(self, view.png)
  local menu = self.menu:interface()
  local layout = menu.methods.GetLayout.fn
  menu.methods.GetLayout.fn = function(...)
    note_taken(self, "menu")
    return layout(...)
  end
  self.service = service.new("sys.menu", bus, { [ITEM_PATH] = { [ITEM] = item_of(self) },
    [MENU_PATH] = { [dbusmenu.INTERFACE] = menu } })
  self.service.hear = function(signal) self:hear(signal) end
  ok, err, code = self:register()
  if ok or code == "no_status_area" then return self end
  self:close()
  return nil, err, code
end


return M
