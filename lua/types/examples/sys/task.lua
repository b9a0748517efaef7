local task = require "sys.task"
local time = require "sys.time"

--- map
print(task.map({ 1, 2, 3 }, function(n) return n * n end, { limit = 2 }))   --> { 1, 4, 9, n = 3 }

local results, errors = task.map({ 1, 0 }, function(n)
  if n == 0 then return nil, "zero", "bad_number" end
  return n
end, { collect = true })
print(results[1], errors[1].index, errors[1].code)   --> 1	2	bad_number

--- spawn
local child = assert(task.spawn(function(a, b) return a + b end, 1, 2))
print(child:join(5))   --> 3

--- Task:join
local slow = assert(task.spawn(time.sleep, 60))
print(select(3, slow:join(0.01)))   --> timeout
slow:cancel()

--- Task:status
local child = assert(task.spawn(function() return 1 end))
child:join()
print(child:status())   --> done

--- channel
local numbers = task.channel(2)
assert(task.spawn(function()
  for n = 1, 3 do numbers:send(n) end
  numbers:close()
end))
for n in numbers:values() do print(n) end   --> 1
--> 2
--> 3

--- Channel:receive
local empty = task.channel()
print(select(3, empty:receive(0)))   --> timeout

--- select
local one, two = task.channel(1), task.channel(1)
two:send "here"
print(task.select({ one, two }, 1))   --> 2	here

--- lock
do
  local held <close> = task.lock "office"
  print "no other task is in this block"   --> no other task is in this block
end

--- signal
local heard = assert(task.spawn(function()
  task.await "bell"
  return "heard"
end))
time.sleep(0.01)
task.signal "bell"
print(heard:join(5))   --> heard

--- await
local heard = assert(task.spawn(function()
  task.await "bell"
  return "heard"
end))
time.sleep(0.01)
task.signal "bell"
print(heard:join(5))   --> heard

--- with_timeout
print(task.with_timeout(5, function() return "in time" end))                            --> in time
print(select(3, task.with_timeout(0.01, function() time.sleep(60) end)))                --> timeout

--- anchor
local done = false
local anchor = assert(task.anchor("example", function() done = true end))
while anchor:runs() do time.sleep(0.01) end
print(done)   --> true

--- owner
print(task.owner() ~= nil)   --> true

--- remaining
print(task.remaining() > 0)   --> true
