--- The store of observations: plain data that outlives reloads of files.

local state = require "sys.state"

local M = {}

---@class observing.Store
---@field last integer  the number of the newest
---@field list observing.Observation[]
---@field scripts? integer  the number of running scripts of run_lua

---@return observing.Store
function M.all()
  local mine = state.open "observing"
  if not mine.list then mine.list, mine.last = {}, 0 end
  return mine
end


return M
