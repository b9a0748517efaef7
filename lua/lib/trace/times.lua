--- What several runs took: the shortest, the middle, and the one that 95 of 100 do not exceed.

local M = {}

---@class trace.Spread
---@field min number
---@field median number
---@field p95 number


--- By the nearest rank: each is a number that was measured.
---@param values number[]  at least one
---@return trace.Spread
function M.spread(values)
  local sorted = table.move(values, 1, #values, 1, {})
  table.sort(sorted)
  local function rank(share) return sorted[math.max(1, math.ceil(share * #sorted))] end
  return { min = sorted[1], median = rank(0.5), p95 = rank(0.95) }
end


--- What a run did with its time, in seconds: Lua code, functions of sys modules, and the rest: the engine, the policy, loading
--- files. Where tasks wait beside each other, sys is more than the whole, and there is no rest.
---@param report sys.trace.Calls
---@return {wall: number, lua: number, sys: number, rest: number, memory: integer}
function M.parts(report)
  return { wall = report.seconds, lua = report.lua, sys = report.sys,
    rest = math.max(0, report.seconds - report.lua - report.sys), memory = report.memory }
end


return M
