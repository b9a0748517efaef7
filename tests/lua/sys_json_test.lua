#!/usr/bin/env tests/lua/run
--- sys.json: values there and back. The parser itself is tested in tests/c/json/json*_test.c.
local t    = require "check"
local json = require "sys.json"

local function both_ways(text)
  t.same(json.encode(json.decode(text)), text)
end

t.case("scalars keep their kind", function()
  t.same(json.decode "1", 1)
  t.same(json.decode "1.0", 1)
  t.same(json.decode "1.5", 1.5)
  t.same(json.decode "-0", -0.0)
  t.same(json.decode "true", true)
  t.same(json.decode '"x"', "x")
  t.same(json.decode "null", json.null)
  t.same(json.encode(1), "1")
  t.same(json.encode(1.0), "1")
  t.same(json.encode(1.5), "1.5")
  t.same(json.encode(false), "false")
  t.same(json.encode(nil), "null")
  t.same(json.encode(json.null), "null")
end)

t.case("whole numbers of 64 bits are exact, and floats beyond", function()
  t.same(json.decode "9007199254740992", 9007199254740992)
  t.same(json.decode "-9007199254740992", -9007199254740992)
  t.same(json.decode "9007199254740993", 9007199254740993)
  t.same(math.type(json.decode "9007199254740994"), "integer")
  t.same(json.decode "9223372036854775807", math.maxinteger)
  t.same(json.decode "-9223372036854775808", math.mininteger)
  t.same(json.decode "9223372036854775808", 2.0 ^ 63)
  t.same(json.decode "1e300", 1e300)
  t.same(json.encode(9007199254740992), "9007199254740992")
  t.same(json.encode(math.maxinteger), "9223372036854775807")
  t.same(json.encode(math.mininteger), "-9223372036854775808")
  t.same(json.encode(0.1), "0.1")
  t.same(json.decode(json.encode(1 / 3)), 1 / 3)
  t.same(json.encode(1e300), json.encode(json.decode(json.encode(1e300))))
end)

t.case("digits that no number of Lua holds stay where nothing changed them", function()
  local text = '{"a":18446744073709551615,"b":[123456789012345678901234567890,0.12345678901234567890,1.5],'
    .. '"c":' .. ("7"):rep(90) .. "}"
  both_ways(text)
  local value = json.decode(text)
  t.same(math.type(value.a), "float")
  value.b[1], value.a = 2 ^ 70, nil
  t.same(json.encode(value.b), "[1.1805916207174113e+21,0.12345678901234567890,1.5]")
  value.b[2] = 0.5
  t.same(json.encode { value.b[2], value.b[3] }, "[0.5,1.5]")
end)

t.case("put keeps the digits in a table of ours", function()
  local value = { list = json.array {} }
  t.same(json.put(value, "id", " 12345678901234567890123 "), true)
  t.same(json.put(value.list, 1, "0.12345678901234567890"), true)
  t.same(json.put(value, "whole", "7"), true)
  t.same(json.encode(value), '{"id":12345678901234567890123,"list":[0.12345678901234567890],"whole":7}')
  local ok, err, code = json.put(value, "id", ".5")
  t.same({ ok, type(err), code }, { nil, "string", "json_syntax" })
  t.same(json.encode(value.id), "1.2345678901234568e+22")
end)

t.case("a number that JSON cannot write is an error that names its place", function()
  local function refused(value, want)
    local text, err, code = json.encode(value)
    t.same({ text, err, code }, { nil, want, "not_json" })
  end
  refused({ a = { b = { 1, 0 / 0 } } }, ".a.b[2]: NaN cannot be written as JSON")
  refused({ math.huge }, "[1]: infinity cannot be written as JSON")
  refused(-math.huge, "infinity cannot be written as JSON")
end)

t.case("arrays and objects stay apart, also when they are empty", function()
  both_ways "[]"
  both_ways "{}"
  both_ways '{"a":[],"b":{},"c":[[]],"d":[{}]}'
  t.same(json.encode {}, "{}")
  t.same(json.encode(json.array()), "[]")
  t.same(json.encode(json.object()), "{}")
  t.same(json.encode { json.array {}, {} }, "[[],{}]")
  t.same(json.encode(json.array { 1, 2 }), "[1,2]")
  t.same(json.encode(json.object { "x" }), nil)
end)

t.case("an empty object that was read becomes a list when items are added", function()
  local value = json.decode '{"list":{},"names":{}}'
  value.list[#value.list + 1] = "first"
  value.names.first = 1
  t.same(json.encode(value), '{"list":["first"],"names":{"first":1}}')
end)

t.case("is_array tells how it would be written", function()
  t.same(json.is_array {}, false)
  t.same(json.is_array { 1 }, true)
  t.same(json.is_array { a = 1 }, false)
  t.same(json.is_array { 1, a = 1 }, false)
  t.same(json.is_array(json.array()), true)
  t.same(json.is_array(json.object()), false)
  t.same(json.is_array(json.decode "[]"), true)
  t.same(json.is_array(json.decode "{}"), false)
  t.same(json.is_array "x", false)
  t.same(json.is_array(nil), false)
end)

t.case("array and object mark the table they are given", function()
  local list = {}
  t.ok(rawequal(json.array(list), list))
  t.same(json.encode(list), "[]")
  local object = { b = 1, a = 2 }
  t.ok(rawequal(json.object(object, { "b", "a" }), object))
  t.same(json.encode(object), '{"b":1,"a":2}')
  t.raises(function() json.array "x" end, "table expected")
  t.raises(function() json.object(1) end, "table expected")
end)

t.case("null keeps its place in a list", function()
  local list = json.decode "[null,1,null]"
  t.same(#list, 3)
  t.same({ list[1] == json.null, list[2], list[3] == json.null }, { true, 1, true })
  both_ways "[null,1,null]"
end)

t.case("keys are sorted by bytes", function()
  t.same(json.encode { b = 1, a = 2, B = 3, ["\xc3\xa9"] = 4, [""] = 5 }, '{"":5,"B":3,"a":2,"b":1,"\xc3\xa9":4}')
end)

t.case("keys that are given an order come first and in it", function()
  local order = { "z", "gone", "a", "z" }
  t.same(json.encode(json.object({ a = 1, m = 2, b = 3, z = 4 }, order)), '{"z":4,"a":1,"b":3,"m":2}')
  t.same(json.encode(json.object({}, order)), "{}")
end)

t.case("decoded objects are written in the order that they came in", function()
  both_ways '{"z":1,"a":{"y":[{"q":1,"b":2},{"q":3,"b":{}},{"b":4,"q":5}],"x":null},"m":[]}'
  t.same(json.encode(json.decode '{"b":1,"a":2,"b":3}'), '{"b":3,"a":2}')
  t.same(json.encode(json.decode '{"b\\u0000":1,"b":2,"a":3}'), '{"b\\u0000":1,"b":2,"a":3}')
  local names = {}
  for i = 200, 1, -1 do names[#names + 1] = ('"%d":%d'):format(i, i) end
  both_ways("{" .. table.concat(names, ",") .. "}")
end)

t.case("a decoded object that a script changes keeps the order of the rest", function()
  local value = json.decode '{"z":1,"y":2,"a":3}'
  value.b, value.c, value.y = 4, 5, nil
  t.same(json.encode(value), '{"z":1,"a":3,"b":4,"c":5}')
  t.same(json.encode(json.decode '{"z":1,"y":2,"a":3}'), '{"z":1,"y":2,"a":3}')  -- others of its kind are as they were
  t.same(json.encode(json.object(value)), '{"a":3,"b":4,"c":5,"z":1}')
end)

t.case("strings are written so that any reader understands them", function()
  t.same(json.encode 'a"\\/\b\f\n\r\t', [["a\"\\/\b\f\n\r\t"]])
  t.same(json.encode "\0\1\31\127", '"\\u0000\\u0001\\u001f\127"')
  t.same(json.encode "é € 😀", '"é € 😀"')
  t.same(json.encode "\xff\xc3(\xed\xa0\x80", '"\u{fffd}\u{fffd}(\u{fffd}\u{fffd}\u{fffd}"')
  t.same(json.decode '"\\u0000\\u00e9\\ud83d\\ude00"', "\0é😀")
  t.same(json.decode '{"a\\u0000b":1}', { ["a\0b"] = 1 })
  for _, text in ipairs { '"a\\u0000b"', '"\\u001f"', '"😀"' } do both_ways(text) end
end)

t.case("the last of equal keys counts", function()
  t.same(json.decode '{"a":1,"a":2}', { a = 2 })
end)

t.case("pretty text has two spaces a level", function()
  t.same(json.encode({ a = { 1, {} }, b = json.array() }, { pretty = true }),
    '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}')
  t.same(json.encode(1, { pretty = true }), "1")
end)

t.case("a value that cannot be written is named with its path", function()
  local function refuses(value, text)
    local result, err, code = json.encode(value)
    t.same({ result, err, code }, { nil, text .. " cannot be written as JSON", "not_json" })
  end
  refuses(print, "a function")
  refuses({ a = { b = { 1, 2, print } } }, ".a.b[3]: a function")
  refuses({ x = { 1, a = 2 } }, ".x: a table with both names and numbers (or other keys)")
  refuses({ [1.5] = 1 }, "a table with both names and numbers (or other keys)")
  refuses({ [true] = 1 }, "a table with both names and numbers (or other keys)")
  refuses({ [0] = 1 }, "a table with both names and numbers (or other keys)")
  refuses({ [1] = 1, [3] = 3 }, "a list with a gap, whose item [2] is nil (sys.json.null fills it),")
  refuses({ list = { 1, nil, 3 } }, ".list: a list with a gap, whose item [2] is nil (sys.json.null fills it),")
  refuses({ nil, 2 }, "a list with a gap, whose item [1] is nil (sys.json.null fills it),")
  refuses(json.object({ a = print }, { "a" }), ".a: a function")
end)

t.case("a table within itself is refused", function()
  local loop = {}
  loop.loop = loop
  local text, err, code = json.encode(loop)
  t.same({ text, code }, { nil, "not_json" })
  t.has(err, "a table that contains itself")
  local deep = {}
  for _ = 1, 100 do deep = { deep } end
  t.same(#json.encode(deep), 202)
end)

t.case("syntax errors have line and column, and a code", function()
  local function refuses(text, code, part)
    local value, err, got = json.decode(text)
    t.same({ value, got }, { nil, code }, text)
    t.has(err, part)
  end
  refuses("", "json_syntax", "line 1")
  refuses('{"a":1,\n  b:2}', "json_syntax", "line 2")
  refuses("[1,]", "json_syntax", "line 1")
  refuses("1 2", "json_syntax", "line 1")
  refuses("nul", "json_syntax", "line 1")
  refuses('"\xff"', "json_utf8", "line 1")
  refuses('"\\ud800"', "json_surrogate", "line 1")
  refuses(("["):rep(100000), "json_depth", "")
  t.raises(function() json.decode() end, "string expected")
  t.raises(function() json.decode {} end, "string expected")
end)

t.case("a large value comes back as it went", function()
  local list = {}
  for i = 1, 20000 do list[i] = { id = i, name = "item " .. i, tags = { "a", "b" }, empty = json.array() } end
  local text = json.encode(list)
  t.same(json.encode(json.decode(text)), text)
end)

t.case("check tells what a schema does not allow", function()
  local schema = {
    type = "object",
    properties = { x = { type = "integer", minimum = 1 }, list = { type = "array", maxItems = 1 } },
    required = { "x" },
    additionalProperties = false,
  }
  t.same(json.check(schema, { x = 1 }), true)
  t.same(json.check(schema, { x = 1, list = json.array() }), true)
  local function refuses(value, ...)
    local ok, err = json.check(schema, value)
    t.same(ok, false)
    for _, part in ipairs { ... } do t.has(err, part) end
  end
  refuses({ x = 0 }, "x")
  refuses({}, "x")
  refuses({ x = 1, y = 2 }, "y")
  refuses({ x = 1, list = { 1, 2 } }, "list")
  refuses({ x = 1, list = {} }, "list") -- an object
  refuses("x", "object")
  t.same(json.check({ type = "null" }, nil), true)
  t.raises(function() json.check("x", 1) end, "table expected")
  t.raises(function() json.check({}) end, "value expected")
end)

t.case("a value that is not a schema is told", function()
  local ok, err = json.check({ type = "nonsense" }, 1)
  t.same(ok, false)
  t.has(err, "type: expected one of")
  ok, err = json.check({ properties = print }, 1)
  t.same(ok, false)
  t.has(err, ".properties: a function cannot be written as JSON")
end)

t.done()
