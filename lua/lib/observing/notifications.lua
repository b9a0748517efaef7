--- Watches the desktop's notifications while anyone observes them: the requests of programs to the notification service,
-- whether it exists or not. The session's D-Bus shows them to programs of the same user.

local dbus         = require "sys.dbus"
local engine       = require "sys.engine"
local log          = require "sys.log"
local observations = require "observing.observations"
local notices      = require "observing.notices"
local state        = require "sys.state"
local task         = require "sys.task"
local time         = require "sys.time"

local M = {}

local STRETCH = 60            -- seconds of one wait
local AGAIN, LATEST = 2, 60   -- seconds between attempts after the bus was lost
local MOST = 20               -- notices in NOTICED_FOR seconds; some programs show their progress by notifications
local NOTICED_FOR = 10


-- --- requests of programs ---------------------------------------------------------------------

--- "Desktop Notifications Specification", Notify(app_name, replaces_id, app_icon, summary, body, ...).
local function of_freedesktop(values) return { app = values[1], title = values[4], text = values[5] } end

--- GLib's, for the shell of GNOME: AddNotification(application_id, id, { title, body, ... }).
local function of_gtk(values)
  local about = type(values[3]) == "table" and values[3] or {}
  return { app = values[1], title = about.title, text = about.body }
end


local SERVICES = {
  { interface = "org.freedesktop.Notifications", member = "Notify", values = 5, read = of_freedesktop },
  { interface = "org.gtk.Notifications", member = "AddNotification", values = 3, read = of_gtk },
}


local function as_text(value) return type(value) == "string" and value or "" end


---@param read fun(values: any[]): table
---@param values any[]
---@return observing.Event
local function event_of(read, values)
  local told = read(values)
  return { event = "notification", at = time.now(),
    notification = { app = as_text(told.app), title = as_text(told.title), text = as_text(told.text) } }
end


-- --- the tasks --------------------------------------------------------------------------------

---@class observing.Bell
---@field watches? sys.task.Apart[]
---@field monitors? sys.dbus.Monitor[]  one for each of SERVICES
---@field generation? integer          the generation of the code that watches
---@field holders? integer             the number of readers of notices
---@field told? number[]               the times of notices in the last seconds

---@return observing.Bell
local function bell()
  local all = state.open "observing"
  all.bell = all.bell or {}
  return all.bell
end


local function wanted()
  if (bell().holders or 0) > 0 then return true end
  for _, each in ipairs(observations.running()) do
    if each.what == "notifications" then return true end
  end
  return false
end


--- True if a notification may become a notice. A program with very many notifications must not crowd out other notices.
local function may_note(mine, now)
  local recent = {}
  for _, at in ipairs(mine.told or {}) do
    if now - at < NOTICED_FOR then recent[#recent + 1] = at end
  end
  mine.told = recent
  if #recent >= MOST then return false end
  recent[#recent + 1] = now
  return true
end


local function tell(event)
  local mine = bell()
  observations.share { event }
  if (mine.holders or 0) > 0 and may_note(mine, time.monotonic()) then notices.note { event } end
end


local function open(service)
  return dbus.monitor("session", { interface = service.interface, member = service.member, values = service.values })
end


--- Waits for the next notification and reports it. Connects again if the bus was lost. Returns the next pause.
local function go_on(mine, i, pause)
  local service = SERVICES[i]
  local call, err, code
  if mine.monitors[i] then
    call, err, code = mine.monitors[i]:next(math.min(STRETCH, observations.tidy()))
  else
    mine.monitors[i], err, code = open(service)
    if mine.monitors[i] then return AGAIN end
  end
  if call then
    tell(event_of(service.read, call.values))
  elseif code == "too_large" then
    log.warn("a notification was not read:", err)
  elseif code ~= "timeout" then
    if mine.monitors[i] then mine.monitors[i]:close() end
    mine.monitors[i] = nil
    time.sleep(pause)
    return math.min(LATEST, pause * 2)
  end
  return AGAIN
end


local function run(i)
  local mine, pause = bell(), AGAIN
  while wanted() do
    pause = go_on(mine, i, pause)
    observations.tidy()
  end
  if mine.monitors[i] then mine.monitors[i]:close() end
  mine.monitors[i] = nil
end


local function stop(mine)
  for _, watch in ipairs(mine.watches or {}) do watch:stop() end
  mine.watches = nil
end


local function runs(mine)
  for _, watch in ipairs(mine.watches or {}) do
    if not watch:runs() then return false end
  end
  return mine.watches ~= nil
end


--- The error if notifications cannot be watched, in words for this system.
local function refused(err, code)
  if code == "module_missing" then
    return nil, "This system tells no program of notifications. Watch windows, or look at a screenshot.", "not_supported"
  end
  return nil, ("Notifications cannot be watched: %s"):format(err), "not_supported"
end


--- Begins to watch, unless it already does. Notifications from now on are reported.
---@return true? ok
---@return string? err
---@return string? code
function M.begin()
  local held <close> = task.lock "observing notifications"
  if engine.desktop() == "fake" then return nil, "The desktop in memory has no notifications.", "not_supported" end
  local mine, generation = bell(), engine.generation()
  if runs(mine) and mine.generation == generation then return true end
  stop(mine)   -- after a reload the new code goes on with the same monitors: nothing is lost
  mine.monitors = mine.monitors or {}
  for i, service in ipairs(SERVICES) do
    if not mine.monitors[i] then
      local err, code
      mine.monitors[i], err, code = open(service)
      if not mine.monitors[i] then return refused(err, code) end
    end
  end
  mine.generation, mine.watches = generation, {}
  for i in ipairs(SERVICES) do
    mine.watches[i] = task.apart("observing notifications", function() return run(i) end)
  end
  return true
end


--- Watches notifications for notices until the returned value is closed.
---@return table  a value to close
function M.hold()
  local mine = bell()
  mine.holders = (mine.holders or 0) + 1
  return setmetatable({}, { __close = function() mine.holders = mine.holders - 1 end })
end


--- Goes on with the observations after files were reloaded.
function M.renew()
  if wanted() then M.begin() end
end


return M
