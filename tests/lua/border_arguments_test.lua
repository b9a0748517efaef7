#!/usr/bin/env tests/lua/run
--- border.arguments: arguments that do not fit a schema as they came.
local json    = require "sys.json"
local prepare = require "border.arguments"
local schemas = require "schema"
local t       = require "check"

local WINDOW = { type = "object", properties = { window = schemas.also_called("name", schemas.string()) } }

--- Takes arguments through all steps: the result, and the names of those that were in strings; or the message, and its code.
local function taken(text, schema, client)
  local given = { args = json.decode(text), schema = schema, client = client ~= false }
  local step, names = 1, nil
  while true do
    local args, next_step, more = prepare(step, given)
    if args == nil then return next_step, more end
    if not args then return json.encode(given.args), names end
    step, names = next_step, more or names
  end
end

local function keeps(text, schema, client)
  t.same(taken(text, schema, client), text)
  t.same(prepare(1, { args = json.decode(text), schema = schema, client = client ~= false }), false, "changed")
end


t.case("another name becomes the parameter's own", function()
  t.same(taken('{"name":"a"}', WINDOW), '{"window":"a"}')
  t.same(taken('{"name":"a"}', WINDOW, false), '{"window":"a"}', "of code")
  t.same(taken('{"name":"a","window":"a"}', WINDOW), '{"window":"a"}')
  t.same(taken('{"name":"a","window":null}', WINDOW), '{"window":"a"}')
  t.same(taken('{"name":null,"window":"a"}', WINDOW), '{"window":"a"}')
  t.same(taken('{"name":null}', WINDOW), '{}')
  keeps('{"title":"a"}', WINDOW)
end)

t.case("two names with different values are refused, and long values are not repeated", function()
  local message, code = taken('{"name":"a","window":"b"}', WINDOW)
  t.same(message, 'window is "b" and name is "a", but both name the same parameter. Pass only window')
  t.same(code, "invalid_arguments")
  t.same(taken(json.encode { name = ("x"):rep(100), window = { 1 } }, WINDOW),
    "window is [1] and name is a long value, but both name the same parameter. Pass only window")
end)

t.case("values are compared as JSON", function()
  t.same(taken('{"name":{"a":1,"b":[2]},"window":{"b":[2.0],"a":1}}', WINDOW), '{"window":{"b":[2],"a":1}}')
  t.has(taken('{"name":[1,2],"window":[2,1]}', WINDOW), "window is [2,1] and name is [1,2]")
end)

t.case("a parameter that has the name itself keeps it", function()
  local both = { type = "object", properties = { window = schemas.also_called("name", schemas.string()), name = schemas.string() } }
  keeps('{"name":"a"}', both)
end)

t.case("null for an optional property that cannot be null is taken out, at any depth", function()
  local text = schemas.string()
  local of = { type = "object", required = { "must" }, properties = {
    may = text, must = text, null = { type = { "string", "null" } }, any = {}, list = { type = "array", items = {
      type = "object", properties = { may = text } } } } }
  t.same(taken('{"may":null,"must":null}', of), '{"must":null}')
  t.same(taken('{"list":[{"may":null},{"may":"a"}]}', of), '{"list":[{},{"may":"a"}]}')
  keeps('{"must":null}', of)
  keeps('{"null":null,"any":null,"other":null}', of)
  keeps('{"list":[null]}', of)
end)

t.case("JSON in a string is read where no string may be", function()
  local of = { type = "object", properties = {
    whole = { type = "integer" }, text = schemas.string(), either = { type = { "string", "integer" } },
    list = { ["$ref"] = "#/$defs/list" },
    old = { ["$ref"] = "#/definitions/whole" }, level = { enum = { 1, 2 } }, one = { const = 1 }, ["or"] = { anyOf = { { type = "integer" },
      { type = "boolean" } } }, ["and"] = { allOf = { { type = "integer" } } }, pair = { prefixItems = { { type = "string" } },
      items = { type = "integer" } } }, additionalProperties = { type = "boolean" },
    ["$defs"] = { list = { type = "array", items = { type = "integer" } } }, definitions = { whole = { type = "integer" } } }
  for text, want in pairs {
    ['{"whole":"3"}'] = '{"whole":3}', ['{"list":"[1,2]"}'] = '{"list":[1,2]}', ['{"list":["1",2]}'] = '{"list":[1,2]}',
    ['{"old":"3"}'] = '{"old":3}', ['{"level":"2"}'] = '{"level":2}', ['{"one":"1"}'] = '{"one":1}', ['{"or":"true"}'] = '{"or":true}',
    ['{"and":"1"}'] = '{"and":1}', ['{"pair":["1","1"]}'] = '{"pair":["1",1]}', ['{"other":"false"}'] = '{"other":false}',
    ['{"whole":"123456789012345678901234567890"}'] = '{"whole":123456789012345678901234567890}',
  } do
    t.same(taken(text, of), want)
    keeps(text, of, false)
  end
  for _, text in ipairs { '{"text":"1"}', '{"either":"1"}', '{"whole":"three"}', '{"whole":"[1]"}', '{"whole":"\\"1\\""}', '{"list":"[1"}',
    '{"level":"true"}', '{"or":"[1]"}', '{"and":"{}"}' } do
    keeps(text, of)
  end
end)

t.case("the names of what was read have their place, in the order in which they came", function()
  local whole = { type = "integer" }
  local of = { type = "object", properties = { z = whole, a = whole, in_it = { type = "object", properties = { n = {
    type = "array", items = whole } } } } }
  local given = { args = json.decode '{"z":"1","a":"2","in_it":{"n":[0,"1"]}}', order = { "z", "a", "in_it" }, schema = of, client = true }
  t.same(select(3, prepare(1, given)), "z, a, in_it.n[1]")
  local many, long = {}, ("x"):rep(100)
  for i = 1, 20 do many[i .. long] = "1" end
  local names = select(3, prepare(1, { args = many, schema = { type = "object", additionalProperties = whole }, client = true }))
  t.ok(#names > 300 and #names < 400, #names)
  t.ok(not names:find(("x"):rep(60)), "a long name is cut")
end)

t.case("a schema that refers to itself ends", function()
  local round = { type = "object", properties = { a = { ["$ref"] = "#/$defs/a" } }, ["$defs"] = { a = { ["$ref"] = "#/$defs/a" } } }
  keeps('{"a":"1"}', round)
  round["$defs"].a = { anyOf = { { ["$ref"] = "#/$defs/a" } } }
  keeps('{"a":"1"}', round)
end)

t.case("one step at a time, so that what fits by then stays as it is", function()
  local of = { type = "object", properties = { window = schemas.also_called("name", {}), n = { type = "integer" } } }
  local given = { args = json.decode '{"name":"a","n":"1"}', schema = of, client = true }
  local args, next_step = prepare(1, given)
  t.same(json.encode(args), '{"n":"1","window":"a"}')
  args, next_step = prepare(next_step, given)
  t.same(json.encode(args), '{"n":1,"window":"a"}')
  t.same(prepare(next_step, given), false)
end)

t.done()
