--- For scripts: functions that are called on events of the desktop.
--
--   local observe = require "observe"
--
--   local dialogs <close> = observe { what = "windows", application = "Editor" }
--   dialogs:on("window_opened", function(event) print("opened", event.title) end)
--   dialogs:run(60)
--
-- The options are the parameters of create_observation. Handlers are called inside run(), one after the other, so they may call
-- tools and wait: later events are kept meanwhile. An observation that a script of run_lua leaves ends with the script.

local perigee = require "perigee"
local time    = require "sys.time"

local STRETCH = 50   -- seconds that one call waits

---@class observe.Observation
---@field name string   "observations/3"
---@field missed integer  the number of events that were lost because too many came
local observation = {}
observation.__index = observation


--- Returns the answer of a tool, or raises its error.
local function ask(name, arguments)
  local result, err = perigee.call(name, arguments)
  if not result then error(err, 0) end
  return result
end


--- Calls fn(event, observation) for each event of this name, "*" for every one. `event` is that of get_observation.
---@param event string
---@param fn fun(event: table, observation: observe.Observation)
---@return observe.Observation self
function observation:on(event, fn)
  local list = self.handlers[event] or {}
  self.handlers[event] = list
  list[#list + 1] = fn
  return self
end


local function dispatch(self, event)
  for _, name in ipairs { event.event, "*" } do
    for _, fn in ipairs(self.handlers[name] or {}) do fn(event, self) end
  end
end


--- Calls handlers until the time is over, stop() is called or the observation ends.
---@param seconds? number  default: no limit
---@return integer count  the number of events
---@return string? why     why the observation ended, if it did
function observation:run(seconds)
  local ends, count = time.monotonic() + (seconds or math.huge), 0
  self.stopped = false
  while not self.stopped do
    local left = math.max(0, ends - time.monotonic())
    local page = ask("get_observation", { name = self.name, after = self.after, wait = math.min(left, STRETCH), limit = 1 })
    self.missed = self.missed + page.missed
    for _, event in ipairs(page.events) do
      self.after, count = event.number, count + 1
      dispatch(self, event)
    end
    if #page.events == 0 and (page.ended or left == 0) then return count, page.ended end
  end
  return count
end


--- Ends run(), from inside a handler. Another run() continues after the event.
function observation:stop() self.stopped = true end


--- Ends the observation.
function observation:cancel() perigee.call("cancel_observation", { name = self.name }) end


observation.__close = observation.cancel


---@param options table  the parameters of create_observation
---@return observe.Observation
return function(options)
  local arguments = { script = true }
  for key, value in pairs(options) do arguments[key] = value end
  local about = ask("create_observation", arguments)
  return setmetatable({ name = about.name, handlers = {}, after = 0, missed = 0, stopped = false }, observation)
end
