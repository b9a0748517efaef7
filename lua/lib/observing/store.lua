--- Where observations are kept: plain data that outlives reloads of files.

local state = require "sys.state"

local M = {}

---@class observing.Store
---@field last integer  number of the newest
---@field list observing.Observation[]
---@field scripts? integer  of run_lua that run

---@return observing.Store
function M.all()
  local mine = state.open "observing"
  if not mine.list then mine.list, mine.last = {}, 0 end
  return mine
end


return M
