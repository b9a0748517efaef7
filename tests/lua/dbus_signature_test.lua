#!/usr/bin/env tests/lua/run
--- dbus.signature: values of JSON for every type, with a service that returns what it gets; values that no type takes.
local t         = require "check"
local crypto    = require "sys.crypto"
local dbus      = require "sys.dbus"
local json      = require "sys.json"
local process   = require "sys.process"
local signature = require "dbus.signature"

local folder = ...

local ROUNDS = 600
local EXACT = 1 << 53

local function pick(list) return list[math.random(#list)] end

-- --- valid values, each with what an answer tells of it ---------------------------------------------

local function whole(least, most)
  return function()
    local value = pick { least, most, least + 1, most - 1, math.random(least, most) }
    return value, value
  end
end

local BASIC = {
  y = whole(0, 255), n = whole(-32768, 32767), q = whole(0, 65535), i = whole(-2147483648, 2147483647), u = whole(0, 4294967295),
  x = function()
    local value = pick { 0, -EXACT, EXACT, math.mininteger, math.maxinteger, math.random(0) }
    if value > EXACT or value < -EXACT then return tostring(value), tostring(value) end
    return value, value
  end,
  t = function()
    local value = pick { 0, EXACT, tostring(math.maxinteger), "9223372036854775808", "18446744073709551615", math.random(1000) }
    return value, value
  end,
  b = function() local value = math.random(2) == 1 return value, value end,
  d = function() local value = pick { 0.5, -1e300, 1e-300, 3.25, math.random() } return value, value end,
  s = function() local value = pick { "", "a", "Grüße 世界 😀", "a\nb\"\\", ("x"):rep(3000) } return value, value end,
  o = function() local value = pick { "/", "/a", "/a/b_1/C" } return value, value end,
  g = function() local value = pick { "", "s", "a{sv}", "(ii)aas" } return value, value end,
}
local BASIC_KINDS = { "y", "n", "q", "i", "u", "x", "t", "b", "d", "s", "o", "g" }

local make

local function bytes()
  local raw = pick { "", "\0", "abc", "abc\0", "\255\254", "a\0b\0", "Grüße\0", ("z"):rep(9000) }
  local plain = raw:match "^([^%z]+)%z$"
  local told = plain and utf8.len(plain) and plain or { base64 = crypto.base64(raw) }
  if plain and math.random(2) == 1 then return pick { plain, raw }, told end
  if math.random(3) == 1 then return json.array { raw:byte(1, 100) }, #raw <= 100 and told
    or { base64 = crypto.base64(raw:sub(1, 100)) } end
  return { base64 = crypto.base64(raw) }, told
end

local function list(kind)
  local given, told = json.array {}, json.array {}
  for i = 1, math.random(0, 3) do given[i], told[i] = make(kind) end
  return given, told
end

local function dictionary(key_kind, kind)
  local given, told, seen = json.object {}, key_kind == "s" and json.object {} or json.array {}, {}
  local as_pairs = math.random(2) == 1
  if as_pairs then given = json.array {} end
  local keys = {}
  for _ = 1, math.random(0, 3) do
    local key, key_told = BASIC[key_kind]()
    local name = tostring(key)
    if not seen[name] then
      seen[name] = true
      keys[#keys + 1] = { name, key, key_told }
    end
  end
  if not as_pairs then table.sort(keys, function(a, b) return a[1] < b[1] end) end
  for i, each in ipairs(keys) do
    local value, value_told = make(kind)
    if as_pairs then given[i] = { each[2], value } else given[each[1]] = value end
    if key_kind == "s" then told[each[2]] = value_told else told[i] = { each[3], value_told } end
  end
  return given, told
end

local function variant()
  local way = math.random(5)
  if way == 1 then return pick { { true, true }, { 7, 7 }, { -3000000000, -3000000000 }, { 1.5, 1.5 }, { "a", "a" } } end
  if way == 2 then return { json.array { "a", "b" }, json.array { "a", "b" } } end
  if way == 3 then return { { one = 1, two = "x" }, { one = 1, two = "x" } } end
  if way == 4 then return { json.array { 1, "x", json.array { true } }, json.array { 1, "x", json.array { true } } } end
  local kind = pick(BASIC_KINDS)
  local value, told = BASIC[kind]()
  return { { type = kind, value = value }, told }
end

function make(kind)
  if BASIC[kind] then return BASIC[kind]() end
  if kind == "v" then return table.unpack(variant()) end
  if kind == "ay" then return bytes() end
  if kind:find "^a{" then return dictionary(kind:sub(3, 3), kind:sub(4, -2)) end
  if kind:find "^a" then return list(kind:sub(2)) end
  local given, told = json.array {}, json.array {}
  for i, each in ipairs(signature.types(kind:sub(2, -2))) do given[i], told[i] = make(each) end
  return given, told
end

local function any_kind(depth)
  local way = math.random(depth > 2 and 12 or 20)
  if way <= 12 then return BASIC_KINDS[way] end
  if way == 13 then return "v" end
  if way == 14 then return "ay" end
  if way <= 16 then return "a" .. any_kind(depth + 1) end
  if way <= 18 then return ("a{%s%s}"):format(pick(BASIC_KINDS), any_kind(depth + 1)) end
  return ("(%s%s)"):format(any_kind(depth + 1), any_kind(depth + 1))
end

-- --- values that do not fit -------------------------------------------------------------------------

local WRONG = {
  y = { -1, 256, 1.5, "1", true, json.null, json.array {} }, n = { -32769, 32768, 0.1, "x", json.array { 1 } },
  q = { -1, 65536, "1" }, i = { 2147483648, -2147483649, 1e300, "2" }, u = { -1, 4294967296, false },
  x = { "9223372036854775808", "-9223372036854775809", "1.5", "", "0x10", " 1", 1e18, 0.5, true },
  t = { "-1", -1, "18446744073709551616", "99999999999999999999", "01", 1e19, json.null },
  b = { 0, 1, "true", json.null, json.array {} }, d = { "1.5", true, json.null, json.array {} },
  s = { 1, true, json.null, "a\0b", "\255", json.array {}, { a = 1 } },
  o = { "", "a", "/a/", "//", "/a b", "/ä", 1, "/a\0" }, g = { "{", "a", "(", "()", "z", "a{vs}", "{sv}", 1, ("a"):rep(33) .. "i" },
  h = { 0, 1, json.null }, v = { json.null, { type = "zz", value = 1 }, { type = "ii", value = 1 }, { type = "y", value = 300 },
    { type = "h", value = 0 } },
  ay = { 1, true, json.null, { base64 = "a" }, { base64 = "????" }, json.array { 1, 256 }, { base64 = "YQ==", more = 1 } },
  as = { "a", 1, json.array { 1 }, json.null, { a = "b" } }, ["a{sv}"] = { 1, "x", json.array { 1 }, json.array { json.array { "a" } } },
  ["a{ub}"] = { { x = true }, { ["-1"] = true }, { ["1"] = 1 }, json.array { json.array { 1, true, 2 } } },
  ["(is)"] = { json.array { 1 }, json.array { 1, "a", 2 }, { a = 1 }, json.array { "a", 1 }, 1, json.null },
}
local WRONG_KINDS = {}
for kind in pairs(WRONG) do WRONG_KINDS[#WRONG_KINDS + 1] = kind end
table.sort(WRONG_KINDS)

--- Puts a value that does not fit into containers whose other values do.
local function wrapped(kind, value, depth)
  local way = depth > 2 and 1 or math.random(4)
  if way == 1 then return kind, value end
  if way == 2 then return wrapped("a" .. kind, json.array { value }, depth + 1) end
  if way == 3 then return wrapped(("(s%s)"):format(kind), json.array { "x", value }, depth + 1) end
  return wrapped(("a{s%s}"):format(kind), { key = value }, depth + 1)
end


t.case("a value that does not fit is refused, with its place, what is expected and what was given", function()
  math.randomseed(7)
  local count = 0
  for _, kind in ipairs(WRONG_KINDS) do
    for _, value in ipairs(WRONG[kind]) do
      for _ = 1, 5 do
        local outer, given = wrapped(kind, value, 0)
        if not (outer == "ay" and kind == "y") then
          local made, err, code = signature.convert(outer, given, "argument 1")
          t.same({ made, code }, { nil, "bad_argument" }, outer .. " " .. t.show(given) .. ": " .. tostring(err))
          t.ok(err:find("^argument 1") or err:find "^the key argument 1", err)
          count = count + 1
        end
      end
    end
  end
  t.ok(count > 400, "mutants: " .. count)
end)

t.case("the errors, read aloud", function()
  local function said(kind, value) return (select(2, signature.convert(kind, value, "argument 2 (urgency)"))) end
  t.same(said("y", 300), "argument 2 (urgency): expected an integer from 0 to 255, not 300")
  t.same(said("u", 1.5), "argument 2 (urgency): expected an integer from 0 to 4294967295, not 1.5")
  t.same(said("a{sv}", json.array { 1 }), "argument 2 (urgency)[1]: expected a pair of key and value, not 1")
  t.same(said("as", json.array { "a", 2 }), "argument 2 (urgency)[2]: expected a string, not 2")
  t.same(said("(ii)", json.array { 1 }), "argument 2 (urgency): expected a list of 2 values, not [1]")
  t.same(said("h", 3), "argument 2 (urgency): a file descriptor cannot be sent. Choose another method")
  t.same(said("x", 2.0^60), "argument 2 (urgency): expected an integer from -9223372036854775808 to 9223372036854775807 "
    .. "(beyond 2^53 as a string), not 1.152921504606847e+18")
  t.same(said("s", "a\0b"), 'argument 2 (urgency): expected UTF-8 without NUL, not "a\\u0000b"')
  t.same(said("i", ("ä"):rep(100)), "argument 2 (urgency): expected an integer from -2147483648 to 2147483647, not \""
    .. ("ä"):rep(29) .. "...")
end)

t.case("signatures and paths", function()
  for _, each in ipairs { "", "s", "a{sv}", "(i(ss))", "aaay", "a{s(ii)}v", ("a"):rep(32) .. "i" } do
    t.same(signature.is_valid(each), true, each)
  end
  for _, each in ipairs { "a", "(", "()", "{sv}", "a{vs}", "a{s}", "a{sss}", "z", "s)", ("a"):rep(33) .. "i", ("s"):rep(256) } do
    t.same(signature.is_valid(each), false, each)
  end
  t.same({ signature.is_valid("ii", true), signature.is_valid("", true), signature.is_valid("(ii)", true) }, { false, false, true })
end)

local bus, daemon, echo

local function start()
  daemon = assert(process.start { "dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=unix:path=" .. folder .. "/bus",
    "--print-address=1" })
  bus = assert(daemon:read_line())
  echo = assert(process.start { "/usr/bin/python3", "tests/lib/dbus_echo.py", bus, "test.Echo" })
  return echo:read_line()
end

if not process.exists "dbus-daemon" or start() ~= "ready" then
  t.case("D-Bus", function() t.skip "dbus-daemon, or python3-gi, is not installed (vendor/install test)" end)
  return t.done()
end

t.case("every value that fits comes back from a service as it went", function()
  math.randomseed(11)
  local calls, wanted, kinds = {}, {}, {}
  for i = 1, ROUNDS do
    local kind = i <= #BASIC_KINDS * 10 and BASIC_KINDS[i % #BASIC_KINDS + 1] or any_kind(0)
    local given, told = make(kind)
    local value, err = signature.convert("v", { type = kind, value = given }, "argument 1")
    if not value then error(kind .. " " .. t.show(given) .. ": " .. err) end
    calls[i] = { to = "test.Echo", path = "/test/echo", interface = "test.Echo", member = "Any", signature = "v", args = { value } }
    wanted[i], kinds[i] = told, kind
  end
  for i, answer in ipairs(assert(dbus.calls(bus, calls, { timeout = 60 }))) do
    t.same({ signature.told(kinds[i], (answer.values or { answer.text })[1]) }, { wanted[i] }, kinds[i])
  end
end)

t.case("dictionaries with other keys, and whole numbers of 64 bits, as sys.dbus takes and gives them", function()
  local function echoed(kind, value)
    local answers = assert(dbus.calls(bus, { { to = "test.Echo", path = "/test/echo", interface = "test.Echo", member = "Any",
      signature = "v", args = { { kind, value } } } }))
    return (answers[1].values or { answers[1].text })[1]
  end
  t.same(echoed("a{us}", { { 1, "a" }, { 4294967295, "b" } }), { { 1, "a" }, { 4294967295, "b" } })
  t.same(echoed("a{sa{ib}}", { x = { { -1, true } } }), { x = { { -1, true } } })
  t.same(echoed("t", "18446744073709551615"), "18446744073709551615")
  t.same(echoed("x", math.mininteger), math.mininteger)
  for _, case in ipairs { { "a{us}", { { 1 } } }, { "a{us}", { { "1", "a" } } }, { "a{us}", { a = "b" } }, { "t", "-1" }, { "t", "" },
    { "x", "9223372036854775808" }, { "i", "1" }, { "t", "1x" } } do
    local answers, err, code = dbus.calls(bus, { { to = "test.Echo", path = "/test/echo", interface = "test.Echo", member = "Any",
      signature = "v", args = { case } } })
    t.same({ answers, code }, { nil, "bad_call" }, t.show(case) .. tostring(err))
  end
end)

t.done()
