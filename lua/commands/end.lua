--- perigee end: ends a running engine.

local engines = require "cli.engines"
local json    = require "sys.json"
local process = require "sys.process"
local time    = require "sys.time"

local PATIENCE, STEP = 15, 0.05   -- seconds until it has to be gone, and between two looks


---@return boolean ended
local function gone(pid)
  local ends = time.monotonic() + PATIENCE
  while engines.runs(pid) do
    if time.monotonic() > ends then return false end
    time.sleep(STEP)
  end
  return true
end


local function run(args, io)
  local pid, err, code = engines.one(args.pid, io)
  if not pid then return nil, err, code end
  local done
  done, err, code = process.run { "sh", "-c", 'kill "$1"', "sh", tostring(pid) }
  if not done then return nil, err, code end
  if done.code ~= 0 and engines.runs(pid) then
    return nil, ("the engine %d cannot be ended: %s"):format(pid, (done.stderr:match "[^\n]+" or "kill failed")), "failed"
  end
  if not gone(pid) then
    return nil, ("the engine %d has not ended in %d s. `kill -9 %d` ends it by force"):format(pid, PATIENCE, pid), "timeout"
  end
  if args.json then io:json(json.object({ pid = pid, ended = true }, { "pid", "ended" }))
  else io:print(("the engine %d has ended"):format(pid)) end
  return 0
end


--- Returns stubs of an engine that ends when it is asked to.
local function engine_of(kill)
  local runs = true
  return { ["sys.console.engines"] = function() return runs and { { pid = 4711, socket = "/run/4711.console" } } or {} end,
    ["sys.process.run"] = function()
      runs = kill ~= "ended"
      return { code = kill == "refused" and 1 or 0, stdout = "", stderr = kill == "refused" and "sh: not permitted\n" or "" }
    end }
end


---@type perigee.Command
return {
  summary     = "end a running engine",
  description = "Ends the engine of this process id, as `perigee ps` shows it, and waits until it is gone: its services stop, "
             .. "and calls that run are cancelled. The engine that stays for calls (`perigee call`) also ends by itself ten "
             .. "minutes after the last call.",
  arguments   = { { "pid", "integer", "the engine's process id (default: the only one)", optional = true, minimum = 1 } },
  options     = { { "json", "flag", "print one JSON object: pid, ended" } },
  notes       = "Exit status: 0 success, 1 it did not end, or no engine can be reached, 2 usage error",
  stoppable   = false,
  run         = run,

  examples = {
    { "ends the only one", args = {}, out = "the engine 4711 has ended\n", given = engine_of "ended" },
    { "says why it could not", args = { "4711" }, status = 1, err = "the engine 4711 cannot be ended: sh: not permitted",
      given = engine_of "refused" },
    { "knows that there is none", args = {}, status = 1, err = "no engine of this user is running",
      given = { ["sys.console.engines"] = { n = 1, {} } } },
  },
}
