--- Runs a command of a caller's: a line for a shell, or a program with its arguments and no shell.

local process = require "sys.process"
local results = require "scripting.results"

local M = {}

M.OUTPUT = 45000    -- bytes that are kept of each stream: both fit into the text of a result
M.TIMEOUT = 30      -- seconds

-- How a shell ends that does not find the last program, or cannot start it. A program may end so as well.
local NOT_STARTED = { [127] = "NOT_FOUND", [126] = "PERMISSION_DENIED" }
local SHELL = "/bin/sh"

---@class scripting.Command
---@field command string   a line for a shell; with `args` the program
---@field args? string[]   then no shell reads anything
---@field timeout? number  seconds
---@field cwd? string
---@field env? table<string, string>
---@field stdin? string


--- The part of a command that has a byte which no program can be given, and what is wrong with it.
---@return string?
local function unfit(command)
  local function has_nul(text) return text:find("\0", 1, true) ~= nil end
  if has_nul(command.command) then return "command has a NUL byte, which no program can be given. Remove it" end
  for i, word in ipairs(command.args or {}) do
    if has_nul(word) then return ("args[%d] has a NUL byte, which no program can be given. Pass it by stdin"):format(i - 1) end
  end
  for name, value in pairs(command.env or {}) do
    if name == "" or name:find "[=%z]" then return ('env: %q is not a name. A name has no "=" and no NUL byte'):format(name) end
    if has_nul(value) then return ("env: the value of %s has a NUL byte. Remove it"):format(name) end
  end
  if command.cwd and has_nul(command.cwd) then return "cwd has a NUL byte. Pass an absolute path" end
end


--- The words of the process. After "--" nothing is an option of the shell.
local function argv_of(command)
  if command.args then return { command.command, table.unpack(command.args) } end
  return { SHELL, "-c", "--", command.command }
end


---@class scripting.CommandOutcome
---@field exit_code integer   128 and more if a signal ended it, as shells count
---@field stdout string
---@field stderr string
---@field timed_out boolean
---@field truncated boolean   output was left out
---@field duration_ms integer

---@param ended sys.process.Result
---@return scripting.CommandOutcome
local function outcome_of(ended, timed_out)
  local function kept(text) return ended.truncated and results.whole(text) or text end
  return { exit_code = ended.code or 128 + ended.signal, stdout = kept(ended.stdout), stderr = kept(ended.stderr),
    timed_out = timed_out, truncated = ended.truncated, duration_ms = results.milliseconds(ended.elapsed) }
end


--- Runs it to its end. All that it started in its process group ends with it.
---@param command scripting.Command
---@return scripting.CommandOutcome? outcome  also of one that was stopped at its time limit
---@return string? err
---@return string? code
function M.run(command)
  local wrong = unfit(command)
  if wrong then return nil, wrong, "invalid_argument" end
  local spec = argv_of(command)
  spec.input, spec.cwd, spec.env, spec.clean_env, spec.whole_group = command.stdin, command.cwd, command.env, true, true
  spec.timeout, spec.max_output = command.timeout or M.TIMEOUT, M.OUTPUT
  local ended, err, code, so_far = process.run(spec)
  if not ended and not so_far then return nil, err, code end
  return outcome_of(ended or so_far, not ended)
end


--- Remarks beside the output: how the command ended, if not well, and that output was left out.
---@param command scripting.Command
---@param outcome scripting.CommandOutcome
---@return string
function M.remarks(command, outcome)
  local list = {}
  if outcome.timed_out then
    list[1] = ("It was stopped after %g s, its time limit, with all that it had started. Pass a larger timeout if it needs "
      .. "longer."):format(command.timeout or M.TIMEOUT)
  elseif outcome.exit_code ~= 0 then
    list[1] = ("Exit code %d."):format(outcome.exit_code)
  end
  if outcome.truncated then
    list[#list + 1] = ("Only the first %d bytes of each stream are shown. Filter the output, or write it to a file.")
      :format(M.OUTPUT)
  end
  return list[1] and ("[%s]"):format(table.concat(list, " ")) or ""
end


--- True if the shell itself said something, as it does of a program that it cannot start.
local function shell_said(stderr) return ("\n" .. stderr):find("\n" .. SHELL .. ": ", 1, true) ~= nil end


--- The code of an outcome that is a failure: it was stopped, or the shell did not find or start the last program.
---@param command scripting.Command
---@param outcome scripting.CommandOutcome
---@return string?
function M.failure_code(command, outcome)
  if outcome.timed_out then return "TIMEOUT" end
  return not command.args and shell_said(outcome.stderr) and NOT_STARTED[outcome.exit_code] or nil
end


return M
