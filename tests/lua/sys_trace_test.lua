#!/usr/bin/env tests/lua/run
--- sys.trace: what is told of calls, and what times are made of them. The commands are in tests/cli/trace_test.py.
local json  = require "sys.json"
local path  = require "sys.path"
local store = require "sys.store"
local t     = require "check"
local task  = require "sys.task"
local time  = require "sys.time"
local trace = require "sys.trace"

--- What the listener was told, as "name how"; and the report.
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

t.case("and of a failure the error", function()
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

t.case("of a tail call the name is not known, only the module", function()
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
    local begun, n = time.monotonic(), 0
    while time.monotonic() - begun < 0.05 do
      for i = 1, 1000 do n = n + i end
    end
    time.sleep(0.1)
  end)
  t.ok(report.lua >= 0.03, report.lua)
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
  t.same({ told[1].name, told[1].depth }, { "sys.engine.status", 1 })
end)

t.case("what the listener raises is dropped", function()
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
  local closed = false
  t.same(select(3, task.with_timeout(0.01, function()
    trace.calls(function()
      local held <close> = setmetatable({}, { __close = function() closed = true end })
      time.sleep(600)
    end)
  end)), "timeout")
  t.ok(closed)
end)

t.case("after it nothing is looked on", function()
  local told = listen(function() end)
  json.encode(1)
  t.same(#told, 0)
end)

t.case("a script gets its arguments and gives what it returns", function()
  local text = 'local a, b = ... local args = require("perigee").args return a, b, args[0], #args, tools.engine_status ~= nil'
  t.same(table.pack(trace.script("x.lua", text, nil, { "one", "two" })), { "one", "two", "x.lua", 2, true, n = 5 })
end)

t.case("a script that does not compile, and one that fails", function()
  t.same({ select(2, trace.script("x.lua", "return +", nil, {})) }, { "x.lua:1: unexpected symbol near '+'", "syntax" })
  t.match(t.raises(function() trace.script("x.lua", "error 'broke'", nil, {}) end), "^x.lua:1: broke$")
end)

t.case("a script is ended with who waits for it", function()
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
