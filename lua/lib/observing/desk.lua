--- Watches the windows while somebody wants to know: one task for all. It sleeps until the window system tells of a change.

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
local SHARE = 4                  -- of the time at most one part goes into looking
local GAP, LONGEST_GAP = 0.03, 0.25   -- seconds between two looks
local AGAIN, LATEST = 1, 30      -- seconds between attempts while there is no display
local ENDING = { 0, 0.05, 0.1, 0.2, 0.4, 0.8, 3, 6, 15 }   -- seconds between looks at a process that has no windows any more

---@class observing.Desk
---@field watch? sys.task.Apart
---@field generation? integer  of the code that watches
---@field mark? string
---@field list? sys.window.Window[]
---@field holders? integer      of notices

---@return observing.Desk
local function desk()
  local mine = state.open "observing"
  mine.desk = mine.desk or {}
  return mine.desk
end


--- What observations are about when they are about windows.
local WINDOWS = { windows = true, applications = true }

local function wanted()
  if (desk().holders or 0) > 0 then return true end
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


--- Ends the observations of the windows of an application that has exited.
local function finish_ended(gone)
  for _, each in ipairs(observations.running()) do
    if WINDOWS[each.what] and each.pid and (gone and each.pid == gone.pid and each.started == gone.started
        or not gone and is_over(each)) then
      observations.finish(each, "the application exited")
    end
  end
end


--- An application that shows no windows any more may be about to exit.
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
  observations.share(told)
  if (desk().holders or 0) > 0 then notices.note(told) end
end


--- Looks, and tells what is not as it was. One at a time: an older look must not come after a newer one.
local function look(mine)
  local held <close> = task.lock "a look at the windows"
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


--- Begins, where it has not begun. What there is when it returns is known. It goes on for as long as there are observations.
---@return true? ok
---@return string? err
---@return string? code
function M.begin()
  local held <close> = task.lock "observing windows"
  local mine, generation = desk(), engine.generation()
  if mine.watch and mine.watch:runs() then
    if mine.generation == generation then return look(mine) end
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


--- Until what it returns is closed, windows are watched for notices.
---@return table  to close
function M.hold()
  local mine = desk()
  mine.holders = (mine.holders or 0) + 1
  return setmetatable({}, { __close = function() mine.holders = mine.holders - 1 end })
end


--- Goes on with what is observed, if files were reloaded.
function M.renew()
  finish_ended()   -- it may have had no window
  if wanted() then M.begin() end
end


return M
