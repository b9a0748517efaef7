--- Stand-in for sys.task: one after the other.
local task = {}

function task.map(items, fn)
  local results = { n = #items }
  for i, item in ipairs(items) do results[i] = fn(item, i) end
  return results
end

--- Without a limit: the engine's own is tested on the engine.
function task.with_timeout(_, fn) return fn() end

return task
