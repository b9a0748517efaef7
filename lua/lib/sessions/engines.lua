--- The engines that calls of a session run in. A call whose engine is gone has no result, and never gets one.

local console = require "sys.console"
local crypto  = require "sys.crypto"
local state   = require "sys.state"

local M = {}


--- The name of this engine: its process, and a word that another process with the same number does not have.
---@return string
function M.mine()
  local mine = state.open "sessions"
  if not mine.engine then mine.engine = ("%d-%s"):format(console.engine().pid, crypto.hex(crypto.random(4))) end
  return mine.engine
end


--- Returns a function that says whether an engine is still there. It looks at the others once.
---@return fun(engine: string): boolean
function M.living()
  local pids
  return function(engine)
    if engine == M.mine() then return true end
    if not pids then
      pids = {}
      for _, each in ipairs(console.engines()) do pids[each.pid] = true end
    end
    local pid = math.tointeger(tonumber(engine:match "^%d+"))
    return pid ~= nil and pid ~= console.engine().pid and pids[pid] == true
  end
end


return M
