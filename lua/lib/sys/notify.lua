--- sys.notify: notifications of the desktop, and the user's answers to them.
--
--     local app    = require "sys.app"
--     local notify = require "sys.notify"
--
--     notify.show { title = "Build", text = "All tests pass." }
--
--     notify.show({ title = "Build failed", buttons = { "Show log", "Later" } }, function(event)   -- in a service or a script
--       if event.button == "Show log" then app.open "Console" end
--     end)
--
--     local question <close> = assert(notify.show { title = "Deploy?", buttons = { "Yes", "No" } })   -- in a tool
--     local event = question:next(30)
--
-- Titles and text are plain text. Options that the service of the desktop cannot offer at all, buttons or a field for a reply,
-- are refused ("not_supported"), and nothing is shown. Options that it accepts but does not show are in `ignored`.

local backend = require "notify.backend"
local handles = require "handles"
local icons   = require "icons"
local options = require "events.options"
local path    = require "sys.path"
local policy  = require "sys.policy"
local task    = require "sys.task"

local M = {}

local URGENCIES = { low = true, normal = true, critical = true }
local BUTTONS_MOST, TITLE_MOST, TEXT_MOST, TIMEOUT_MOST = 8, 1000, 10000, 86400

---@class sys.notify.Options
---@field title string        at most 1000 bytes
---@field text? string        at most 10000 bytes
---@field buttons? string[]   labels, at most 8
---@field reply? boolean|string  a field for a reply; a string is shown in it while it is empty
---@field urgency? "low"|"normal"|"critical"  default: "normal"
---@field timeout? number     seconds until it disappears by itself, 0 for never (default: as the desktop decides)
---@field icon? string        absolute path of an image file, or the name of an icon in the theme of the desktop
---@field image? string       absolute path of an image file

local KNOWN = { title = "string", text = "string", buttons = "table", reply = "boolean string", urgency = "string",
  timeout = "number", icon = "string", image = "string" }

---@class sys.notify.Event
---@field what "clicked"|"button"|"reply"|"closed"
---@field button? string   "button": the label of the button
---@field index? integer   "button": its place in `buttons`
---@field text? string     "reply": the text that the user typed
---@field reason? "expired"|"dismissed"|"closed"|"lost"|"unknown"  "closed", always the last event: its time was over; the user
---                        removed it, or it disappeared after a click; close() did; the service is gone; the service does not
---   say

---@class sys.notify.Capabilities
---@field service string    its name and version: "dunst 1.9.0"
---@field buttons boolean
---@field reply boolean
---@field images boolean
---@field stays boolean     true if it keeps notifications until the user has seen them


-- --- options ------------------------------------------------------------------------------------------

--- Raises an error where the script called, `below` functions further down than request_of().
local function refuse(where, what, below) error(("%s: %s"):format(where, what), 4 + (below or 0)) end


local function check_buttons(where, buttons)
  if #buttons > BUTTONS_MOST then refuse(where, ("at most %d buttons"):format(BUTTONS_MOST), 1) end
  for i = 1, #buttons do
    if type(buttons[i]) ~= "string" or buttons[i] == "" then refuse(where, "'buttons' is a list of labels", 1) end
  end
  return table.move(buttons, 1, #buttons, 1, {})
end


local function check_text(where, name, text, most)
  if #text > most then refuse(where, ("'%s' has %d bytes, more than %d"):format(name, #text, most), 1) end
  if text:find("\0", 1, true) or not utf8.len(text) then refuse(where, ("'%s' is not text in UTF-8"):format(name), 1) end
  return text
end


--- Returns the given options, complete.
---@return notify.Request
local function request_of(where, given)
  if type(given) ~= "table" then refuse(where, "expected a table of options, not a " .. type(given)) end
  given = options.check(where, given, KNOWN)
  if (given.title or "") == "" then refuse(where, "'title' is missing") end
  if given.urgency and not URGENCIES[given.urgency] then refuse(where, "'urgency' is \"low\", \"normal\" or \"critical\"") end
  if given.timeout and not (given.timeout >= 0 and given.timeout <= TIMEOUT_MOST) then
    refuse(where, "'timeout' is 0 to 86400 seconds")
  end
  if given.image and not path.is_absolute(given.image) then refuse(where, "'image' is an absolute path") end
  if given.icon and not icons.is_name_or_path(given.icon) then
    refuse(where, "'icon' is the name of an icon, or an absolute path")
  end
  local reply = given.reply
  if reply == true then reply = "" end
  return {
    title = check_text(where, "title", given.title, TITLE_MOST), text = check_text(where, "text", given.text or "", TEXT_MOST),
    buttons = check_buttons(where, given.buttons or {}), reply = reply or nil, urgency = given.urgency or "normal",
    timeout = given.timeout, icon = given.icon, image = given.image,
  }
end


-- --- a notification -----------------------------------------------------------------------------------

---@class sys.notify.Notification
---@field id string         the service's name for it
---@field ignored string[]  options that the service does not show: { "image" }
---@field private session notify.Session
---@field private request notify.Request
---@field private ended? boolean
local Notification = {}
Notification.__index = Notification
Notification.__name = "sys.notify.Notification"


--- Waits for the user's next action on it.
---@param seconds? number  how long to wait (default: without a limit)
---@return sys.notify.Event? event
---@return string? err
---@return string? code  "timeout"; "closed" if there are no more events
function Notification:next(seconds)
  if self.ended then return nil, "the notification was closed", "closed" end
  local event, err, code = self.session:next(seconds)
  if not event then return nil, err, code end
  if event.what == "closed" then
    self.ended = true
    self.session:close()
  end
  return { what = event.what, index = event.index, button = event.index and self.request.buttons[event.index],
    text = event.text, reason = event.reason }
end


--- Changes the notification on the screen. Options that are not given stay as they are.
---@param changes table  as sys.notify.Options; `reply = false` removes the field
---@return true? ok
---@return string? err
---@return string? code  as show(), or "closed"
function Notification:update(changes)
  local merged = {}
  for name in pairs(KNOWN) do merged[name] = self.request[name] end
  for name, value in pairs(changes) do merged[name] = value end
  local request = request_of("sys.notify update", merged)
  request.held = self.request.held
  if self.ended then return nil, "the notification was closed", "closed" end
  local found, why, what = icons.found(request.icon, request.image)
  if not found then return nil, why, what end
  local id, err, code = self.session:show(request)
  if not id then return nil, err, code end
  self.id, self.request, self.ignored = id, request, self.session:ignored(request)
  return true
end


--- Removes it from the screen. `local shown <close> = ...` does the same.
---@return true? ok
---@return string? err
---@return string? code  "closed" if it was gone already
function Notification:close()
  if self.ended then return nil, "the notification was closed", "closed" end
  self.ended = true
  local ok, err, code = self.session:withdraw()
  self.session:close()
  return ok, err, code
end

Notification.__close = Notification.close


local function open(request)
  local system, err, code = backend.get()
  if not system then return nil, err, code end
  local found
  found, err, code = icons.found(request.icon, request.image)
  if not found then return nil, err, code end
  local session
  session, err, code = system.open()
  if not session then return nil, err, code end
  local id
  id, err, code = session:show(request)
  if not id then
    session:close()
    return nil, err, code
  end
  return setmetatable({ id = id, ignored = session:ignored(request), session = session, request = request }, Notification)
end


--- Returns a handle that calls fn for each event, and ends with the notification.
local function attended(shown, fn)
  local handle, err, code = handles.new("sys.notify " .. shown.request.title:sub(1, 40), function(handle)
    local open_ <close> = shown
    while true do
      local event, why, what = open_:next()
      if event then handles.call(handle, fn, event)
      elseif what == "closed" then return
      else error(why, 0) end
    end
  end, { id = shown.id, ignored = shown.ignored })
  if not handle then
    shown:close()
    return nil, err, code
  end
  handle.update = function(_, changes) return shown:update(changes) end
  handle.close = function() return handle:stop() end
  return handle
end


--- Shows a notification, and returns when the service of the desktop has accepted it. The service decides whether the user sees
--- it: most hold notifications back while the user wants quiet.
---
--- Without a function it returns the notification, which stays on the screen even after the call ends. With one it returns a
--- handle, and the function gets each event; the handle ends when the notification is closed. handle:stop(), and the end of the
--- service or the script, remove the notification. The handle also has `id`, update() and close().
---@param given sys.notify.Options
---@param fn? fun(event: sys.notify.Event)
---@return sys.notify.Notification|Handle|nil shown
---@return string? err
---@return string? code  "no_notifications" (no service shows them here), "not_allowed" (the user turned them off, or has not
---                      answered macOS's question), "not_supported" (buttons or a reply: the service has none, or on macOS
---                      Perigee runs outside of Perigee.app; or the desktop is one in memory), "not_found" (the image),
---                      "failed" (the service refused it), "busy" (too many wait), "timeout", "dry_run"; for a handle also
---                      "not_lasting": a call of a tool would end it at once
function M.show(given, fn)
  local request = request_of("sys.notify.show", given)
  if fn ~= nil and type(fn) ~= "function" then error("sys.notify.show: expected a function, not a " .. type(fn), 2) end
  if policy.dry_run() then
    return nil, "This is a dry run, which does not show notifications. "
      .. "Run it without --dry-run, and without dry_run in the policy.", "dry_run"
  end
  if fn and not task.owner() then
    return nil, "A call of a tool ends before the user clicks. Leave the function out and take events with next().", "not_lasting"
  end
  request.held = fn ~= nil
  local shown, err, code = open(request)
  if not shown or not fn then return shown, err, code end
  return attended(shown, fn)
end


--- Returns the capabilities of the desktop's service.
---@return sys.notify.Capabilities? can
---@return string? err
---@return string? code  as show()
function M.capabilities()
  local system, err, code = backend.get()
  if not system then return nil, err, code end
  return system.capabilities()
end


return M
