--- The interface to notifications. Each system has a file notify/SYSTEM.lua, which returns a notify.Backend; scripts see only
--- sys.notify.

local backends = require "backends"

local M = {}

local CHOICE = {
  linux = "notify.freedesktop", macos = "notify.macos",
  nowhere = "Perigee cannot show notifications on this system.",
  memory = "The desktop in memory has no notifications.",
}


--- One notification, in terms that each system understands. sys.notify has checked it.
---@class notify.Request
---@field title string         not empty
---@field text string          plain text, "" for none
---@field buttons string[]     labels, at most 8
---@field reply? string        the user can type an answer into a field, which shows this text while it is empty; "" for none
---@field urgency "low"|"normal"|"critical"
---@field timeout? number      seconds until it disappears by itself, 0 for never; nil: as the system decides
---@field icon? string         absolute path of an image file, or the name of an icon in the theme of the desktop
---@field image? string        absolute path of an image file
---@field held? boolean        true if a function gets its events: it is removed when the engine ends, even when that is killed,
---                            if the system can do that

--- An action of the user on a notification.
---@class notify.Event
---@field what "clicked"|"button"|"reply"|"closed"
---@field index? integer  "button": its place in `buttons`
---@field text? string    "reply": the typed text
---@field reason? "expired"|"dismissed"|"closed"|"lost"|"unknown"  "closed": its time was over; the user removed it; the program
---                                                               did; the service that showed it is gone; it is not known

--- One notification and its connection to the system. Nothing is shown before show().
---@class notify.Session
---@field show fun(self: notify.Session, request: notify.Request): string?, string?, string?  returns its ID in the system, as
---            text, once the system has accepted it; called again it replaces what is shown. Fails with "no_notifications" (no
---            service shows any), "not_allowed" (the user turned them off), "not_supported" (buttons or reply: the service has
---            none), "timeout", "failed", "busy"
---@field ignored fun(self: notify.Session, request: notify.Request): string[]  names of fields that the service does not show
---@field next fun(self: notify.Session, seconds?: number): notify.Event?, string?, string?  waits; "timeout". "closed" is the
---            last event
---@field withdraw fun(self: notify.Session): true?, string?, string?  removes it; "closed" if it is gone already
---@field close fun(self: notify.Session)  ends the connection, and leaves the notification where it is; may be called twice

---@class notify.Backend
---@field open fun(): notify.Session?, string?, string?  "no_notifications", "not_supported"
---@field capabilities fun(): sys.notify.Capabilities?, string?, string?


---@return notify.Backend? backend
---@return string? err
---@return string? code  "not_supported"
function M.get() return backends.choose(CHOICE) end


return M
