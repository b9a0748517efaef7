#!/usr/bin/env tests/lua/run
--- The reach of a guest script, text that a model wrote, through run_lua. More attempts, and the reach of a tool's
--- file, are in tests/c/script/sandbox_test.c.
local t      = require "check"
local engine = require "sys.engine"

--- The value that the script returns; raises if it fails.
local function run(code, options)
  local result, err = engine.run_lua(code, options)
  if not result then error(err, 2) end
  return result.value
end

--- Checks that the script fails with a message that holds the part.
local function fails(code, part, want, options)
  local result, err, got = engine.run_lua(code, options)
  t.same(result and result.value, nil, code)
  t.has(err, part, code)
  t.same(got, want or "runtime", code)
end

t.case("code is text, never bytecode", function()
  fails("\27Lua", "attempt to load a binary chunk", "syntax")
  fails("return {", "run_lua:1:", "syntax")
  for _, name in ipairs { "load", "loadstring", "loadfile", "dofile" } do
    fails("return " .. name .. " 'return 1'", "'" .. name .. "' is not available to scripts")
  end
  t.same(run "return string.dump", nil)
  fails("return (''):dump()", "attempt to call a nil value")
end)

t.case("the libraries that reach the machine are not there", function()
  for _, name in ipairs { "io", "os", "debug", "package", "coroutine", "getmetatable" } do
    fails("return " .. name, "'" .. name .. "' is not available to scripts")
    fails("return _G." .. name, "'" .. name .. "' is not available to scripts")
    fails("return _ENV['" .. name .. "']", "'" .. name .. "' is not available to scripts")
    t.same(run("return rawget(_G, '" .. name .. "')"), nil)
  end
  t.same(run "return collectgarbage", nil)
  t.same(run "local found for k in pairs(_G) do if k == 'io' or k == 'os' then found = k end end return found", nil)
end)

t.case("only the pure ones of the sys modules can be required", function()
  for _, name in ipairs { "engine", "env", "files", "fs", "http", "mcp", "osascript", "process", "state" } do
    fails(("require 'sys.%s'"):format(name), ("module 'sys.%s' is not available here"):format(name))
    fails(("return pcall(require, 'sys.%s')"):format(name):gsub("return pcall", "assert(pcall") .. ")", "is not available here")
  end
  for _, name in ipairs { "json", "log", "task", "time" } do
    t.same(run(("return type(require 'sys.%s')"):format(name)), "table")
  end
  fails("require 'sys.nothing'", "is not available here")
  fails("require '../../etc/passwd'", "not a module name")
  fails("require 'os'", "")
end)

t.case("a lib file gives a guest no more than the guest has", function()
  -- a lib of this root that itself requires sys.fs cannot be required from here
  fails("require 'reaching'", "module 'sys.fs' is not available here")
  t.same(require("reaching").has_fs, true)
end)

t.case("the changes of one script are not seen by the next", function()
  run [[
    string.rep, table.concat, math.pi, print, require = nil, nil, nil, nil, nil
    leaked = "global"
  ]]
  t.same(run "return type(string.rep) .. type(table.concat) .. type(math.pi) .. type(print) .. type(require)",
    "functionfunctionnumberfunctionfunction")
  t.same(run "return leaked", nil)
  run "require('sys.json').decode = nil"
  t.same(run "return type(require('sys.json').decode)", "function")
  run "require('perigee').call = nil require('perigee').version = 'evil'"
  t.ok(run "return type(require('perigee').call) == 'function' and require('perigee').version ~= 'evil'")
end)

t.case("the changes of a script are not seen by the file that started it", function()
  run "string.rep = function() return 'evil' end"
  t.same(("x"):rep(2) .. string.rep("y", 2), "xxyy")
end)

t.case("tools, and modules that are shared, are read-only", function()
  fails("tools.run_lua = print", "the tools are read-only")
  fails("rawset(tools, 'run_lua', print)", "this table is read-only")
  fails("require('perigee').tools.run_lua = print", "the tools are read-only")
  fails("require('check').same = print", "modules are read-only")
  fails("rawset(require 'check', 'same', print)", "this table is read-only")
  fails("local _, shared = pairs(require 'check') shared.same = print", "modules are read-only")
  fails("setmetatable(require 'check', nil)", "protected metatable")
  fails("setmetatable(_G, {})", "protected metatable")
  fails("setmetatable('', {})", "table expected")
  fails("setmetatable({}, { __gc = print })", "__gc is not available")
  t.same(run "return ('').__index", nil)
end)

t.case("every end of a script has its code", function()
  fails("while true do end", "was stopped after 0.1 s", "timeout", { timeout = 0.1 })
  fails("while true do pcall(function() while true do end end) end", "was stopped", "timeout", { timeout = 0.1 })
  fails("xpcall(function() while true do end end, function() while true do end end)", "was stopped", "timeout",
    { timeout = 0.1 })
  fails("local t = setmetatable({}, { __index = function() while true do end end }) return t.x", "was stopped",
    "timeout", { timeout = 0.1 })
  fails("require('sys.time').sleep(60)", "was stopped", "timeout", { timeout = 0.1 })
  fails("require('sys.task').map({ 1, 2 }, function() while true do end end)", "was stopped", "timeout",
    { timeout = 0.1 })
  fails("return #('x'):rep(1e9)", "not enough memory", "memory")
  fails("local s = 'x' while true do s = s .. s end", "not enough memory", "memory")
  fails("local t = {} for i = 1, 1e9 do t[i] = i end", "not enough memory", "memory")
  fails("local t = {} while true do t[#t + 1] = {} end", "not enough memory", "memory", { memory = 1000000 })
  fails("require('sys.task').map({ 1, 2 }, function() local t = {} while true do t[#t + 1] = {} end end)",
    "not enough memory", "memory")
  fails("local function f() return 1 + f() end f()", "stack overflow", nil, { memory = 200000000 })
  fails("local function f() return pcall(f) end error((select(-1, f())))", "overflow")
  fails("table.sort({ 3, 2, 1 }, function() error 'in sort' end)", "in sort")
  fails("('x'):gsub('x', function() error 'in gsub' end)", "in gsub")
  fails("error({})", "error value is a table: {}")
  fails("error { a = 1 }", "error value is a table: { a = 1 }")
  fails("error(setmetatable({}, { __tostring = function() while true do end end }))", "error value is a table")
  fails("error()", "error value is a nil")
end)

t.case("no C function holds up the engine", function()
  for _, code in ipairs {
    "table.move({}, 1, 1 << 60, 2)",
    "(''):rep(1 << 60)",
    "table.insert(setmetatable({}, { __len = function() return 1 << 60 end }), 1, 1)",
    "table.concat({}, '', 1, 1 << 60)",
    "table.unpack({}, 1, 1 << 60)",
    "table.sort({ 3, 2, 1 }, function() while true do end end)",
    "('x'):rep(1000):gsub('x', function() while true do end end)",
    "while true do local s = ('x'):rep(30000000) end",
    "local s = ('x'):rep(30000000) while true do s:find('y', 1, true) end",
    "local s = ('x'):rep(30000000) while true do local b = s < s .. 'y' end",
    "tostring(setmetatable({}, { __tostring = function() while true do end end }))",
  } do
    local result = engine.run_lua(code, { timeout = 0.2 })
    t.ok(not result or result.value == nil, code)
  end
  t.same(run "return 1 + 1", 2)
end)

t.case("a tool call counts, at every depth", function()
  local code = "for i = 1, 3 do tools.engine_status {} end return 'done'"
  t.same(engine.run_lua(code).calls, 3)
  fails(code, "calls", nil, { calls = 2 })
end)

t.case("the printed output is kept up to its limit, even if the script fails", function()
  local result = engine.run_lua "print('a', 1, nil) print() print 'b' return 7"
  t.same({ result.output, result.value, result.truncated }, { "a\t1\tnil\n\nb\n", 7, false })
  local long = engine.run_lua("while true do print(('x'):rep(100)) end", { timeout = 0.1, output = 1000 })
  t.same(long, nil)
  local _, _, code, output = engine.run_lua("for i = 1, 100 do print(('x'):rep(100)) end error 'end'", { output = 1000 })
  t.same({ code, #output <= 1000 }, { "runtime", true })
end)

t.done()
