--- Runs a service's example: start() with stand-ins, then the events in order, then checks of the outcome.

local difference = require "cli.difference"
local files      = require "sys.files"
local handles    = require "testing.standin_handles"
local standin    = require "testing.standin"
local task       = require "sys.task"
local time       = require "sys.time"

local M = {}

local SECONDS = 10   -- time limit of an example
local SETTLE = 1     -- seconds to wait for what has not happened yet
local STEP = 0.002   -- seconds between two looks
local QUIET = 5      -- looks in a row that all have to be as expected, so that further calls are noticed


---@class testing.ServiceRun
---@field example table
---@field stand table       testing.standin
---@field lines string[]    the lines of its log
---@field context services.Context
---@field failed? string    the error of start(), or of a function that it passed on


--- Looks until fn returns a value; nil if it does not.
local function soon(fn)
  local ends = time.monotonic() + SETTLE
  while true do
    local found = fn()
    if found or time.monotonic() >= ends then return found end
    time.sleep(STEP)
  end
end


local function try(run, what, fn, ...)
  local ok, err = pcall(fn, ...)
  if not ok then run.failed = run.failed or what .. tostring(err) end
end


--- Returns the handle that gets the event, or true if it needs none; nil if nothing listens for it.
local function listener(run, event)
  return event.taken or run.failed and true or handles.find(run.stand.handles, event)
end


--- Runs an event. Returns what is wrong with it, if something is.
local function happen(run, number, event)
  local handle = soon(function() return listener(run, event) end)
  if handle == true then return nil end
  if not handle then
    local calls = {}
    for i, each in ipairs(run.stand.handles) do calls[i] = each.call end
    return ("event %d is for %s, which nothing listens to; the calls that do are: %s"):format(number, event[1],
      #calls > 0 and table.concat(calls, "; ") or "none")
  end
  try(run, ("event %d, %s: "):format(number, event[1]), handles.fire, handle, event)
end


local function log_differs(lines, wanted)
  for i = 1, math.max(#lines, #wanted) do
    if lines[i] ~= wanted[i] then
      return ("line %d of its log is %s, expected %s"):format(i, difference.shown(lines[i]), difference.shown(wanted[i]))
    end
  end
end


--- Returns how the outcome differs from the example; nil if it does not.
local function wrong(run)
  local example = run.example
  if example.err then
    if not run.failed then return ("it does not fail, expected %s"):format(difference.shown(example.err)) end
    return not run.failed:find(example.err, 1, true)
      and ("the error is %s, expected %s"):format(difference.shown(run.failed), difference.shown(example.err)) or nil
  end
  if run.failed then return "it fails: " .. run.failed end
  return example.log and log_differs(run.lines, example.log)
    or example.kept and difference.of(run.context.state, example.kept, "its state")
    or example.did and difference.of_calls(run.stand.calls, example.did) or nil
end


local function perform(run, code)
  local started <close> = task.spawn(function() try(run, "", code.start, run.context) end)   -- luacheck: ignore 211
  for number, event in ipairs(run.example.events or {}) do
    local problem = happen(run, number, event)
    if problem then return problem end
  end
  local differs, quiet = nil, 0
  soon(function()
    differs = run.stand.missing or wrong(run)
    quiet = differs and 0 or quiet + 1
    return quiet > QUIET or run.stand.missing or run.failed and not run.example.err or nil
  end)
  if differs then return differs end
  if code.stop then code.stop(run.context) end
  return nil
end


--- Returns what is wrong with the form of the events.
local function odd(events)
  for number, event in ipairs(events or {}) do
    if type(event) ~= "table" or type(event[1]) ~= "string" then
      return ("event %d must be a table that begins with a call, such as { \"hotkey.bind ctrl+z\" }"):format(number)
    end
  end
end


--- Runs an example. Returns what is wrong; nil if it passed.
---@param name string     the name of the file
---@param example table
---@param root string
---@return string?
function M.run(name, example, _, root)
  local events = {}
  local problem = odd(example.events)
  if problem then return problem end
  for i, event in ipairs(example.events or {}) do events[i] = table.move(event, 1, #event, 1, {}) end
  local stand = standin.new(example, root, events)
  local misnamed = stand:misnamed()
  if misnamed then return ("given names %s, which does not exist"):format(misnamed) end
  local file, err = files.load("service", name, function(module) return stand:lookup(module) end)
  if not file then return err end
  local run = { example = setmetatable({ events = events }, { __index = example }), stand = stand, lines = {} }
  run.context = { name = name, state = example.state or {}, log = function(value)
    run.lines[#run.lines + 1] = tostring(value)
  end }
  local found, late, code = task.with_timeout(SECONDS, function() return perform(run, file:table()) end)
  if code == "timeout" then return late end
  return found
end


return M
