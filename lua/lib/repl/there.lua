--- The backend of `perigee repl --attach`: a running engine, through its console.

local engines = require "cli.engines"
local repl    = require "repl.session"
local task    = require "sys.task"

local M = {}

local LONGEST = 86400   -- seconds: evaluation in the engine has limits of its own
local PATIENCE = 2      -- seconds to wait for printed lines

local runs = 0   -- counts the evaluations of this process, to number them


--- Evaluates in the engine, and prints what is printed there.
local function evaluate(client, pid, told, color, options)
  runs = runs + 1
  told.run, told.count = runs, 0
  options.run = runs
  local result, err, code = engines.ask(client, pid, "console_evaluate", options, { timeout = LONGEST })
  if not result then
    if code == "closed" then return "gone", err end
    return "error", err
  end
  task.with_timeout(PATIENCE, function()
    while told.count < result.told do task.await "repl told" end
  end)
  return result.kind, result.message or result.values and repl.painted(result.values, color)
end


---@param options {pid?: integer, timeout?: number, interactive: boolean}
---@return repl.Backend? backend
---@return string? err
---@return string? code
function M.open(options)
  local told = { run = 0, count = 0 }
  local client, pid, code = engines.attach(options.pid, { name = "repl" }, {
    timeout = LONGEST, max_timeout = LONGEST, elicit = options.interactive and require("cli.form").ask or nil,
    notification = function(method, params)
      if method ~= "notifications/perigee/printed" or params.run ~= told.run then return end
      print(params.text)
      told.count = told.count + 1
      task.signal "repl told"
    end,
  })
  if not client then return nil, pid, code end
  local here, err
  here, err, code = engines.ask(client, pid, "console_calls", {}, { timeout = 10 })
  if not here then return nil, err, code end
  return {
    banner = ("perigee %s: what you type runs in the engine %d (%s, %s).\n`help` says more, Ctrl-D leaves."):format(here.version,
      pid, engines.role(here), here.desktop),
    evaluate = function(typed, width, color)
      return evaluate(client, pid, told, color, { code = typed, width = width, timeout = options.timeout })
    end,
    complete = function(line)
      local result = engines.ask(client, pid, "console_complete", { line = line }, { timeout = PATIENCE })
      if not result then return {}, 0 end
      return result.choices, result.replace, result.hint
    end,
    wait = function()
      client:wait()
      return ("the engine %d has ended"):format(pid)
    end,
  }
end


return M
