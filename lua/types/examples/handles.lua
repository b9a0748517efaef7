local time = require "sys.time"

--- Handle:stop
local handle = assert(time.every(60, function() print "a minute has passed" end))
print(handle:runs(), handle.failures)   --> true	0
handle:stop()
print(handle:runs())                    --> false
