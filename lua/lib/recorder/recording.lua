--- A recording as its user meets it: what is left out, the sign that it runs, and the ways to end it.

local console = require "sys.console"
local process = require "sys.process"
local session = require "recorder.session"
local sign    = require "recorder.sign"
local task    = require "sys.task"

local M = {}

local PARENTS = 64   -- processes above this one that are looked at

local running = 0


--- The processes that this one was started from: the window of the terminal or the client is not recorded.
local function ancestors()
  local own, list = {}, process.run { "ps", "-e", "-o", "pid=,ppid=", timeout = 10 }
  local parents = {}
  for pid, parent in (list and list.stdout or ""):gmatch "(%d+)%s+(%d+)" do parents[tonumber(pid)] = tonumber(parent) end
  local at = console.engine().pid
  for _ = 1, PARENTS do
    own[at] = true
    at = parents[at]
    if not at or at <= 1 then break end
  end
  return own
end


--- Begins a recording.
---@param name string  of the macro
---@param options {title?: string, description?: string, tags?: string[], list?: boolean, pictures?: boolean}
---@return recorder.Session? session
---@return string? err
---@return string? code
function M.begin(name, options)
  local all = { own = ancestors(), pictures = options.pictures ~= false }
  for _, key in ipairs { "title", "description", "tags", "list" } do all[key] = options[key] end
  return session.begin(name, all)
end


--- Ends the recordings of this engine. Returns false if there are none.
---@return boolean
function M.stop()
  if running == 0 then return false end
  task.signal(session.STOP)
  return true
end


--- Ends the recording when the user presses the button of its sign.
local function await_button(shown)
  return task.spawn(function()
    for event in function() return shown:next() end do
      if event.button == sign.STOP then M.stop() end
    end
  end)
end


local COUNTED = { __close = function() running = running - 1 end }

--- Records until Ctrl+Alt+Esc, stop(), or the end of the desktop. It says that it records once a click finds what is under the
--- pointer known. A recording that is cut off has all steps that were saved.
---@param recording recorder.Session
---@param name string
---@param began? fun(seen: boolean): string?  called before it runs; false: the desktop shows no sign of it. It returns why the
---                       user would not know of it then
---@return string code  "stopped", "asked", or that of a failure
---@return string? err
function M.run(recording, name, began)
  running = running + 1
  local _ <close> = setmetatable({}, COUNTED)
  recording:start()
  local shown <close> = sign.show(name)
  local answers = shown and await_button(shown)
  recording:leave_out(shown and shown.pid)
  local unknown = began and began(shown ~= nil)
  if unknown then
    recording:close()
    recording.book:close()
    return "not_supported", unknown
  end
  local code, err = recording:run()
  if answers then answers:cancel() end
  return code, err
end


--- Returns what is to be said about steps, by their numbers.
---@param recording recorder.Session
---@return string[]
function M.notes(recording)
  local list = {}
  for i, step in ipairs(recording.tape.steps) do
    if step.told then list[#list + 1] = ("step %d: %s"):format(i, step.told) end
  end
  return list
end


return M
