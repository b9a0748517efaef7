--- The interface to status menus. Each system has a file menu/SYSTEM.lua, which returns a menu.Backend; scripts see only
--- sys.menu.

local backends = require "backends"

local M = {}

local CHOICE = {
  linux = "menu.status_notifier", macos = "menu.macos",
  nowhere = "Perigee cannot show status menus on this system.",
  memory = "The desktop in memory has no status menus.",
}


---@class menu.Entry
---@field id integer        1 or more, unique in one view; an entry keeps it if only its label or state changes
---@field separator? true   a line; all other fields are ignored
---@field label? string
---@field enabled? boolean
---@field checked? boolean  nil without a check mark
---@field items? menu.Entry[]  a submenu

--- The content of an item. sys.menu has checked it.
---@class menu.View
---@field id string         the program's name for it, of a-z, 0-9, "-" and "_"
---@field title string      its name, for people
---@field text? string      shown beside the icon, if the system does that
---@field icon? string      absolute path of an image file, or the name of an icon in the theme of the desktop
---@field png? string       the bytes of a PNG file, instead of icon
---@field tooltip? string
---@field items menu.Entry[]
---@field activates boolean  true: a left click is an "activated" event; otherwise it opens the menu
---@field dynamic boolean    true: "opening" events are wanted

--- An action of the user. "opening" means that a dynamic menu is about to be shown: the receiver answers with set(), and the
--- system shows the new content, or the old one if that takes long.
---@class menu.Event
---@field what "chosen"|"activated"|"opening"
---@field id? integer  "chosen"

--- One item of the status area. The task that called run() calls next(); any task may call set().
---@class menu.Session
---@field run? fun(self: menu.Session)  called once, by the task that then calls next()
---@field set fun(self: menu.Session, view: menu.View)
---@field shown fun(self: menu.Session): boolean, string?, string?  true if it is in a status area now; else false, why, and
---            "no_status_area"
---@field area? fun(self: menu.Session): boolean, string?, string?  true if there is a status area, which may not
---            have read the item yet; without it, shown() answers that
---@field next fun(self: menu.Session, seconds?: number): menu.Event?, string?, string?  waits; "timeout", "closed"
---@field close fun(self: menu.Session)  removes it; may be called twice

---@class menu.Backend
---@field open fun(view: menu.View): menu.Session?, string?, string?  succeeds even if the item is not in a status area yet:
---            shown() says why. Fails with "no_status_area" if there cannot be one, "not_supported"


---@return menu.Backend? backend
---@return string? err
---@return string? code  "not_supported"
function M.get() return backends.choose(CHOICE) end


return M
