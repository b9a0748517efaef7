--- Stand-in for sys.log: keeps the lines.
local log = { lines = {} }

for _, level in ipairs { "debug", "info", "warn", "error" } do
  log[level] = function(...)
    log.lines[#log.lines + 1] = level .. ": " .. table.concat({ ... }, " ")
  end
end

return log
