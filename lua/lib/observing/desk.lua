--- Watches the windows while somebody wants to know: one task for all. It sleeps until the window system tells of a change.

local app          = require "sys.app"
local engine       = require "sys.engine"
local log          = require "sys.log"
local observations = require "observing.observations"
local state        = require "sys.state"
local task         = require "sys.task"
local time         = require "sys.time"
local window       = require "sys.window"
local windows      = require "observing.windows"

local M = {}

local STRETCH = 60               -- seconds of one wait
local SHARE = 4                  -- of the time at most one part goes into looking
local GAP, LONGEST_GAP = 0.01, 0.25
local AGAIN, LATEST = 1, 30      -- seconds between attempts while there is no display
local ENDING = { 0, 0.05, 0.25, 1, 3 }   -- seconds in which a process without windows is looked at

---@class observing.Desk
---@field watch? sys.task.Apart
---@field generation? integer  of the code that watches
---@field mark? string
---@field list? sys.window.Window[]

---@return observing.Desk
local function desk()
  local mine = state.open "observing"
  mine.desk = mine.desk or {}
  return mine.desk
end


--- What observations are about when they are about windows.
local WINDOWS = { windows = true, applications = true }

local function wanted()
  for _, each in ipairs(observations.running()) do
    if WINDOWS[each.what] then return true end
  end
  return false
end


-- --- what happened --------------------------------------------------------------------------

local function is_over(gone)
  local found, _, code = app.get { pid = gone.pid, started = gone.started }
  return not found and code == "app_not_found"
end


--- An application that shows no windows any more may be about to exit.
local function follow_end(gone)
  task.apart("observing the end of an application", function()
    for _, seconds in ipairs(ENDING) do
      time.sleep(seconds)
      if is_over(gone) then
        M.tell { { event = "application_exited", pid = gone.pid, started = gone.started, app = gone.app } }
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
  if #told > 0 then observations.share(told) end
end


--- Looks, and tells what is not as it was.
local function look(mine)
  local list, err, code = window.list { all_kinds = true }
  if not list then return nil, err, code end
  local before = mine.list
  mine.list = list
  if before then M.tell(windows.events(before, list)) end
  return true
end


-- --- the task -------------------------------------------------------------------------------

--- Until something has changed, and been told.
local function go_on(mine)
  local seconds = math.min(STRETCH, observations.tidy())
  local mark, err, code = window.changed(mine.mark, { wait = seconds })
  if not mark then return nil, err, code end
  if mark == mine.mark then return true end
  local began = time.monotonic()
  mine.mark = mark
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
      mine.mark = nil
    end
    observations.tidy()
  end
  mine.mark, mine.list, mine.watch = nil, nil, nil
end


--- Begins, where it has not begun. It goes on for as long as there are observations.
---@return true? ok
---@return string? err
---@return string? code
function M.begin()
  local held <close> = task.lock "observing windows"
  local mine, generation = desk(), engine.generation()
  if mine.watch and mine.watch:runs() then
    if mine.generation == generation then return true end
    mine.watch:stop()   -- files were reloaded: the new ones take over where it was
  end
  if not mine.mark then
    local mark, err, code = window.changed()
    if not mark then return nil, err, code end
    local ok
    mine.mark, mine.list = mark, nil
    ok, err, code = look(mine)
    if not ok then return nil, err, code end
  end
  mine.generation = generation
  mine.watch = task.apart("observing windows", run)
  return true
end


--- Goes on with what is observed, if files were reloaded.
function M.renew()
  if wanted() then M.begin() end
end


return M
