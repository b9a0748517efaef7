--- The signs of an effect of a call over D-Bus: properties that the program announces, its windows, the states of actions.
--
-- An answer without an error proves nothing: a program answers the call of a disabled action, too.

local actions = require "dictionary.actions"
local json    = require "sys.json"
local quoting = require "desktop.quoting"
local time    = require "sys.time"
local window  = require "sys.window"

local M = {}

local WAIT = 0.5     -- seconds for the first sign of an effect
local LONGEST = 1.5  -- seconds for all signs
local TURN = 0.1     -- seconds after which all are looked at again
local ASK = 2        -- seconds for the states of actions
local MOST = 20      -- changes that are told
local TITLE = 120    -- characters of a title
local VALUE = 120    -- characters of a value

---@class dictionary.Watch
---@field bus dbus.Connection
---@field to string
---@field unique string
---@field pid? integer
---@field group? string  the path of the group of actions
---@field seen string[]  the changes so far
local Watch = {}
Watch.__index = Watch


local function shown(value) return quoting.cut(quoting.plain(json.encode(value) or tostring(value)), VALUE) end


local function group_of(bus, to, path)
  local question = actions.question(to, path)
  question.timeout = ASK
  local values = bus:call(question)
  local group = {}
  for name, told in pairs(values and values[1] or {}) do group[name] = actions.read(name, told) end
  return group
end


--- Begins to watch. Without a display only the bus is watched.
---@param bus dbus.Connection
---@param call table    the `call` of the common model
---@param pid? integer  of the program
---@param group? string  the path of a group of actions, whose states are compared
---@return dictionary.Watch
function M.begin(bus, call, pid, group)
  local watch = setmetatable({ bus = bus, to = call.to, unique = call.unique, pid = pid, group = group,
    seen = {} }, Watch)
  bus:hear { sender = call.to, interface = "org.freedesktop.DBus.Properties", member = "PropertiesChanged" }
  watch.actions = group and group_of(bus, call.to, group) or {}
  watch.mark = pid and window.changed(nil, { timeout = 2 })
  return watch
end


function Watch:add(text)
  if #self.seen < MOST then self.seen[#self.seen + 1] = text end
end


--- Takes an announcement of properties.
function Watch:take(message)
  if message.kind ~= "signal" or message.member ~= "PropertiesChanged" or (self.unique and message.sender ~= self.unique) then
    return
  end
  local names = {}
  for name in pairs(message.values[2] or {}) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do self:add(("property %s is %s"):format(name, shown(message.values[2][name]))) end
  for _, name in ipairs(message.values[3] or {}) do self:add(("property %s changed"):format(name)) end
end


--- Takes the announcements that have come; waits for the first one.
function Watch:properties(seconds)
  local message = self.bus.wire:next(seconds)
  while message do
    self:take(message)
    message = self.bus.wire:next(0)
  end
end


local WORDS = { opened = "opened", closed = "closed", moved = "moved", changed = "changed its state", focused = "has the focus" }

local function of_window(change)
  local title = quoting.quote(change.window.title, TITLE)
  if change.what == "titled" then return ("window %s is titled %s"):format(quoting.quote(change.was, TITLE), title) end
  return ("window %s %s"):format(title, WORDS[change.what])
end


--- Takes the changes of the program's own windows.
function Watch:windows(seconds)
  local now = self.mark and window.changed(self.mark, { wait = seconds, timeout = 2 })
  for _, change in ipairs(now and window.differences(self.mark, now) or {}) do
    if change.window and change.window.pid == self.pid then
      self:add(of_window(change))
      self.opened = self.opened or change.what == "opened"
    end
  end
  self.mark = now or self.mark
end


--- Compares the states of actions with those at the beginning.
function Watch:states()
  if not self.group then return end
  local now, names = group_of(self.bus, self.to, self.group), {}
  for name in pairs(now) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local before, after = self.actions[name], now[name]
    if before and before.enabled ~= after.enabled then
      self:add(("action %s is %s"):format(name, after.enabled and "enabled" or "disabled"))
    end
    if before and json.encode(before.state) ~= json.encode(after.state) then
      self:add(("state of %s is %s"):format(name, shown(after.state)))
    end
  end
  self.actions = now
end


--- Looks what changed since the last look; waits for it for so many seconds.
---@param seconds number
function Watch:look(seconds)
  self:windows(seconds)
  self:properties(self.mark and 0 or seconds)
end


--- Returns what changed since the beginning. Waits a moment for the first change, and until no more follow.
---@return string[] seen
function Watch:finish()
  local began = time.monotonic()
  local ends, quiet = began + WAIT, false
  self:look(0)
  while not quiet do
    local count, left = #self.seen, ends - time.monotonic()
    self:states()
    if #self.seen == 0 and left <= 0 then break end
    self:look(#self.seen == 0 and math.min(TURN, left) or TURN)
    quiet = #self.seen > 0 and #self.seen == count or time.monotonic() > began + LONGEST
  end
  return self.seen
end


return M
