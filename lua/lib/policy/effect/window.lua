--- The facts about windows that are closed, and applications that are ended.

local apps = require "policy.apps"

local M = {}


--- Those that the window, or the process, belongs to.
function M.apps(effect)
  local which = effect.given[1]
  local pid = type(which) == "table" and which.pid or which
  return math.type(pid) == "integer" and pid > 0 and apps.of_pid(pid) or nil
end

function M.terminal(effect) return require("policy.effect.terminal").any(effect:fact "apps") end


return M
