#!/usr/bin/env tests/lua/run
--- sys.text: how far apart two words are.
local t    = require "check"
local text = require "sys.text"

local CASES = {
  { "", "", 0 },
  { "name", "name", 0 },
  { "", "abc", 3 },
  { "abc", "", 3 },
  { "window", "windo", 1 },
  { "window", "windowy", 1 },
  { "window", "wimdow", 1 },
  { "window", "widnow", 1 },
  { "kitten", "sitting", 3 },
  { "ca", "abc", 3 },
  { "Name", "name", 1 },
  { "Größe", "Grosse", 3 },
  { "éa", "aé", 1 },
  { "\u{1F600}", "x", 1 },
  { "\xff\xfe", "\xfe", 1 },
  { ("a"):rep(64), ("b"):rep(64), 64 },
  { ("é"):rep(64), ("é"):rep(63), 1 },
}

for _, case in ipairs(CASES) do
  t.case(("%q and %q are %d apart"):format(case[1], case[2], case[3]), function()
    t.same(text.distance(case[1], case[2]), case[3])
    t.same(text.distance(case[2], case[1]), case[3])
    t.same(text.distance(case[1], case[2], case[3]), case[3])
    t.same(text.distance(case[1], case[2], case[3] - 1), nil)
  end)
end

t.case("a text of more than 64 characters is not compared", function()
  for _, long in ipairs { ("a"):rep(65), ("é"):rep(65), ("\u{1F600}"):rep(65), "\xff" .. ("a"):rep(64), ("a"):rep(100000) } do
    t.same(text.distance(long, long), nil)
    t.same(text.distance("a", long, 1000000), nil)
  end
end)

t.case("what is not a text is refused", function()
  t.raises(function() text.distance(nil, "a") end, "string expected")
  t.raises(function() text.distance("a", {}) end, "string expected")
  t.raises(function() text.distance("a", "b", 1.5) end, "no integer representation")
end)

t.case("texts are matched by a regular expression", function()
  t.same(text.matches({ "Save as", "x", "Grüße" }, "^Gr[ü]|as$"), { true, false, true })
  t.same(text.matches({}, "a"), {})
  t.same(select(3, text.matches({ "a" }, "(")), "invalid_pattern")
  t.raises(function() text.matches({ 1 }, "a") end, "list of strings")
  local many = {}
  for i = 1, 257 do many[i] = "a" end
  t.raises(function() text.matches(many, "a") end, "at most 256")
end)

t.done()
