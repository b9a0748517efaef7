--- Waits for a state of the desktop: by events where it reports them, otherwise by looking.

local conditions     = require "desktop.conditions"
local listable       = require "desktop.listable"
local modal          = require "elements.read.modal"
local names          = require "desktop.names"
local outline        = require "elements.read.outline"
local predicate_wait = require "elements.check.predicate_wait"
local predicates     = require "elements.check.predicates"
local screen         = require "sys.screen"
local task           = require "sys.task"
local time           = require "sys.time"
local window         = require "sys.window"
local windows        = require "desktop.windows"

local M = {}

local STRETCH  = 30     -- seconds of one wait, after which it looks again all the same
local INTERVAL = 0.1    -- seconds between two looks at pixels, while they may change
local LONGEST  = 1024   -- pixels of the longer side of such a look
local BEFORE   = 1      -- seconds of a look at elements before an action


---@class desktop.Waited
---@field met boolean
---@field seconds number  the seconds that it took
---@field text string     met: the evidence, a whole sentence; otherwise the state instead, without the beginning of a sentence
---@field window? table   facts of the window that was seen
---@field element? string ref of the element that was seen


-- --- windows -----------------------------------------------------------------------------

---@class desktop.Watch
---@field args table
---@field condition desktop.Condition
---@field before? table<integer, sys.window.Window>  windows before the action; only windows that come after it count
---@field armed boolean   true: the condition counts if met; it was not met before the action, or was unmet since
---@field mark? string
---@field list sys.window.Window[]  the newest list
---@field since? number   the time since which the condition has been met
---@field found? any

---@param args table
---@return desktop.Watch
local function watch_of(args)
  return { args = args, condition = conditions.ALL[args.condition], armed = true, list = {} }
end


--- Looks once. True: the condition is met, and has been for as long as it must.
local function look(watch)
  local list, err, code = conditions.windows()
  if not list then return nil, err, code end
  watch.list = list
  local found, now = watch.condition.look(list, watch.args, watch.before), time.monotonic()
  watch.armed = watch.armed or not found
  watch.since = found and watch.armed and (watch.since or now) or nil
  watch.found = watch.since and found
  return watch.since ~= nil and now - watch.since >= watch.condition.calm
end


--- Waits until the condition is met, for at most so many seconds; without a number, until the task ends.
---@return boolean? met
---@return string? err
---@return string? code
local function go_on(watch, seconds)
  local began = time.monotonic()
  while true do
    if not watch.mark then
      local mark, err, code = window.changed()
      if not mark then return nil, err, code end
      watch.mark = mark
    end
    local met, err, code = look(watch)
    local now = time.monotonic()
    local left = seconds and seconds - (now - began) or STRETCH
    if met == nil then return nil, err, code end
    if met or left <= 0 then return met end
    if watch.since then left = math.min(left, watch.since + watch.condition.calm - now) end
    watch.mark, err, code = window.changed(watch.mark, { wait = math.max(math.min(left, STRETCH), 0) })
    if not watch.mark then return nil, err, code end
  end
end


local function result_of(watch, met, seconds)
  if not met then return { met = false, seconds = seconds, text = conditions.missed(watch.args, watch.list, watch.before) } end
  return {
    met = true, seconds = seconds, text = conditions.seen(watch.args, watch.found) .. ".",
    window = type(watch.found) == "table" and listable.window(watch.found) and windows.facts(watch.found) or nil,
  }
end


--- Waits for windows, including popups and panels. The state must last for a while, because a window is absent for a moment
--- while a window manager puts its frame around it.
local function for_windows(args, seconds)
  local watch, began = watch_of(args), time.monotonic()
  local met, err, code = go_on(watch, seconds)
  if met == nil then return nil, err, code end
  return result_of(watch, met, time.monotonic() - began)
end


-- --- stillness ---------------------------------------------------------------------------

--- Waits until something is drawn there, for at most so many seconds. If the desktop does not report drawing, until it is time
--- for a look.
---@return boolean? told  false: the desktop does not report drawing; nil: it failed
---@return string? err
---@return string? code
local function until_drawn(what, seconds, calm)
  local wait = math.max(math.min(seconds, STRETCH), 0)
  local drawn, err, code = screen.drawn { window = what.window, region = what.region, wait = wait }
  if drawn == nil and code ~= "not_supported" then return nil, err, code end
  if drawn ~= false then time.sleep(math.min(INTERVAL, calm)) end
  return drawn ~= nil
end


--- Waits until an image stays the same for a while. It looks only when something was drawn, and at the end.
---@param what sys.screen.Capture  a window, a region or a display
---@param calm number     seconds without a change
---@param seconds number  seconds to wait, at most
---@return {met: boolean, seconds: number, calm: number, told: boolean}? waited  calm: seconds without a change at the end;
---  told: drawing is reported here
---@return string? err
---@return string? code
local function until_still(what, calm, seconds)
  local began, since, changed, told = time.monotonic(), nil, time.monotonic(), true
  what.marks, what.bytes, what.longest = true, false, LONGEST
  while true do
    what.since = since
    local picture, err, code = screen.capture(what)
    if not picture then return nil, err, code end
    local now = time.monotonic()
    if not since or not picture.changes or #picture.changes > 0 then changed = now end
    since = picture.marks
    local met = now - changed >= calm
    if met or now - began >= seconds then return { met = met, seconds = now - began, calm = now - changed, told = told } end
    told, err, code = until_drawn(what, math.min(changed + calm - now, seconds - (now - began)), calm)
    if told == nil then return nil, err, code end
  end
end


local function for_stillness(args, seconds)
  local what, name = { region = args.region }, args.region and "that region" or "the main display"
  if args.window then
    local shown, err, code = names.look_at_window(args.window)
    if not shown then return nil, err, code end
    what.window, name = shown, "window " .. windows.quote(shown.title)
  end
  local waited, err, code = until_still(what, args.seconds or 0.5, seconds)
  if not waited then return nil, err, code end
  local text = waited.met and "The content of %s has not changed for %.1f s."
    or "the content of %s still changes; it was the same for the last %.1f s only."
  if not waited.told then text = text .. " (This desktop does not report drawing, so its pixels were compared now and then.)" end
  return { met = waited.met, seconds = waited.seconds, text = text:format(name, waited.calm) }
end


-- --- elements --------------------------------------------------------------------------

---@return elements.Predicate? predicate
---@return string? err
---@return string? code
local function predicate_of(args)
  return predicates.read(conditions.ELEMENTS[args.condition].predicate(args), args.application, args.source)
end


--- The answer's evidence, for a wait that failed: the elements that are there instead.
local function instead(answer)
  local lines = { answer.evidence .. "." }
  if answer.short and answer.near[2] then
    lines[1] = answer.short .. ". The nearest are:"
    for i, node in ipairs(answer.near) do lines[i + 1] = "  " .. outline.placed(node) end
  end
  return (answer.result == "unknown" and "it is not known: " or "") .. table.concat(lines, "\n")
end


--- Adds the dialog that is in front of what was waited for.
local function with_dialog(text, waited)
  local remark = modal.remark(waited.view.pids)
  return remark and ("%s%s%s"):format(text, text:find "\n" and "\n" or " ", remark) or text
end


local function for_elements(args, seconds)
  local predicate, err, code = predicate_of(args)
  if not predicate then return nil, err, code end
  local waited = predicate_wait.await({ predicate }, seconds)
  local answer = waited.answers[1]
  if waited.code then return nil, answer.evidence, waited.code end
  if not waited.met then return { met = false, seconds = waited.seconds, text = with_dialog(instead(answer), waited) } end
  return { met = true, seconds = waited.seconds, text = conditions.ELEMENTS[args.condition].seen .. answer.evidence .. ".",
    element = answer.node and answer.node.ref }
end


--- True if the condition is met before an action; nil: that is not known.
local function is_so(args)
  local predicate = predicate_of(args)
  local answers = predicate and predicate_wait.ask({ predicate }, BEFORE)
  return answers and answers[1].result == "satisfied"
end


-- --- waiting, alone and beside an action ---------------------------------------------------

--- Waits until the condition is met, for at most so many seconds.
---@param args table  parameters of conditions.lua, which it has checked
---@return desktop.Waited? waited
---@return string? err
---@return string? code
function M.await(args, seconds)
  if args.condition == "still" then return for_stillness(args, seconds) end
  if conditions.ELEMENTS[args.condition] then return for_elements(args, seconds) end
  return for_windows(args, seconds)
end


--- The error that ends the watching when the action is over.
local OVER = {}


--- Runs act() while it watches the windows, so that it sees windows that come and go meanwhile.
---@return table? results  the results of act(), with their number as `n`
---@return boolean met     true: the condition was met before act() returned
local function act_and_watch(watch, act)
  local results, met
  local ok, err = pcall(task.map, {
    function() met = go_on(watch) end,
    function()
      results = table.pack(act())
      error(OVER)
    end,
  }, function(run) run() end, 2)
  if not ok and err ~= OVER then error(err, 0) end
  return results, met or false
end


--- The windows before the action. Without `before` they cannot be read, so the windows after the action count.
---@return desktop.Watch
local function watch_before(args)
  local watch = watch_of(args)
  local mark = window.changed()
  local list, before = conditions.windows()
  if not (mark and list) then return watch end
  watch.mark, watch.list = mark, list
  if watch.condition.comes then
    watch.before = before
  else
    watch.armed = not watch.condition.look(list, args)
  end
  return watch
end


--- Waits for stillness after an action. The action may open the window, so that is waited for first.
local function await_still(args, seconds)
  if not args.window then return for_stillness(args, seconds) end
  local there, err, code = for_windows({ condition = "window", window = args.window }, seconds)
  if not there or not there.met then return there, err, code end
  local waited
  waited, err, code = for_stillness({ window = there.window.name, seconds = args.seconds }, seconds - there.seconds)
  if waited then waited.seconds = waited.seconds + there.seconds end
  return waited, err, code
end


local function await_elements(args, so_before, seconds)
  local waited, err, code = for_elements(args, seconds)
  if not waited then return nil, err, code end
  if waited.met and so_before then waited.text = waited.text .. " It was so before the action." end
  waited.so_before = waited.met and so_before or nil
  return waited
end


local function await_windows(watch, seen, seconds)
  local began = time.monotonic()
  local so_before = not watch.armed
  local first = seen and result_of(watch, true, 0)
  watch.armed = true
  local met, err, code = go_on(watch, first and 0 or seconds)
  if met == nil and not first then return nil, err, code end
  local waited = first or result_of(watch, met, time.monotonic() - began)
  if first and met ~= nil and not watch.found then waited.text = waited.text .. " That was so for a moment, and is over." end
  if waited.met and so_before then waited.text = waited.text .. " It was so before the action." end
  waited.so_before = waited.met and so_before or nil
  return waited
end


--- Acts, and then waits until the effect is seen. It watches from before the action on. A window or popup counts if it came, or
--- came to the front. Another condition counts if it was not met before the action, and otherwise if it is met afterwards.
---@param args table      as for await()
---@param act fun(): ...  returns a tool's result
---@param acted fun(...): boolean  false: the action failed, so there is no waiting
---@return table results  the results of act(), with their number as `n`
---@return desktop.Waited? waited
---@return string? err
---@return string? code
function M.around(args, act, acted)
  local results, seen, watch
  local so_before = conditions.ELEMENTS[args.condition] and is_so(args)
  if args.condition == "still" or conditions.ELEMENTS[args.condition] then
    results = table.pack(act())
  else
    watch = watch_before(args)
    results, seen = act_and_watch(watch, act)
  end
  if not acted(table.unpack(results, 1, results.n)) then return results end
  local seconds = math.max(math.min(args.timeout or conditions.TIMEOUT, task.remaining() - 1), 0)
  if watch then return results, await_windows(watch, seen, seconds) end
  if args.condition ~= "still" then return results, await_elements(args, so_before, seconds) end
  return results, await_still(args, seconds)
end


return M
