--- perigee end: ends a running engine.

local engines = require "cli.engines"
local json    = require "sys.json"
local process = require "sys.process"
local task    = require "sys.task"

local PATIENCE = 15   -- seconds until it has to be gone


--- Waits for the end of the connection to an engine, which comes last of all that it does. Until then it has nothing to answer
--- to a command that follows its log, unless something fails.
---@param client sys.mcp.Client
---@return boolean ended
local function gone(client)
  local _, _, code = client:call("console_log", { follow = true, last = 0, level = "error" }, { timeout = PATIENCE })
  return code == "closed"
end


local function ask_to_end(pid)
  local done, err, code = process.run { "sh", "-c", 'kill "$1"', "sh", tostring(pid) }
  if not done then return nil, err, code end
  if done.code ~= 0 and engines.runs(pid) then
    return nil, ("the engine %d cannot be ended: %s"):format(pid, (done.stderr:match "[^\n]+" or "kill failed")), "failed"
  end
  return true
end


local function run(args, io)
  local pid, err, code = engines.one(args.pid, io)
  if not pid then return nil, err, code end
  local client <close>, trouble, why = engines.attach(pid, io)
  local waits = client and task.spawn(gone, client)
  local ok
  ok, err, code = ask_to_end(pid)
  if not ok then return nil, err, code end
  if not client and why ~= "closed" and why ~= "not_running" then
    return nil, ("the engine %d was asked to end, and whether it did is not known: %s. `perigee ps` shows the engines that run")
      :format(pid, trouble), "failed"
  end
  if waits and not waits:join() then
    return nil, ("the engine %d has not ended in %d s. `kill -9 %d` ends it by force"):format(pid, PATIENCE, pid), "failed"
  end
  if args.json then io:json(json.object({ pid = pid, ended = true }, { "pid", "ended" }))
  else io:print(("the engine %d has ended"):format(pid)) end
  return 0
end


--- Returns stubs of an engine that ends when it is asked to, cannot be ended or goes on.
local function engine_of(how)
  local client = setmetatable({ pid = 4711, call = function() return nil, how, how == "ended" and "closed" or "timeout" end },
    { __close = function() end })
  return { ["sys.console.engines"] = function() return { { pid = 4711, socket = "/run/4711.console" } } end,
    ["sys.mcp.connect"] = function()
      if how == "hangs" then return nil, "it does not answer", "timeout" end
      return client
    end,
    ["sys.process.run"] = { code = how == "refused" and 1 or 0, stdout = "",
      stderr = how == "refused" and "sh: not permitted\n" or "" } }
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
    { "says that it goes on", args = { "4711" }, status = 1, err = "the engine 4711 has not ended in 15 s. `kill -9 4711`",
      given = engine_of "goes on" },
    { "says that it does not know", args = { "4711" }, status = 1,
      err = "the engine 4711 was asked to end, and whether it did is not known: the engine 4711 does not answer",
      given = engine_of "hangs" },
    { "knows that there is none", args = {}, status = 1, err = "no engine of this user is running",
      given = { ["sys.console.engines"] = { n = 1, {} } } },
  },
}
