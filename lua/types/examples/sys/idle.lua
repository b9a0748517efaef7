local idle = require "sys.idle"

--- seconds
print(assert(idle.seconds()) >= 0)   --> true

--- events
-- In a service or a script.
local handle = assert(idle.events({ after = 600 }, function(event)
  print(event.what == "idle" and "at rest" or "back after " .. event.seconds .. " s")
end))
print(handle)   --> sys.idle.events (runs)
handle:stop()
