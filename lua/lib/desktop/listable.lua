--- The windows and applications that a result may name beside those that its caller asked for: those that the policy lets the
--- caller list.

local effect = require "sys.effect"

local M = {}



---@param window {pid: integer, started?: integer, app?: string}
---@return boolean
function M.window(window) return effect.shows("list_windows", window) end


---@param app {pid: integer, started?: integer}
---@return boolean
function M.application(app) return effect.shows("list_applications", app) end


--- Those of a list that may be named.
---@generic T
---@param list T[]
---@param may fun(item: T): boolean
---@return T[]
function M.those(list, may)
  local some = {}
  for _, each in ipairs(list) do
    if may(each) then some[#some + 1] = each end
  end
  return some
end


return M
