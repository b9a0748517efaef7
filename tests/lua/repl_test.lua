#!/usr/bin/env tests/lua/run
--- The knowledge of a prompt: the place in a text that is being typed, the declarations, and Tab's offers.
local console  = require "sys.console"
local context  = require "repl.context"
local files    = require "sys.files"
local repl     = require "repl.session"
local stubs    = require "stubs"
local t        = require "check"

-- --- the place ------------------------------------------------------------------------------

local function place(line)
  local here = context.of(line)
  return { here.word, here.quoted or false, here.call or false, here.braces, here.index, here.key or false }
end

t.case("where a text ends", function()
  for line, want in pairs {
    [""] = { "", false, false, false, 1, false },
    ["x = sys.win"] = { "sys.win", false, false, false, 1, false },
    ["f("] = { "", false, "f", false, 1, false },
    ["f(1, 'a,b', g("] = { "", false, "g", false, 1, false },
    ["f(1, 'a,b', { 1, 2 }, x"] = { "x", false, "f", false, 4, false },
    ["w:move(a, "] = { "", false, "w:move", false, 2, false },
    ["tools.echo{ te"] = { "te", false, "tools.echo", true, 1, false },
    ["tools.echo { a = 1, b = "] = { "", false, "tools.echo", true, 1, "b" },
    ["tools['two'] { a"] = { "a", false, "tools.two", true, 1, false },
    ["f(1, { a = 'x"] = { "", "x", "f", true, 2, "a" },
    ["f(1, { a = 'x' }, "] = { "", false, "f", false, 3, false },
    ["x = { a = { b"] = { "b", false, false, true, 1, false },
    ['require "sys.wi'] = { "", "sys.wi", false, false, 1, false },
    ["-- it's f(\ng("] = { "", false, "g", false, 1, false },
    ["--[[ f( ]] g("] = { "", false, "g", false, 1, false },
    ["[[ f( ]] .. g("] = { "", false, "g", false, 1, false },
    ["'a\\'b(' .. g("] = { "", false, "g", false, 1, false },
    ["function f("] = { "", false, "f", false, 1, false },
    ["local x = function("] = { "", false, false, false, 1, false },
  } do
    t.same(place(line), want, line)
  end
end)

-- --- declarations ---------------------------------------------------------------------------

t.case("a declaration gives functions, parameters and types", function()
  local stub = stubs.parse("sys.x", [[
---@meta sys.x

--- All about x.
---@class sys.x
local x = {}

---@class sys.x.Base
---@field timeout? number  seconds

---@class sys.x.Options: sys.x.Base
---@field mode "a"|"b"   how
---                      it goes on
---@field private hidden string
---@field [string] any

---@class sys.x.Handle
local handle = {}

function handle:close() end

--- Does it.
--- In two lines.
---@param a string?
---@param options? sys.x.Options  what
---@param ... any
---@return table<string, integer>? found  by name
---@return string? err
function x.does(a, options, ...) end

function x.plain() end

return x
]])
  t.same(stub.about, "All about x.")
  t.same(stub.order, { "does", "plain" })
  local fn = stub.functions.does
  t.same(stubs.signature(stub, fn), "sys.x.does([a [, options]], ...)")
  t.same(fn.about, "Does it.\nIn two lines.")
  t.same(fn.returns, { { type = "table<string, integer>?", name = "found", about = "by name" },
    { type = "string?", name = "err" } })
  local names = {}
  for i, field in ipairs(stub.classes["sys.x.Options"]) do names[i] = field.name end
  t.same(names, { "mode", "timeout" })
  t.same(stub.classes["sys.x.Options"][1].about, "how it goes on")
  t.has(stubs.help(stub, fn), 'sys.x.does([a [, options]], ...)\n  Does it.\n  In two lines.\n\n  a  string?\n'
    .. '  options  sys.x.Options  what\n    mode  "a"|"b"  how it goes on\n')
  t.has(stubs.overview(stub), "sys.x\n  All about x.\n\nsys.x.does([a [, options]], ...)\n  Does it.\nsys.x.plain()")
end)

t.case("every module has a declaration, and every function of it is found", function()
  local modules = files.modules()
  t.ok(#modules > 30)
  for _, name in ipairs(modules) do
    local stub = stubs.of(name)
    t.ok(stub, name)
    for key, value in pairs(require(name)) do
      if type(value) == "function" then t.ok(stub.functions[key] or stub.private[key], name .. "." .. key) end
    end
  end
  t.same(stubs.of "sys.none", nil)
  t.same(select(3, files.stub "sys/../../x"), "not_found")
end)

-- --- Tab ------------------------------------------------------------------------------------

local session = repl.new()

local function offers(line) return (session:complete(line)) end

local function has(line, ...)
  local found = {}
  for _, each in ipairs(offers(line)) do found[each] = true end
  for _, each in ipairs { ... } do t.ok(found[each], ("%q is not offered for %q"):format(each, line)) end
end

t.case("names, fields and modules", function()
  t.same(offers "pri", { "print" })
  t.same(offers "whi", { "while" })
  t.same(offers "sys.win", { "window" })
  t.same({ session:complete "sys.window.mov" }, { { "move" }, 3 })
  t.same({ session:complete "sys.text.trim_s" }, { { "trim_start" }, 6 })   -- of the part that is Lua
  t.same({ session:complete "sys.text.dist" }, { { "distance" }, 4 })       -- and of the part that is C
  has("sys.", "window", "path", "store")
  has("string.", "format", "rep")
  t.same(offers 'require "sys.wind', { "sys.window" })
  t.same(offers "require('inspec", { "inspect" })
  t.same(offers "nothing.at.", {})
  session:evaluate("mine = { one = 1, two = print }", {})
  t.same(offers "mine.", { "one", "two" })
  t.same(offers "mine:", { "two" })
  t.same(offers "x = 'an unfinished st", {})
end)

t.case("arguments, by the declarations", function()
  t.same(offers "sys.process.run{ tim", { "timeout = " })
  t.same(offers "sys.process.run({ tim", { "timeout = " })
  has("sys.window.list { ", "pid = ", "all_kinds = ", "timeout = ")
  local found, replace, hint = session:complete "sys.window.move("
  t.same({ #found, replace }, { 0, 0 })
  t.same(hint, "sys.window.move(ref, x, y [, options])\n  ref  sys.window.Ref")
  t.has(select(3, session:complete "sys.window.move(ref, "), "\n  x  number")
  session:evaluate("w = sys.window", {})
  t.has(select(3, session:complete "w.move("), "sys.window.move(ref")
  t.same(select(3, session:complete "print("), nil)
end)

t.case("nothing is called by completing", function()
  session:evaluate("trap = setmetatable({}, { __index = function() error 'called' end, __pairs = function() while true do end end })", {})
  t.same(offers "trap.x.", {})
end)

-- --- running --------------------------------------------------------------------------------

t.case("an evaluation gives its values as text", function()
  t.same({ session:evaluate("1 + 1, nil, 'a\\nb'", {}) }, { "shown", { { "2" }, { "nil", "nil" }, { '"a\\nb"' } } })
  t.same({ session:evaluate("'a\\nb'", {}) }, { "shown", { { "a\nb", "text" } } })
  t.same({ session:evaluate("y = 1", {}) }, { "nothing" })
  t.same({ session:evaluate("y", {}) }, { "shown", { { "1" } } })
  t.same(select(2, session:evaluate("x = = 1", {})), "repl:1: unexpected symbol near '='")
end)

t.case("an unknown field names the nearest", function()
  local function err(typed)
    local kind, message = session:evaluate(typed, {})
    t.same(kind, "error")
    return message:match "^[^\n]*"
  end
  t.same(err "sys.window.mvoe", 'repl:1: sys.window has no field "mvoe"; did you mean move?')
  t.same(err "sys.text.tirm", 'repl:1: sys.text has no field "tirm"; did you mean trim?')
  t.same(err "require('sys.path').jion", 'repl:1: sys.path has no field "jion"; did you mean join?')
  t.has(err "sys.widnow.move()", "module 'sys.widnow' does not exist (did you mean 'sys.window'?)")
  t.same(err "prnt 'x'", "repl:1: attempt to call a nil value (global 'prnt'); did you mean print?")
  t.has(err "sys.window.x = 1", "sys.window is read-only")
end)

t.case("printed lines are handed on in order, and before the values", function()
  local seen = {}
  local kind, values = session:evaluate("for i = 1, 3 do print(i) end return 'end'", { printed = function(lines)
    seen[#seen + 1] = lines
  end })
  t.same({ table.concat(seen, "\n"), kind, values }, { "1\n2\n3", "shown", { { '"end"' } } })
  seen = {}
  session:evaluate("for i = 1, 100000 do print(('x'):rep(100)) end print 'last'", { printed = function(lines)
    seen[#seen + 1] = lines
  end })
  t.ok(#table.concat(seen) < 12000000)
end)

t.case("a client that does not take printed lines loses some, which are counted", function()
  local time, seen = require "sys.time", {}
  session:evaluate("for i = 1, 10000 do print(('x'):rep(100)) end", { printed = function(lines)
    seen[#seen + 1] = lines
    time.sleep(0.5)
  end })
  t.match(table.concat(seen, "\n"), "%.%.%. %d+ lines were dropped")
end)

t.case("it has a time limit, and a limit of memory", function()
  local kind, message = session:evaluate("while true do end", { timeout = 0.05 })
  t.same(kind, "error")
  t.has(message, "repl was stopped after 0.05 s, its time limit, at repl:1")
  message = select(2, session:evaluate("local s = ('x'):rep(1000) t = {} for i = 1, 1e9 do t[i] = s .. i end", { memory = 1000000 }))
  t.has(message, "not enough memory")
  t.same(session:evaluate("t = nil", {}), "nothing")
end)

t.case("a call that an evaluation started ends with it", function()
  local task, time = require "sys.task", require "sys.time"
  task.with_timeout(0.05, function() session:evaluate("require('sys.time').sleep(60)", {}) end)
  time.sleep(0)
  for _, each in ipairs(select(2, console.calls())) do t.ok(each.name ~= "repl", each.waits) end
end)

-- --- help -----------------------------------------------------------------------------------

t.case("help prints what is declared", function()
  local function help(typed)
    local kind, values = session:evaluate("help" .. typed, {})
    t.same(kind, "shown")
    return values[1][1]
  end
  t.has(help "(sys.window.move)", "sys.window.move(ref, x, y [, options])\n")
  t.same(help "(sys.window.move)", help "'sys.window.move'")
  t.has(help "(sys.time)", "sys.time.sleep(seconds)\n  Waits; other calls go on.")
  t.has(help "(require 'sys.path'.join)", "sys.path.join(...)")
  t.has(help "'sys.time.slep'", 'sys.time has no function "slep"; did you mean sleep?')
  t.has(help "(print)", "That is a function.")
end)

t.done()
