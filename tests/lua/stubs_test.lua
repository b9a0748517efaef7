#!/usr/bin/env tests/lua/run
--- stubs: functions, types with their methods, and examples that are read out of declarations.
local stubs = require "stubs"
local t     = require "check"

t.case("types have fields and methods, and private ones are left out", function()
  local stub = stubs.parse("sys.x", [[
---@class sys.x
local x = {}

--- Where it is.
---@class sys.x.Box: sys.x.Base
---@field mode "a b"|"c"  how
---@field private hidden string
local Box = {}

--- Opens it.
---@return true? ok
---@return string? err
---@return string? code  "locked"
function Box:open() end

---@private
function Box:secret() end

function Box:__call() end

---@alias sys.x.Side "left"|"right"  of the box

---@return integer count  how many
function x.count() end
]])
  t.same(stub.order, { "count" })
  t.same(stub.functions.count.returns, { { type = "integer", name = "count", about = "how many" } })
  local _, box, side = table.unpack(stub.types)
  t.same({ box.name, box.about, box.extends, #box.methods }, { "sys.x.Box", "Where it is.", "sys.x.Base", 1 })
  t.same(box.own, { { name = "mode", type = '"a b"|"c"', about = "how" } })
  t.same(stubs.method_signature(box, box.methods[1]), "box:open()")
  t.same({ side.name, side.stands_for, side.about }, { "sys.x.Side", '"left"|"right"', "of the box" })
end)

t.case("a module of which a part is Lua, which comes last", function()
  local stub = stubs.parse("sys.x", [[
---@meta sys.x

-- The part that is C.
---@class sys.x
local x = {}

--- Is fast.
---@param n integer
function x.fast(n) end

---@private
function x.inner() end

---@private
---@class sys.x.Inner
local inner = {}

--- About x.

local core = require "sys.x"

---@class sys.x
local M = {}

--- Watches it.
---@param folder string
M.watch = files.watch

function M.slow(n) return n end
]])
  t.same(stub.about, "About x.")
  t.same(stub.order, { "fast", "watch", "slow" })
  t.same(stub.functions.fast.about, "Is fast.")
  t.same(stubs.signature(stub, stub.functions.watch), "sys.x.watch(folder)")
  t.same({ stub.types[2].name, stub.types[2].private }, { "sys.x.Inner", true })
end)

t.case("a module may be a function", function()
  local stub = stubs.parse("show", "--- Shows it.\n\n---@param value any\nreturn function(value) end")
  t.same(stub.about, "Shows it.")
  t.same(stubs.signature(stub, stub.functions[""]), "show(value)")
end)

t.case("examples are parts under their names", function()
  local found = stubs.parse_examples 'local x = require "x"\n\n--- module\nprint(x)  --> 1\n\n--- Box:open\n-- a comment\nx.open()\n'
  t.same(found, { head = 'local x = require "x"', order = { "", "Box:open" },
    of = { [""] = "print(x)  --> 1", ["Box:open"] = "-- a comment\nx.open()" } })
end)

t.case("help on a name, and the nearest name for an unknown one", function()
  t.has(stubs.named "sys.window.move", "sys.window.move(ref, x, y [, options])")
  t.has(stubs.named "sys.window.move", "Example\n  local front")
  t.has(stubs.named "sys.task.Task", "sys.task.Task\n\ntask:join([seconds])\n  Waits for its end.")
  t.has(stubs.named "sys.task.Task:join", "\nExample\n  local slow")
  t.has(stubs.named "sys.input.Button", '"left"|"middle"')
  t.has(stubs.named "sys.task", "\nTypes\n  sys.task.MapOptions\n")
  t.has(stubs.named "sys.fs", "sys.fs.watch(folder")
  t.has(stubs.named "inspect", "inspect(value [, options])")
  local said, missing = stubs.named "sys.window.mov"
  t.same({ said, missing }, { 'sys.window has no function "mov"; did you mean move?', true })
  t.same(stubs.named "sys.none.at.all", nil)
end)

t.done()
