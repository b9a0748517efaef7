--- The sign on the desktop that a recording runs: a notification, with a button that ends it where the desktop has such.
--
-- An engine that is killed leaves its sign there. So on Linux each is noted with a connection to the bus that lasts as long as
-- the recording: the bus never gives its name to another one. The next recording removes the signs whose connection is gone.

local connection = require "dbus.connection"
local engine     = require "sys.engine"
local log        = require "sys.log"
local notify     = require "sys.notify"
local store      = require "sys.store"
local time       = require "sys.time"

local M = {}

M.STOP = "Stop"   -- the button

local NOTIFIER, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
local LONG = 7 * 86400   -- seconds after which a note of another session is dropped

---@class recorder.Note  of a sign
---@field bus string         the number of the bus
---@field connection string  of the recording
---@field service string     the connection of the program that shows it
---@field id integer
---@field at number          seconds since 1970


--- nil: there is no place to keep them.
local function notes() return engine.state_folder "store" and store.open "recorder_signs" end


local function ask(bus, member, ...)
  local values = bus:ask_bus(member, ... and "s", ...)
  return values and values[1] or nil
end


--- Removes a sign that nobody else can remove.
local function remove(bus, note)
  bus:call { to = NOTIFIER, path = PATH, interface = NOTIFIER, member = "CloseNotification", signature = "u", args = { note.id } }
end


--- True if a note is of no use any more: its recording ended without removing it, or nothing can be known of it.
---@param note recorder.Note
local function is_left(bus, here, note)
  if note.bus ~= here then return time.now() - note.at > LONG end
  return bus:has_owner(note.connection) == false   -- nil: it is not known
end


--- Removes the signs of recordings whose engine is gone.
function M.sweep()
  local bus <close> = connection.open "session"
  local kept, here = notes(), bus and ask(bus, "GetId")
  for key, note in pairs(here and kept and kept:all() or {}) do
    if is_left(bus, here, note) then
      if note.bus == here and note.service == ask(bus, "GetNameOwner", NOTIFIER) then remove(bus, note) end
      kept:set(key, nil)
    end
  end
end


---@class recorder.Sign
---@field pid? integer  the process that shows it, on Linux: clicks on it are not steps
---@field private shown sys.notify.Notification
---@field private bus? dbus.Connection
---@field private key? string
local Sign = {}
Sign.__index = Sign


--- Notes it, so that a later recording can remove it.
local function note(self)
  self.bus = connection.open "session"
  if not self.bus then return end
  local here, service = ask(self.bus, "GetId"), ask(self.bus, "GetNameOwner", NOTIFIER)
  local own, id = self.bus.wire:name(), math.tointeger(tonumber(self.shown.id))
  self.pid = service and ask(self.bus, "GetConnectionUnixProcessID", service)
  local kept = notes()
  if not (here and service and own and id and kept) then return end
  self.key = here .. own
  local _, err = kept:set(self.key, { bus = here, connection = own, service = service, id = id, at = time.now() })
  if err then log.warn("the sign of the recording will stay if this process is killed: " .. err) end
end


--- Shows that the macro of this name is recorded. nil: the desktop shows no notifications.
---@param name string
---@return recorder.Sign?
function M.show(name)
  M.sweep()
  local what = { title = "Perigee records what you do", urgency = "critical", timeout = 0, buttons = { M.STOP },
    text = ("Each step is saved in the macro %s. Ctrl+Alt+Esc ends it."):format(name) }
  local shown, _, code = notify.show(what)
  if code == "not_supported" then
    what.buttons = nil
    shown = notify.show(what)
  end
  if not shown then return nil end
  local self = setmetatable({ shown = shown }, Sign)
  note(self)
  return self
end


--- Waits for the next action of the user on it.
---@return sys.notify.Event?
function Sign:next() return self.shown:next() end


function Sign:close()
  self.shown:close()
  if self.key then notes():set(self.key, nil) end
  if self.bus then self.bus:close() end
end

Sign.__close = Sign.close


return M
