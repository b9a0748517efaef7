--- Sums up the times of several runs: the shortest, the median, and the 95th percentile.

local M = {}

---@class trace.Spread
---@field min number
---@field median number
---@field p95 number


--- Computes them by the nearest rank: each is a number that was measured.
---@param values number[]  at least one
---@return trace.Spread
function M.spread(values)
  local sorted = table.move(values, 1, #values, 1, {})
  table.sort(sorted)
  local function rank(share) return sorted[math.max(1, math.ceil(share * #sorted))] end
  return { min = sorted[1], median = rank(0.5), p95 = rank(0.95) }
end


--- Splits the time of a run, in seconds, into Lua code, functions of sys modules, and the rest: the engine, the policy, loading
--- files. If tasks wait at the same time, sys exceeds the whole, and there is no rest.
---@param report sys.trace.Calls
---@return {wall: number, lua: number, sys: number, rest: number, memory: integer}
function M.parts(report)
  return { wall = report.seconds, lua = report.lua, sys = report.sys,
    rest = math.max(0, report.seconds - report.lua - report.sys), memory = report.memory }
end


return M
