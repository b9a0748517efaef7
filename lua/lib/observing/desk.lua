--- Watches the windows while anyone observes them: one task for all. It sleeps until the window system reports a change.

local app          = require "sys.app"
local engine       = require "sys.engine"
local log          = require "sys.log"
local notices      = require "observing.notices"
local observations = require "observing.observations"
local state        = require "sys.state"
local task         = require "sys.task"
local time         = require "sys.time"
local window       = require "sys.window"
local windows      = require "observing.windows"

local M = {}

local STRETCH = 60               -- seconds of one wait
local SHARE = 4                  -- looks take at most one of so many parts of the time
local GAP, LONGEST_GAP = 0.03, 0.25   -- seconds between two looks
local AGAIN, LATEST = 1, 30      -- seconds between attempts while there is no display
local ENDING = { 0, 0.05, 0.1, 0.2, 0.4, 0.8, 3, 6, 15 }   -- seconds between looks at a process that no longer has windows

---@class observing.Desk
---@field watch? sys.task.Apart
---@field generation? integer  the generation of the code that watches
---@field mark? sys.window.Mark   the windows, as they were reported last
---@field known? observing.Applications
---@field holders? integer      the number of readers of notices

---@return observing.Desk
local function desk()
  local mine = state.open "observing"
  mine.desk = mine.desk or {}
  return mine.desk
end


--- The kinds of observations that are about windows.
local WINDOWS = { windows = true, applications = true }

local function wanted()
  if (desk().holders or 0) > 0 then return true end
  for _, each in ipairs(observations.running()) do
    if WINDOWS[each.what] then return true end
  end
  return false
end


-- --- events ---------------------------------------------------------------------------------

local function is_over(gone)
  local found, _, code = app.get { pid = gone.pid, started = gone.started }
  return not found and code == "app_not_found"
end


--- Ends the observations of the windows of an application that has exited.
local function finish_ended(gone)
  for _, each in ipairs(observations.running()) do
    if WINDOWS[each.what] and each.pid and (gone and each.pid == gone.pid and each.started == gone.started
        or not gone and is_over(each)) then
      observations.finish(each, "the application exited")
    end
  end
end


--- Follows an application that no longer shows windows: it may be about to exit.
local function follow_end(gone)
  task.apart("observing the end of an application", function()
    for _, seconds in ipairs(ENDING) do
      time.sleep(seconds)
      if is_over(gone) then
        M.tell { { event = "application_exited", pid = gone.pid, started = gone.started, app = gone.app } }
        finish_ended(gone)
        return
      end
    end
  end)
end


---@param events observing.Event[]
function M.tell(events)
  local told, now = {}, time.now()
  for _, event in ipairs(events) do
    event.at = now
    if event.event == "windows_gone" then follow_end(event) else told[#told + 1] = event end
  end
  if #told == 0 then return end
  if (desk().holders or 0) > 0 then notices.note(told) end   -- first: who is told of an event here has its notice, too
  observations.share(told)
end


--- Looks, and reports the differences. Only one look runs at a time, because an older look must not come after a newer one.
local function look(mine)
  local held <close> = task.lock "a look at the windows"
  local before = mine.mark
  local mark, err, code = window.changed(before, { wait = 0 })
  if not mark then return nil, err, code end
  mine.mark = mark
  if mark == before then return true end
  mine.known = before and mine.known or windows.applications()
  local events = windows.events(window.differences(before, mark), mine.known)
  if before then M.tell(events) end
  return true
end


-- --- the task -------------------------------------------------------------------------------

--- Waits until windows have changed, and reports the changes.
local function go_on(mine)
  local seconds = math.min(STRETCH, observations.tidy())
  local mark, err, code = window.changed(mine.mark, { wait = seconds })
  if not mark then return nil, err, code end
  if mark == mine.mark then return true end
  local began = time.monotonic()
  local ok
  ok, err, code = look(mine)
  if ok then time.sleep(math.max(GAP, math.min(LONGEST_GAP, (time.monotonic() - began) * SHARE))) end
  return ok, err, code
end


local function run()
  local mine, pause = desk(), AGAIN
  while wanted() do
    local ok, err = go_on(mine)
    if ok then
      pause = AGAIN
    else
      if pause == AGAIN then log.warn("windows cannot be observed now:", err) end
      time.sleep(pause)
      pause = math.min(LATEST, pause * 2)
    end
    observations.tidy()
  end
  mine.mark, mine.known, mine.watch = nil, nil, nil
end


--- Begins to watch, unless it already does. Windows that exist when it returns are known. It watches for as long as there are
--- observations.
---@return true? ok
---@return string? err
---@return string? code
function M.begin()
  local held <close> = task.lock "observing windows"
  local mine, generation = desk(), engine.generation()
  if mine.watch and mine.watch:runs() then
    if mine.generation == generation then return look(mine) end
    mine.watch:stop()   -- files were reloaded: the new code goes on where it was
  end
  if not mine.mark then
    local ok, err, code = look(mine)
    if not ok then return nil, err, code end
  end
  mine.generation = generation
  mine.watch = task.apart("observing windows", run)
  return true
end


--- Watches windows for notices until the returned value is closed.
---@return table  a value to close
function M.hold()
  local mine = desk()
  mine.holders = (mine.holders or 0) + 1
  return setmetatable({}, { __close = function() mine.holders = mine.holders - 1 end })
end


--- Goes on with the observations after files were reloaded.
function M.renew()
  finish_ended()   -- the application may have had no window
  if wanted() then M.begin() end
end


return M
