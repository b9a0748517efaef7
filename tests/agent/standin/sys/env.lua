--- Stand-in for sys.env: `values` is the whole environment.
local env = { values = {} }

function env.get(name, default)
  local value = env.values[name]
  if value == nil or value == "" then return default end
  return value
end

return env
