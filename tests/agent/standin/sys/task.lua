--- Stand-in for sys.task: one after the other.
local task = {}

function task.map(items, fn)
  local results = { n = #items }
  for i, item in ipairs(items) do results[i] = fn(item, i) end
  return results
end

return task
