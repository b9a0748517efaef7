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

t.case("a long table has a line for each field", function()
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

t.case("a table that reads from another is that one", function()
  t.same(inspect(setmetatable({}, { __index = { a = 1 } })), "{ a = 1 }")
  t.same(inspect(setmetatable({ b = 2 }, { __index = { a = 1 } })), "{ b = 2 }")
  local itself = {}
  setmetatable(itself, { __index = itself })
  t.same(inspect(itself), "{}")
  t.has(inspect(require "schema"), "object = function: ")
end)

t.case("keys of every type have an order", function()
  t.same(inspect { [1e300] = 1, [-1] = 2, [0.5] = 3, [false] = 4, b = 5, a = 6, ["a b"] = 7, ["1a"] = 8 },
    '{ [false] = 4, [-1] = 2, [0.5] = 3, [1e+300] = 1, ["1a"] = 8, a = 6, ["a b"] = 7, b = 5 }')
end)

t.case("strings are as Lua writes them", function()
  t.same(inspect "a\0b\0001\27\127\\\"\t\r\n", [["a\0b\0001\27\127\\\"\t\r\n"]])
  t.same(inspect "ä€", '"ä€"')
  t.same(#inspect(("\1"):rep(1000000)) < 110000, true)
  t.has(inspect(("\1"):rep(1000000)), '\\1"... 1000000 bytes')
end)

t.case("a wrong option is refused", function()
  t.raises(function() inspect({}, { dpth = 1 }) end, "dpth")
  t.raises(function() inspect({}, { depth = 1000 }) end, "depth")
  t.raises(function() inspect({}, { hide = "password" }) end, "hide")
  t.raises(function() inspect({ a = 1 }, { hide = function() error "not this one" end }) end, "not this one")
end)

t.case("a million tables end soon", function()
  local wide = {}
  for i = 1, 200 do wide[i] = {} end
  for _ = 1, 3 do
    local next = {}
    for i = 1, 200 do next[i] = wide end
    wide = next
  end
  t.ok(#inspect(wide) < 1000000)
end)

t.case("depth has an end in C, too", function()
  local deep = {}
  for _ = 1, 100000 do deep = { deep } end
  t.has(inspect(deep, { depth = 60 }), "{...}")
end)

t.done()
