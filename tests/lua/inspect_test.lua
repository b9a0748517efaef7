#!/usr/bin/env tests/lua/run
--- inspect: values as text.
local inspect = require "inspect"
local json    = require "sys.json"
local t       = require "check"

t.case("plain values", function()
  for text, value in pairs { ["1.5"] = 1.5, ["true"] = true, ['"a\\n\\"b\\""'] = "a\n\"b\"", null = json.null } do
    t.same(inspect(value), text)
  end
  t.same(inspect(nil), "nil")
  t.same(inspect(print):find "^function" ~= nil, true)
end)

t.case("tables, with their keys in order", function()
  t.same(inspect {}, "{}")
  t.same(inspect { 1, "x", b = 2, a = { c = false }, ["two words"] = 3, [10] = 4, [true] = 5 },
    '{ 1, "x", [true] = 5, [10] = 4, a = { c = false }, b = 2, ["two words"] = 3 }')
end)

t.case("what is long has lines of its own", function()
  t.same(inspect({ first = ("x"):rep(20), second = { 1 } }, { width = 30 }),
    '{\n  first = "xxxxxxxxxxxxxxxxxxxx",\n  second = { 1 }\n}')
end)

t.case("a table in itself, a deep one and a large one end", function()
  local value = { name = "x" }
  value.me = value
  t.same(inspect(value), '{ me = {...}, name = "x" }')
  t.same(inspect({ { { 1 } } }, { depth = 2 }), "{ { {...} } }")
  t.same(inspect({ 1, 2, 3, a = 4 }, { items = 2 }), "{ 1, 2, ... 2 more }")
  local many = {}
  for i = 1, 100000 do many["key" .. i] = i end
  t.same(inspect(many, { items = 1 }):match "%.%.%. %d+ more", "... 99999 more")
  t.same(#inspect(("x"):rep(1000000)) < 110000, true)
end)

t.case("no metamethod of a table is called", function()
  local function never() error "called" end
  t.same(inspect(setmetatable({ 1 }, { __index = never, __pairs = never, __len = never, __tostring = never })), "{ 1 }")
end)

t.case("a long string is cut where a character begins, and its length told", function()
  t.same(inspect(("a"):rep(10), { bytes = 4 }), '"aaaa"... 10 bytes')
  t.same(inspect("aaaé" .. "b", { bytes = 4 }), '"aaa"... 6 bytes')
  t.same(inspect("aaaa", { bytes = 4 }), '"aaaa"')
end)

t.case("values of some keys are hidden", function()
  local hide = function(key) return key == "password" end
  t.same(inspect({ password = "x", a = { password = { 1 }, b = 2 } }, { hide = hide }),
    "{ a = { b = 2, password = *** }, password = *** }")
end)

t.done()
