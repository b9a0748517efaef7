--- The signs of an effect of a call over D-Bus: properties that the program announces, its windows, the states of actions.
--
-- An answer without an error proves nothing: a program answers the call of a disabled action, too.

local actions = require "dictionary.actions"
local json    = require "sys.json"
local quoting = require "desktop.quoting"
local task    = require "sys.task"
local time    = require "sys.time"
local window  = require "sys.window"

local M = {}

local WAIT = 0.5     -- seconds for the first sign of an effect
local LONGEST = 1.5  -- seconds for all signs
local QUIET = 0.1    -- seconds without another sign, after which none is waited for
local ASK = 2        -- seconds for the states of actions, or for a look at windows
local STRETCH = 30   -- seconds of one wait for windows
local MOST = 20      -- changes that are told
local TITLE = 120    -- characters of a title
local VALUE = 120    -- characters of a value

---@class dictionary.Watch
---@field bus? dbus.Connection
---@field match? sys.dbus.Match  the program's signals; nil: none is heard (any more)
---@field mark? sys.window.Mark  nil: the windows cannot be read (any more)
---@field to? string
---@field pid? integer           of the program, whose windows count
---@field group? string          the path of the group of actions
---@field seen string[]          the changes so far
---@field opened? boolean        a window of the program opened
local Watch = {}
Watch.__index = Watch


local function shown(value) return quoting.cut(quoting.plain(json.encode(value) or tostring(value)), VALUE) end


--- The states of all actions of a group; nil: the program has not told them.
local function group_of(bus, to, path)
  local question = actions.question(to, path)
  question.timeout = ASK
  local values = bus:call(question)
  if not values then return nil end
  local group = {}
  for name, told in pairs(values[1] or {}) do group[name] = actions.read(name, told) end
  return group
end


--- Begins to watch. Without a display only the bus is watched.
---@param bus dbus.Connection
---@param call table    the `call` of the common model
---@param pid? integer  of the program
---@param group? string  the path of a group of actions, whose states are compared
---@return dictionary.Watch
function M.begin(bus, call, pid, group)
  local sender = call.unique or call.to
  bus:hear { sender = sender, interface = "org.freedesktop.DBus.Properties", member = "PropertiesChanged" }
  if group then bus:hear { sender = sender, path = group, interface = "org.gtk.Actions", member = "Changed" } end
  return setmetatable({ bus = bus, match = { sender = sender }, to = call.to, pid = pid, group = group, seen = {},
    actions = group and group_of(bus, call.to, group) or {},
    mark = pid and window.changed(nil, { timeout = ASK }) }, Watch)
end


--- Begins to watch windows, of a program that is known only later.
---@return dictionary.Watch
function M.of_windows() return setmetatable({ seen = {}, mark = window.changed(nil, { timeout = ASK }) }, Watch) end


function Watch:add(text)
  if #self.seen < MOST then self.seen[#self.seen + 1] = text end
end


--- Takes an announcement of properties.
function Watch:take(values)
  local names = {}
  for name in pairs(values[2] or {}) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do self:add(("property %s is %s"):format(name, shown(values[2][name]))) end
  for _, name in ipairs(values[3] or {}) do self:add(("property %s changed"):format(name)) end
end


--- Compares the states of actions with those at the beginning.
function Watch:states()
  local now, names = self.group and group_of(self.bus, self.to, self.group), {}
  if not now then return end
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


--- Takes the signals that have come; waits for the first one.
function Watch:signals(seconds)
  local first, act = true, false
  while self.match do
    local signal, _, code = self.bus:signal(self.match, first and seconds or 0)
    first = false
    if not signal and code ~= "too_large" then
      if code ~= "timeout" then self.match = nil end
      break
    end
    act = act or signal ~= nil and signal.member == "Changed"
    if signal and signal.member == "PropertiesChanged" then self:take(signal.values) end
  end
  if act then self:states() end
end


local WORDS = { opened = "opened", closed = "closed", moved = "moved", changed = "changed its state", focused = "has the focus" }

local function of_window(change)
  local title = quoting.quote(change.window.title, TITLE)
  if change.what == "titled" then return ("window %s is titled %s"):format(quoting.quote(change.was, TITLE), title) end
  return ("window %s %s"):format(title, WORDS[change.what])
end


--- Takes the changes of the program's own windows; waits for the first change of any window.
function Watch:windows(seconds)
  local before = self.mark
  if not before then return end
  local now, _, code = window.changed(before, { wait = seconds, timeout = seconds + ASK })
  for _, change in ipairs(now and window.differences(self.mark, now) or {}) do
    if change.window and change.window.pid == self.pid then
      self:add(of_window(change))
      self.opened = self.opened or change.what == "opened"
    end
  end
  self.mark = now or code == "timeout" and before or nil
end


--- Waits until a window of the program opens; nil: windows cannot be read.
---@return boolean? opened
function Watch:await_window()
  while self.mark and not self.opened do self:windows(STRETCH) end
  return self.opened
end


--- Takes what changed since the last look.
function Watch:look()
  self:windows(0)
  self:signals(0)
end


--- Waits for the next change of a window, or for the next signal.
function Watch:await(seconds)
  local news = task.channel(2)
  local function listen(wait, is_there)
    return is_there and task.spawn(function()
      wait(self, seconds)
      news:send(true)
    end) or nil
  end
  local _ <close> = listen(self.windows, self.mark)
  local _ <close> = listen(self.signals, self.match)
  news:receive(seconds)
end


--- Waits until one more change of the program is seen.
---@return boolean seen
function Watch:await_more(seconds)
  local count, now = #self.seen, time.monotonic()
  local ends = now + seconds
  while #self.seen == count and now < ends do
    self:await(ends - now)
    now = time.monotonic()
  end
  return #self.seen > count
end


--- Waits for the first change, and until no more follow.
function Watch:await_all()
  local ends = time.monotonic() + LONGEST
  local more = #self.seen > 0 or self:await_more(WAIT)
  while more and time.monotonic() < ends do more = self:await_more(QUIET) end
end


--- Returns what changed since the beginning. Waits a moment for the first change, and until no more follow. The program tells the
--- states of its actions after it has done what was asked before: the wait begins with the answer, and what came with a later
--- answer is seen.
---@return string[] seen
function Watch:finish()
  self:states()
  self:look()
  self:await_all()
  self:states()
  self:look()
  return self.seen
end


return M
