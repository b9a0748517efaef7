#!/usr/bin/env tests/lua/run
--- sys.trace: reports of calls, and the times that are made of them. The commands are in tests/cli/trace_test.py.
local env   = require "sys.env"
local json  = require "sys.json"
local path  = require "sys.path"
local store = require "sys.store"
local t     = require "check"
local task  = require "sys.task"
local time  = require "sys.time"
local trace = require "sys.trace"

--- The calls that the listener was told of, and the report.
local function listen(fn)
  local told = {}
  local report = trace.calls(fn, {
    called = function(name, depth, tool, ...) return { name, depth, tool, ... } end,
    returned = function(kept, how, name, depth, tool, seconds, ...)
      told[#told + 1] = { call = kept, how = how, name = name, depth = depth, tool = tool, seconds = seconds,
        results = table.pack(...) }
    end,
  })
  return told, report
end

local function names(told)
  local list = {}
  for i, each in ipairs(told) do list[i] = each.name .. " " .. each.how end
  return list
end

local function total(report, name)
  for _, each in ipairs(report.calls) do
    if each.name == name then return each end
  end
end

t.case("it gives what the function returned", function()
  local report = trace.calls(function() return 1, nil, "x" end)
  t.same(report.results, { 1, nil, "x", n = 3 })
  t.same({ report.err, report.calls }, { nil, {} })
  t.ok(report.seconds > 0)
end)

t.case("it gives the error of a function that fails", function()
  local report = trace.calls(function() error "broke" end)
  t.same({ report.results, report.code }, { nil, "runtime" })
  t.match(report.err, "sys_trace_test.lua:%d+: broke$")
  t.has(report.traceback, "stack traceback")
end)

t.case("a call is told with its arguments and results", function()
  local told, report = listen(function() return json.encode({ 1 }, nil) end)
  t.same(names(told), { "sys.json.encode returned" })
  t.same(told[1].call, { "sys.json.encode", 0, false, { 1 } })
  t.same(told[1].results, { "[1]", n = 1 })
  local all = total(report, "sys.json.encode")
  t.same(all.count, 1)
  t.ok(all.seconds > 0 and all.seconds == all.most and all.seconds <= report.seconds)
end)

t.case("a call that waits is told when it returns, with the time of the wait", function()
  local told, report = listen(function()
    time.sleep(0.02)
    return time.sleep(0.01)
  end)
  t.same(names(told), { "sys.time.sleep returned", "sys.time.sleep returned" })
  t.ok(told[1].seconds >= 0.017 and told[1].seconds < 20)
  t.ok(report.sys >= 0.025, report.sys)
  t.ok(report.lua < report.seconds)
end)

t.case("one that raises is told, and does not hide the next at its place", function()
  local told = listen(function()
    for _ = 1, 2 do pcall(time.sleep, "x") end
    time.sleep(0)
    pcall(function() time.sleep "x" end)
    return time.monotonic()
  end)
  t.same(names(told), { "sys.time.sleep raised", "sys.time.sleep raised", "sys.time.sleep returned", "sys.time.sleep raised",
    "sys.time.monotonic returned" })
end)

t.case("one that is under way when its task ends did not return", function()
  local told = listen(function()
    task.with_timeout(0.01, function() time.sleep(600) end)
    error "and this one fails"
  end)
  t.same(names(told), { "sys.time.sleep unfinished", "sys.task.with_timeout returned" })
  local raised = listen(function() time.sleep "x" end)
  t.same(names(raised), { "sys.time.sleep unfinished" })
end)

t.case("methods are told by the kind of their object", function()
  local told = listen(function()
    local channel = task.channel(1)
    channel:send "x"
    return channel:receive()
  end)
  t.same(names(told), { "sys.task.channel returned", "sys.task.Channel:send returned", "sys.task.Channel:receive returned" })
  t.same(told[2].call[5], "x")
end)

t.case("modules that are Lua are told too, once, and what they call", function()
  local told = listen(function()
    store.open "traced"
    local joined = path.join("a", "b")
    return joined
  end)
  t.same({ told[#told].name, told[#told].how, told[#told].results[1] }, { "sys.path.join", "returned", "a/b" })
  local list = table.concat(names(told), "\n")
  t.has(list, "sys.engine.state_folder returned\nsys.store.open returned")
  t.same(select(2, list:gsub("sys.store.open", "")), 1)
end)

t.case("only the module of a tail call is known, not its name", function()
  local told = listen(function() return path.join("a", "b") end)
  t.match(told[1].name, "^sys.path, line %d+$")
  t.same({ #told, told[1].how, told[1].results[1] }, { 1, "returned", "a/b" })
end)

t.case("the tasks of a function are looked on as well", function()
  local told = listen(function()
    task.map({ 1, 2 }, function() time.sleep(0.001) end)
    task.spawn(function() time.sleep(0.001) end):join()
  end)
  table.sort(told, function(a, b) return a.name < b.name end)
  t.same(names(told), { "sys.task.Task:join returned", "sys.task.map returned", "sys.task.spawn returned",
    "sys.time.sleep returned", "sys.time.sleep returned", "sys.time.sleep returned" })
end)

t.case("waiting for other tasks is not counted as time in sys", function()
  local report = trace.calls(function() task.map({ 1 }, function() time.sleep(0.02) end) end)
  t.ok(report.sys >= 0.017 and report.sys < 1.5 * report.seconds, report.sys)
end)

t.case("computing is time in Lua, waiting is not", function()
  local report = trace.calls(function()
    local n = 0
    for i = 1, 4000000 do n = n + i end
    time.sleep(0.1)
  end)
  t.ok(report.lua >= 0.005, report.lua)
  t.ok(report.lua <= report.seconds - 0.08, report.lua .. " of " .. report.seconds)
end)

t.case("the memory that it had is counted", function()
  local small = trace.calls(function() return 1 end).memory
  local large = trace.calls(function() return #("x"):rep(4000000) end).memory
  t.ok(small < 1000000 and large > 3000000, small .. " and " .. large)
end)

t.case("calls of tools are told by their names, those in them one deeper", function()
  local told = listen(function() return tools.engine_status() end)
  t.same({ told[#told].name, told[#told].tool, told[#told].depth }, { "tools.engine_status", true, 0 })
  t.same({ told[1].name, told[1].depth }, { "sys.engine.try_jail", 1 })
end)

t.case("an error of the listener is dropped", function()
  local report = trace.calls(function() return json.encode(1) end, { called = error, returned = function() error "no" end })
  t.same(report.results[1], "1")
end)

t.case("traces nest: the inner one looks on, the outer one sees its call", function()
  local inner
  local told = listen(function()
    inner = listen(function() return json.encode(1) end)
  end)
  t.same(names(inner), { "sys.json.encode returned" })
  t.same(names(told), { "sys.trace.calls returned" })
end)

t.case("one that is stopped stops what it looks on", function()
  local looks, closed = false, false
  local looking = task.spawn(function()
    trace.calls(function()
      local held <close> = setmetatable({}, { __close = function() closed = true end })
      looks = true
      task.signal "looks"
      time.sleep(600)
    end)
  end)
  if not looks then task.await "looks" end
  looking:cancel()
  t.same(select(3, looking:join()), "cancelled")
  t.ok(closed)
end)

t.case("after it nothing is looked on", function()
  local told = listen(function() end)
  json.encode(1)
  t.same(#told, 0)
end)

-- --- profile -------------------------------------------------------------------------------

local function frame(report, name)
  for _, each in ipairs(report.frames) do
    if each.name == name then return each end
  end
end

--- Its time and that of the functions that it called.
local function whole(report, name, what)
  local sum, depth = 0, nil
  for _, each in ipairs(report.frames) do
    if depth and each.depth <= depth then depth = nil end
    if each.name == name then depth = depth or each.depth end
    if depth then sum = sum + each[what] end
  end
  return sum
end

local function spin(n)
  local x = 0
  for i = 1, n do x = x + i % 7 end
  return x
end

t.case("a profile gives time to the functions that ran", function()
  local function long() return spin(3000000) + 1 end
  local function short() return spin(300000) + 1 end
  local report = trace.profile(function()
    local a = long()
    local b = short()
    return a + b
  end)
  t.same(report.results.n, 1)
  local most, least = whole(report, "long", "runs"), whole(report, "short", "runs")
  t.ok(most > 2 * least and least > 0, most .. " and " .. least)
  t.ok(whole(report, "spin", "runs") > 0.9 * report.runs)
  t.ok(report.runs <= report.seconds)
end)

t.case("a profile gives time to the lines that ran", function()
  local report = trace.profile(function() return spin(3000000) + 1 end)
  local top
  for _, line in ipairs(report.lines) do
    if not top or line.runs > top.runs then top = line end
  end
  t.match(top.source, "sys_trace_test.lua$")
  t.ok(top.runs > 0.9 * report.runs)
end)

t.case("the time of a C function is that of the line that calls it, however long the others are", function()
  local list = {}
  for i = 1, 2000 do list[i] = (i * 7919) % 2003 end
  local text = json.encode(list)
  local report = trace.profile(function()
    local n = 0
    for _ = 1, 100 do
      for i = 1, 20 do n = n + i end
      json.decode(text)
    end
    return n
  end)
  local decode = frame(report, "sys.json.decode")
  t.ok(decode and decode.source == nil and decode.runs > 0.5 * report.runs, decode and decode.runs)
end)

t.case("waiting is not running, and is told where it was", function()
  local report = trace.profile(function()
    time.sleep(0.05)
    spin(100000)
  end)
  local sleep = frame(report, "sys.time.sleep")
  t.ok(sleep.waits >= 0.045 and sleep.runs < sleep.waits)
  t.ok(report.waits >= 0.045 and report.runs < report.seconds - 0.04)
end)

t.case("each task waits for itself, below who made it", function()
  local report
  for _ = 1, 5 do -- a busy machine may wake it late
    report = trace.profile(function()
      task.map({ 1, 2, 3 }, function() time.sleep(0.03) end)
      return 1
    end)
    t.ok(whole(report, "sys.task.map", "waits") >= 3 * 0.025)
    if frame(report, "sys.task.map").waits < 0.02 then break end
  end
  t.ok(frame(report, "sys.task.map").waits < 0.02, "map itself waits for its tasks")
end)

t.case("the work of a tool is below its call", function()
  local report = trace.profile(function()
    local result = tools.run_lua { code = "return 1" }
    return result
  end)
  t.ok(whole(report, "sys.engine.run_lua", "waits") > 0)
  t.ok(whole(report, "tools.run_lua", "waits") >= whole(report, "sys.engine.run_lua", "waits"))
end)

t.case("all time is in a frame", function()
  local report = trace.profile(function()
    spin(500000)
    time.sleep(0.01)
    local one = task.spawn(function() spin(500000) end)
    pcall(error, "x")
    one:join()
  end)
  local runs, waits = 0, 0
  for _, each in ipairs(report.frames) do runs, waits = runs + each.runs, waits + each.waits end
  t.ok(math.abs(runs - report.runs) < 0.05 * report.runs + 0.001, runs .. " of " .. report.runs)
  t.ok(math.abs(waits - report.waits) < 1e-6)
end)

t.case("a deep stack, and one that overflows, are looked at", function()
  -- Lua 5.4 loses finalizers that its collector calls while a stack overflows: it shrinks the stack that was grown to handle the
  -- error, and they overflow again. The sanitizer finds what they would have freed.
  if env.get "PERIGEE_ASAN" then t.skip "of an overflow Lua itself loses finalizers" end
  local function deep(n) return n == 0 and spin(300000) or 1 + deep(n - 1) end
  t.ok(trace.profile(function() return deep(1000) end).runs > 0)
  local function endless() return 1 + endless() end
  t.has(trace.profile(endless).err, "stack overflow")
end)

t.case("a task that is stopped and closes something: its wait is not taken for work", function()
  local function stopped()
    return task.with_timeout(0.05, function()
      local held <close> = setmetatable({}, { __close = function() json.encode(1) end })
      time.sleep(600)
    end)
  end
  local told = listen(stopped)
  t.same(names(told), { "sys.time.sleep unfinished", "sys.task.with_timeout returned" })
  local report = trace.profile(stopped)
  t.ok(report.runs < report.waits and report.waits >= 0.045, report.runs .. ", " .. report.waits)
end)

t.case("a profile of what is stopped is stopped", function()
  --- Both have the same time, and either may be told first that it is over.
  local function ends_by(fn)
    local report, _, code = task.with_timeout(0.02, function() return trace.profile(fn) end)
    return code or report.code
  end
  t.same(ends_by(function() time.sleep(600) end), "timeout")
  t.same(ends_by(function() while true do end end), "timeout")
end)

-- --- scripts and names ---------------------------------------------------------------------------

t.case("a script gets its arguments and gives what it returns", function()
  local text = 'local a, b = ... local args = require("perigee").args return a, b, args[0], #args, tools.engine_status ~= nil'
  t.same(table.pack(trace.script("x.lua", text, nil, { "one", "two" })), { "one", "two", "x.lua", 2, true, n = 5 })
end)

t.case("a script that does not compile, and one that fails", function()
  t.same({ select(2, trace.script("x.lua", "return +", nil, {})) }, { "x.lua:1: unexpected symbol near '+'", "syntax" })
  t.match(t.raises(function() trace.script("x.lua", "error 'broke'", nil, {}) end), "^x.lua:1: broke$")
end)

t.case("a script is ended with the task that waits for it", function()
  local text = 'require("sys.time").sleep(600)'
  t.same(select(3, task.with_timeout(0.01, function() trace.script("x.lua", text, nil, {}) end)), "timeout")
end)

t.case("names that are secrets", function()
  for name, is in pairs { password = true, API_KEY = true, ["x-auth-token"] = true, pin = true, text = false, name = false } do
    t.same(trace.is_secret(name), is, name)
  end
end)

t.case("wrong arguments raise", function()
  t.raises(function() trace.calls() end, "function expected")
  t.raises(function() trace.calls(print, 1) end, "functions called and returned expected")
  t.raises(function() trace.script("x") end, "string expected")
end)

t.done()
