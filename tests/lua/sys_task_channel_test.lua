#!/usr/bin/env tests/lua/run
--- sys.task.channel and select, and errors that map collects.
local t    = require "check"
local task = require "sys.task"
local time = require "sys.time"

t.case("values come in the order in which they were sent", function()
  local channel, got = task.channel(), {}
  task.spawn(function()
    for i = 1, 5 do channel:send(i) end
    channel:close()
  end)
  for value in channel:values() do got[#got + 1] = value end
  t.same(got, { 1, 2, 3, 4, 5 })
end)

t.case("false and tables are values like others, the same table", function()
  local channel, thing = task.channel(2), {}
  channel:send(false)
  channel:send(thing)
  t.same(channel:receive(), false)
  t.ok(rawequal(channel:receive(), thing))
end)

t.case("as many values wait as the channel may hold, then the sender does", function()
  local channel, log = task.channel(2), {}
  local sender = task.spawn(function()
    for i = 1, 4 do
      channel:send(i)
      log[#log + 1] = "sent " .. i
    end
  end)
  time.sleep(0.002)
  t.same({ #channel, #log }, { 2, 2 })
  t.same(channel:receive(), 1)
  time.sleep(0.002)
  t.same({ #channel, #log }, { 2, 3 })
  t.same({ channel:receive(), channel:receive(), channel:receive() }, { 2, 3, 4 })
  sender:join()
  t.same({ #channel, #log }, { 0, 4 })
end)

t.case("without room for values, send waits until somebody receives", function()
  local channel = task.channel()
  local sender = task.spawn(function() return channel:send "x" end)
  time.sleep(0.002)
  t.same({ sender:status(), #channel }, { "running", 0 })
  t.same(channel:receive(), "x")
  t.same(sender:join(), true)
end)

t.case("send and receive wait for no longer than they are told", function()
  local channel = task.channel(1)
  local value, err, code = channel:receive(0.005)
  t.same({ value, code }, { nil, "timeout" })
  t.has(err, "nothing was sent within 0.005 s")
  t.same(select(3, channel:receive(0)), "timeout", "without a wait")
  t.same(channel:send(1, 0), true)
  value, err, code = channel:send(2, 0.005)
  t.same({ value, code }, { nil, "timeout" })
  t.has(err, "no task received the value within 0.005 s")
  t.same({ #channel, channel:receive(0) }, { 1, 1 })
end)

t.case("a value that was given up is not sent later", function()
  local channel = task.channel()
  local sender = task.spawn(function() channel:send "stale" end)
  time.sleep(0.001)
  sender:cancel()
  task.spawn(function() channel:send "fresh" end)
  t.same(channel:receive(20), "fresh")
end)

t.case("after close the values that are there are received, then it is closed", function()
  local channel = task.channel(3)
  channel:send(1)
  channel:send(2)
  channel:close()
  channel:close()
  t.same({ channel:receive(), channel:receive() }, { 1, 2 })
  t.same(table.pack(channel:receive()), { nil, "the channel is closed", "closed", n = 3 })
  t.same(table.pack(channel:send(3)), { nil, "the channel is closed", "closed", n = 3 })
end)

t.case("close wakes all that wait, to send and to receive", function()
  local empty, full = task.channel(), task.channel()
  local tasks = {}
  for i = 1, 3 do
    tasks[i] = task.spawn(function() return select(3, empty:receive()) end)
    tasks[i + 3] = task.spawn(function() return select(3, full:send(i)) end)
  end
  time.sleep(0.002)
  empty:close()
  full:close()
  for _, one in ipairs(tasks) do t.same(one:join(20), "closed") end
end)

t.case("closing the variable closes the channel", function()
  local reader
  do
    local channel <close> = task.channel()
    reader = task.spawn(function() return select(3, channel:receive()) end)
    time.sleep(0.001)
  end
  t.same(reader:join(20), "closed")
end)

t.case("several receivers get each value once, first come first served", function()
  local channel, got = task.channel(), {}
  local workers = {}
  for i = 1, 4 do
    workers[i] = task.spawn(function()
      for value in channel:values() do
        got[#got + 1] = value
        time.sleep(0.0005)
      end
    end)
  end
  for i = 1, 100 do channel:send(i) end
  channel:close()
  for _, one in ipairs(workers) do one:join() end
  t.same(#got, 100)
  for i = 1, 100 do t.same(got[i], i) end
end)

t.case("a receiver that is ended when it was woken loses nothing for the others", function()
  local channel = task.channel(10)
  local one = task.spawn(function() channel:receive() end)
  local two = task.spawn(function() return channel:receive() end)
  time.sleep(0.001)
  channel:send "x"  -- wakes the first, which has no turn before it is ended
  one:cancel()
  t.same(two:join(20), "x")
end)

t.case("a sender that is ended when it was woken leaves its room to the next", function()
  local channel = task.channel(1)
  channel:send "first"
  local one = task.spawn(function() channel:send "one" end)
  local two = task.spawn(function() return channel:send "two" end)
  time.sleep(0.001)
  t.same(channel:receive(), "first")
  one:cancel()
  t.same(two:join(20), true)
  t.same(channel:receive(20), "two")
end)

t.case("one that waits at a closed end keeps its place when another takes its value", function()
  local channel, log = task.channel(5), {}
  local function reader(name)
    return task.spawn(function()
      local value = channel:receive()
      log[#log + 1] = name .. value
    end)
  end
  local one, two = reader "one ", reader "two "
  time.sleep(0.001)
  channel:send(1)
  t.same(channel:receive(0), 1, "taken before the first reader has its turn")
  time.sleep(0.001)
  channel:send(2)
  channel:send(3)
  one:join(20)
  two:join(20)
  t.same(log, { "one 2", "two 3" })
end)

t.case("many values go through quickly enough, and leave nothing behind", function()
  local channel, sum = task.channel(16), 0
  local reader = task.spawn(function()
    for value in channel:values() do sum = sum + value end
  end)
  for i = 1, 20000 do channel:send(i) end
  channel:close()
  reader:join()
  t.same({ sum, #channel }, { 200010000, 0 })
end)

-- --- select ------------------------------------------------------------------------------

t.case("select gives what comes first, and where", function()
  local a, b = task.channel(), task.channel()
  local sender = task.spawn(function()
    b:send "second"
    a:send "first"
  end)
  t.same({ task.select { a, b } }, { 2, "second" })
  t.same({ task.select { a, b } }, { 1, "first" })
  sender:join()
end)

t.case("select prefers the first of those that have a value", function()
  local a, b = task.channel(1), task.channel(1)
  b:send "b"
  a:send "a"
  t.same({ task.select { a, b } }, { 1, "a" })
  t.same({ task.select { a, b } }, { 2, "b" })
end)

t.case("select tells that one is closed, and that its time is over", function()
  local jobs, stop = task.channel(), task.channel()
  local value, err, code = task.select({ jobs, stop }, 0.005)
  t.same({ value, code }, { nil, "timeout" })
  t.has(err, "nothing was sent within 0.005 s")
  local waits = task.spawn(function() return task.select { jobs, stop } end)
  time.sleep(0.001)
  stop:close()
  t.same(table.pack(waits:join(20)), { 2, nil, n = 2 })
end)

t.case("a value that select does not take is there for others", function()
  local a, b = task.channel(), task.channel()
  local one = task.spawn(function() return task.select { a, b } end)
  time.sleep(0.001)
  local sends = { task.spawn(function() a:send "a" end), task.spawn(function() b:send "b" end) }
  time.sleep(0.002)
  t.same({ one:join(20) }, { 1, "a" })
  t.same(b:receive(20), "b")
  for _, each in ipairs(sends) do each:join() end
end)

t.case("wrong arguments raise", function()
  t.raises(function() task.channel(-1) end, "expected 0 to 100000")
  t.raises(function() task.channel():send() end, "nil cannot be sent")
  t.raises(function() task.channel():receive(-1) end, "expected 0 to 86400")
  t.raises(function() task.select {} end, "1 to 16 channels")
  t.raises(function() task.select { 1 } end, "a list of channels")
end)

-- --- map ------------------------------------------------------------------------------------

t.case("map collects the errors, by item, and goes on", function()
  local results, errors = task.map({ 1, 2, 3, 4 }, function(i)
    time.sleep((5 - i) / 1000)
    if i == 2 then error("broke", 0) end
    if i == 3 then return nil, "no such thing", "not_found" end
    return i * 10
  end, { collect = true })
  t.same(results, { 10, nil, nil, 40, n = 4 })
  t.same(errors, { { index = 2, message = "broke", code = "runtime" },
    { index = 3, message = "no such thing", code = "not_found" } })
end)

t.case("map collects nothing where all is well, and nil is no error", function()
  local results, errors = task.map({ 1, 2 }, function(i) return i == 1 and i or nil end, { collect = true, limit = 1 })
  t.same({ results, errors }, { { 1, n = 2 }, {} })
end)

t.case("an error value and a lack of a code are told in words", function()
  local _, errors = task.map({ 1, 2 }, function(i)
    if i == 1 then error { "no text" } end
    return nil, "no"
  end, { collect = true })
  t.same(errors, { { index = 1, message = 'error value is a table: { "no text" }', code = "runtime" },
    { index = 2, message = "no", code = "failed" } })
end)

t.case("collecting does not outlive a time limit", function()
  local begun = time.monotonic()
  for _, fn in ipairs { function() time.sleep(600) end, function() while true do end end } do
    t.same(select(3, task.with_timeout(0.02, function() task.map({ 1, 2 }, fn, { collect = true }) end)), "timeout")
  end
  t.ok(time.monotonic() - begun < 60)
end)

t.case("options of map are checked", function()
  t.raises(function() task.map({}, print, { limit = 65 }) end, "limit")
  t.raises(function() task.map({}, print, { collects = true }) end, "collects")
  t.same(task.map({ 7 }, function(i) return i end, { limit = 3 }), { 7, n = 1 })
end)

t.done()
