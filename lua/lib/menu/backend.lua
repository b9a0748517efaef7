--- What shows status menus on this system. A system has a file menu/SYSTEM.lua, which returns a menu.Backend; sys.menu is all
--- that scripts see of it.

local backends = require "backends"

local M = {}

local CHOICE = {
  linux = "menu.status_notifier", macos = "menu.macos",
  nowhere = "Perigee cannot show status menus on this system.",
  memory = "The desktop in memory has no status menus.",
}


---@class menu.Entry
---@field id integer        1 or more, its own in one view; the same entry keeps it if only its label or state changes
---@field separator? true   a line; no other field counts
---@field label? string
---@field enabled? boolean
---@field checked? boolean  nil: it has no check mark
---@field items? menu.Entry[]  a submenu

--- What is shown. sys.menu has checked it.
---@class menu.View
---@field id string         what the program calls it, of a-z, 0-9, "-" and "_"
---@field title string      its name, for people
---@field text? string      beside the icon, where the system shows text
---@field icon? string      absolute path of an image file, or the name of an icon in the theme of the desktop
---@field png? string       the bytes of a PNG file, instead of icon
---@field tooltip? string
---@field items menu.Entry[]
---@field activates boolean  a left click is an "activated" event; otherwise it opens the menu
---@field dynamic boolean    "opening" events are wanted

--- What the user did. "opening", of a dynamic menu: it is about to be shown. The one that takes events answers with set(), and
--- the system shows what that has, or what it has already if that takes long.
---@class menu.Event
---@field what "chosen"|"activated"|"opening"
---@field id? integer  "chosen"

--- One item of the status area. Tasks: next() is called by the one that called run(), set() by any.
---@class menu.Session
---@field run? fun(self: menu.Session)  called once, by the task that goes on to call next()
---@field set fun(self: menu.Session, view: menu.View)
---@field shown fun(self: menu.Session): boolean, string?, string?  is it in a status area now? false: why, "no_status_area"
---@field next fun(self: menu.Session, seconds?: number): menu.Event?, string?, string?  waits; "timeout", "closed"
---@field close fun(self: menu.Session)  removes it; twice is harmless

---@class menu.Backend
---@field open fun(view: menu.View): menu.Session?, string?, string?  a session that is not in a status area yet has not failed:
---            shown() says why. Fails with "no_status_area" where there can be none, "not_supported"


---@return menu.Backend? backend
---@return string? err
---@return string? code  "not_supported"
function M.get() return backends.choose(CHOICE) end


return M
