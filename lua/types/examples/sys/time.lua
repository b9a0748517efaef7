local time = require "sys.time"

--- now
print(time.now() > 1700000000)   --> true

--- monotonic
local began = time.monotonic()
time.sleep(0.01)
print(time.monotonic() - began > 0.005)   --> true

--- iso
print(time.iso(0))   --> 1970-01-01T00:00:00.000Z

--- sleep
local began = time.monotonic()
time.sleep(0.02)   -- other calls go on
print(time.monotonic() - began > 0.01)   --> true

--- sleep_until
time.sleep_until(time.now() + 0.01)
time.sleep_until(0)   -- it is past
print "on time"       --> on time

--- offset
local seconds, name, summer = time.offset(0)
print(math.type(seconds), type(name), summer)   --> integer	string	false

--- every
local count = 0
local handle = assert(time.every(0.01, function() count = count + 1 end))
while count < 3 do time.sleep(0.01) end
handle:stop()
print(handle:runs())   --> false

--- after
local done = false
assert(time.after(0.01, function() done = true end))
while not done do time.sleep(0.01) end
print(done)   --> true

--- delayed
local saved = 0
local handle = assert(time.delayed(0.05, function() saved = saved + 1 end))
for _ = 1, 10 do handle:start() end   -- with each key that is typed
while handle:waits() do time.sleep(0.01) end
print(saved)           --> 1
handle:stop()

--- at
local handle = assert(time.at("08:30", function() print "good morning" end))   -- each day
print(handle:runs())   --> true
handle:stop()
