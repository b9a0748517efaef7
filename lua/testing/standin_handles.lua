--- Stand-ins for watchers, timers, hotkeys and all else that outlasts the call that made it, in the examples of a service. The
--- example has the events:
---
---   events = { { "hotkey.bind ctrl+z" }, { "window.events", { what = "opened", window = { title = "Notes" } } } }
---
--- Each names a call by its beginning, as `did` does, and has the arguments for the function that was passed to the call. If
--- several calls fit, the newest that still runs gets the event. For a status menu the argument is the label of the item.

local difference = require "cli.difference"

local M = {}

--- Functions that return a handle, or without a function a source.
local LASTING = {}
for _, name in ipairs { "app.events", "audio.events", "awake.keep", "clipboard.events", "dbus.signals", "display.events",
  "element.events", "fs.watch", "hotkey.bind", "idle.events", "menu.new", "notify.show", "power.events", "time.after", "time.at",
  "time.delayed", "time.every", "webhook.listen", "window.events" } do
  LASTING["sys." .. name] = true
end

--- Functions that also act, so that `did` has their calls. The others only listen.
local ACTS = { ["sys.awake.keep"] = true, ["sys.menu.new"] = true, ["sys.notify.show"] = true }

--- Timers that end after they fire.
local ONCE = { ["sys.time.after"] = true, ["sys.time.at"] = true }


---@class testing.Event
---@field [1] string  the beginning of the call
---@field taken? boolean

---@class testing.Handle
---@field private call string     the call as `did` writes it
---@field private fn? function
---@field private all testing.Event[]
local Handle = {}
Handle.__index = Handle
Handle.__name = "Handle"

function Handle:stop() self.ended = true end
Handle.close, Handle.__close, Handle.release = Handle.stop, Handle.stop, Handle.stop
function Handle:runs() return not self.ended end
function Handle:start() self.started = true end     -- for sys.time.delayed
function Handle:waits() return self.started == true end
function Handle:dropped() return 0 end
function Handle:update() return true end            -- for a notification and a status menu
function Handle:shown() return not self.ended end


--- Returns the next event for a source; nil if the example has no more.
function Handle:next()
  for _, event in ipairs(self.all) do
    if not event.taken and not self.ended and difference.fits(self.call, event[1]) then
      event.taken = true
      return table.unpack(event, 2)
    end
  end
  return nil, "the example has no more events for this", "closed"
end


Handle.__call = Handle.next


--- True if this function returns a handle or source that lasts.
---@param name string  "sys.window.events"
---@return boolean
function M.lasting(name) return LASTING[name] == true end


--- True if a call of this function belongs to `did`.
---@param name string  "sys.window.events"
---@return boolean
function M.acts(name) return not LASTING[name] or ACTS[name] == true end


---@param name string    "sys.window.events"
---@param call string    the call as `did` writes it
---@param all testing.Event[]
---@param ... any        the arguments of the call
---@return testing.Handle
function M.new(name, call, all, ...)
  local handle = { name = name, call = call, all = all, failures = 0, once = ONCE[name] and type((...)) == "number",
    delayed = name == "sys.time.delayed", menu = name == "sys.menu.new" and (...) or nil }
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    if type(value) == "function" then
      handle.fn = value
      break
    end
  end
  return setmetatable(handle, Handle)
end


--- Returns the function of a menu's item.
local function chosen(options, label)
  if label == nil then return options.clicked end
  local function search(items)
    for _, item in ipairs(type(items) == "function" and items() or items or {}) do
      if item.label == label and item.fn then return function() item.fn(item) end end
      local found = item.items and search(item.items)
      if found then return found end
    end
  end
  return search(options.items)
end


--- Returns the newest handle that this event is for; nil if there is none yet.
---@param handles testing.Handle[]
---@param event testing.Event
---@return testing.Handle?
function M.find(handles, event)
  for i = #handles, 1, -1 do
    local handle = handles[i]
    local ready = not handle.ended and (handle.fn or handle.menu) and (handle.started or not handle.delayed)
    if ready and difference.fits(handle.call, event[1]) then return handle end
  end
end


--- Calls its function by the event. Raises an error of the function.
---@param handle testing.Handle
---@param event testing.Event
function M.fire(handle, event)
  event.taken = true
  handle.started = nil
  if handle.once then handle.ended = true end
  if not handle.menu then return handle.fn(table.unpack(event, 2)) end
  local fn = chosen(handle.menu, event[2])
  if not fn then error(("the status menu has no item %s with a function"):format(difference.shown(event[2])), 0) end
  fn()
end


return M
