--- Notifications over D-Bus: the "Desktop Notifications Specification" of freedesktop.org, with the field for replies that
--- Plasma introduced. Each notification has a connection of its own, because some services answer only the one that asked.

local connection = require "dbus.connection"
local refused    = require "refused"
local time       = require "sys.time"

local M = {}

local SERVICE, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
local BUS = "org.freedesktop.DBus"
local START = 10   -- seconds for an answer: the bus may have to start the service first

local URGENCY = { low = 0, normal = 1, critical = 2 }
local REASONS = { "expired", "dismissed", "closed", "unknown" }
local DEFAULT, REPLY = "default", "inline-reply"   -- keys of actions

local ADVICE = "Start a notification service in this session, for example dunst, mako or that of your desktop."

---@class notify.freedesktop.Session: notify.Session
---@field bus dbus.Connection
---@field can table<string, true>   its capabilities
---@field number? integer           the service's number of the notification
---@field over? boolean             true after "closed" was reported
local Session = {}
Session.__index = Session


-- --- the service --------------------------------------------------------------------------------------

--- Returns the message and the code for a fault.
local function fault(err, code, name)
  if refused.is(code, name) then return nil, err, code end
  if code == "no_service" or (name or ""):find("Spawn", 1, true) then
    return nil, ("No program shows notifications here: %s has no owner on the D-Bus. %s"):format(SERVICE, ADVICE),
      "no_notifications"
  elseif code == "no_bus" then
    return nil, ("Notifications need the D-Bus of a session: %s."):format(err), "no_notifications"
  elseif code == "module_missing" then
    return nil, err, "not_supported"
  elseif code == "timeout" then
    return nil, ("The notification service does not respond: %s."):format(err), "timeout"
  end
  return nil, ("The notification service failed: %s."):format(err), code
end


local function call(bus, member, signature, ...)
  return bus:call { to = SERVICE, path = PATH, interface = SERVICE, member = member, signature = signature,
    args = signature and { ... } or nil, start = true, timeout = START }
end


local function capabilities(bus)
  local values, err, code, name = call(bus, "GetCapabilities")
  if not values then return fault(err, code, name) end
  local can = {}
  for _, each in ipairs(values[1]) do can[each] = true end
  return can
end


--- Subscribes to the signals of the service, and to that of its end.
local function hear(bus)
  local ok, err, code = bus:hear { sender = SERVICE, path = PATH, interface = SERVICE }
  if not ok then return nil, err, code end
  return bus:hear { sender = BUS, interface = BUS, member = "NameOwnerChanged", arg0 = SERVICE }
end


-- --- content ------------------------------------------------------------------------------------------

local ENTITIES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }

--- Escapes plain text for a service that reads markup.
local function body_of(can, text)
  if not can["body-markup"] then return text end
  return (text:gsub("[&<>]", ENTITIES))
end


local function shows_images(can) return can["icon-static"] or can["icon-multi"] end


local function actions_of(can, request)
  if not can.actions then return {} end
  local list = { DEFAULT, "" }
  for i, label in ipairs(request.buttons) do
    list[#list + 1], list[#list + 2] = tostring(i), label
  end
  if request.reply then list[#list + 1], list[#list + 2] = REPLY, "Reply" end
  return list
end


local function hints_of(can, request)
  local hints = { urgency = { "y", URGENCY[request.urgency] } }
  if request.image and shows_images(can) then hints["image-path"] = { "s", request.image } end
  if request.reply and request.reply ~= "" then hints["x-kde-reply-placeholder-text"] = { "s", request.reply } end
  return hints
end


local function milliseconds(timeout) return timeout and math.ceil(timeout * 1000) or -1 end


---@param request notify.Request
function Session:show(request)
  if #request.buttons > 0 and not self.can.actions then
    return nil, "The notification service of this desktop has no buttons. Leave `buttons` out.", "not_supported"
  elseif request.reply and not self.can[REPLY] then
    return nil, "The notification service of this desktop has no field for a reply. Use `buttons`.", "not_supported"
  end
  local values, err, code, name = call(self.bus, "Notify", "susssasa{sv}i", "Perigee", self.number or 0, request.icon or "",
    request.title, body_of(self.can, request.text), actions_of(self.can, request), hints_of(self.can, request),
    milliseconds(request.timeout))
  if not values then return fault(err, code, name) end
  self.number = values[1]
  return tostring(self.number)
end


function Session:ignored(request)
  local names = {}
  if request.text ~= "" and not self.can.body then names[1] = "text" end
  if not shows_images(self.can) then
    if request.icon then names[#names + 1] = "icon" end
    if request.image then names[#names + 1] = "image" end
  end
  return names
end


-- --- events -------------------------------------------------------------------------------------------

--- Returns the event of a signal; nil if it is about another notification.
---@param signal sys.dbus.Incoming
---@return notify.Event?
function Session:event_of(signal)
  local values = signal.values
  if signal.member == "NameOwnerChanged" then
    return values[1] == SERVICE and values[3] == "" and { what = "closed", reason = "lost" } or nil
  end
  if signal.interface ~= SERVICE or values[1] ~= self.number then return nil end
  if signal.member == "NotificationClosed" then
    return { what = "closed", reason = REASONS[values[2]] or "unknown" }
  elseif signal.member == "NotificationReplied" then
    return { what = "reply", text = values[2] }
  elseif signal.member == "ActionInvoked" then
    if values[2] == DEFAULT then return { what = "clicked" } end
    local index = math.tointeger(tonumber(values[2]))
    return index and { what = "button", index = index } or nil
  end
  return nil
end


function Session:next(seconds)
  local ends = seconds and time.monotonic() + seconds
  while not self.over do
    local message, err, code = self.bus.wire:next(ends and math.max(ends - time.monotonic(), 0))
    if not message and code == "no_bus" then
      self.over = true
      return { what = "closed", reason = "lost" }
    end
    if not message then return nil, err, code end
    local event = message.kind == "signal" and self:event_of(message)
    if event then
      self.over = event.what == "closed"
      return event
    end
  end
  return nil, "the notification was closed", "closed"
end


function Session:withdraw()
  local values, err, code, name = call(self.bus, "CloseNotification", "u", self.number)
  if values then return true end
  if code == "failed" then return nil, "the notification was closed already", "closed" end
  return fault(err, code, name)
end


function Session:close() self.bus:close() end


---@return notify.Session? session
---@return string? err
---@return string? code
function M.open()
  local bus, err, code = connection.open "session"
  if not bus then return fault(err, code) end
  local can, name
  can, err, code, name = capabilities(bus)
  local ok = can
  if ok then ok, err, code = hear(bus) end
  if ok then return setmetatable({ bus = bus, can = can }, Session) end
  bus:close()
  if not can then return nil, err, code end
  return fault(err, code, name)
end


---@return sys.notify.Capabilities? can
---@return string? err
---@return string? code
function M.capabilities()
  local bus <close>, err, code = connection.open "session"
  if not bus then return fault(err, code) end
  local can
  can, err, code = capabilities(bus)
  if not can then return nil, err, code end
  local values, why, what, name = call(bus, "GetServerInformation")
  if not values then return fault(why, what, name) end
  return { service = ("%s %s"):format(values[1], values[3]), buttons = can.actions == true, reply = can[REPLY] == true,
    images = shows_images(can) == true, stays = can.persistence == true }
end


return M
