--- One job of a process of Python: from its start to its last frames.

local interpreters = require "python.interpreter"
local log          = require "sys.log"
local python       = require "sys.python"
local task         = require "sys.task"

local M = {}

-- Seconds after which code is killed that does not end itself in time: a busy machine may let it wait for a good part of this.
M.HARD = 1
local MOST = 86400   -- seconds of a time limit

---@class python.Job
---@field job string       JSON: the code, its arguments and its limits, as lua/scripts/python reads them
---@field seconds number   time of the code, which stands still while a call of its waits for a person
---@field heavy? boolean   by processes that have large packages in memory
---@field session? sys.python.Process  that stays; nil: one of its own
---@field on_frames fun(frames: string): string?  gets frames as they come, and returns frames that answer them; it may wait

local found   ---@type python.Interpreter?

--- The interpreter, which is looked for once.
local function interpreter()
  if found then return found end
  local err, code
  found, err, code = interpreters.find()
  if found and found.note then log.warn(found.note) end
  return found, err, code
end


--- Hears the process until its code has come to its end.
---@param process sys.python.Process
---@param lived boolean  it had variables when the run was asked for: it is not started without them
---@param on_frames fun(frames: string): string?
---@return boolean ended
---@return string? err
---@return string? code
local function hear(process, lived, on_frames)
  if lived and not process:alive() then return false, "the session's process ended before this code began", "guest_lost" end
  local started, err, code = process:start()
  while started do
    local bytes
    bytes, err, code = process:next()
    if not bytes then break end
    local reply = on_frames(bytes)
    if reply then process:send(reply) end
  end
  return err == nil, err, code
end


--- Runs code, which the policy sees. If the running call is cancelled, the code is killed, with its tool calls.
---@param code string
---@param job python.Job
---@return string? frames   those that came last. nil: nothing ran, and the message and the code follow
---@return integer|string left_out  frames for which there was no room
---@return string? err      why the process ended before the code did
---@return string? why      "timeout", "guest_crashed", "guest_forbidden", "guest_killed", "guest_lost", "no_jail", ...
function M.run(code, job)
  local python3, problem, kind = interpreter()
  if not python3 then return nil, problem --[[@as string]], kind end
  local lived = job.session ~= nil and job.session:alive()
  local process = job.session or python.process()
  local begun, refused, why = python.run(code, { job = job.job, heavy = job.heavy, program = python3.program,
    readable = table.concat(python3.readable, "\n") }, process)
  if not begun then return nil, refused --[[@as string]], why end
  local _ <close> = setmetatable({}, { __close = function() if not job.session then process:close() end end })
  local seconds = math.min(job.seconds + M.HARD, MOST)
  local ended, err, failed = task.with_timeout(seconds, function() return hear(process, lived, job.on_frames) end)
  if failed == "no_interpreter" then found = nil end
  -- A process that said how its code ended hands its files over alive: its end would take half of the time of a short run.
  local last, left_out = process:finish(ended == true)
  return last, left_out, err, failed
end


return M
