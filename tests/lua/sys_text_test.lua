#!/usr/bin/env tests/lua/run
--- sys.text: how far apart two words are, and what may stand in a line.
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

local PLAIN = {
  { "plain text stays", "Größe „x“ 你好 – ok", "Größe „x“ 你好 – ok" },
  { "a break of a line is a space", "a\r\n\tb\u{2028}\u{85}c", "a b c" },
  { "controls go", "\27[31mred\7\127\u{9B}0m", "[31mred0m" },
  { "what turns the direction goes", "\u{202E}a\u{2066}b\u{2069}\u{200F}\u{61C}", "ab" },
  { "what nobody sees goes", "a\u{200B}b\u{AD}c\u{2060}d\u{FEFF}e\u{FFF9}f", "abcdef" },
  { "tag characters go", "a\u{E0041}\u{E0001}b", "ab" },
  { "a joiner stays in an emoji", "\u{1F469}\u{200D}\u{1F4BB} \u{2764}\u{FE0F}\u{200D}\u{1F525}",
    "\u{1F469}\u{200D}\u{1F4BB} \u{2764}\u{FE0F}\u{200D}\u{1F525}" },
  { "a joiner stays in a script that needs it", "می\u{200C}خواهم", "می\u{200C}خواهم" },
  { "a joiner beside ASCII goes", "a\u{200D}b\u{200C}é\u{200D}", "abé" },
  { "one of several joiners stays", "é\u{200D}\u{200D}\u{200D}é", "é\u{200D}é" },
  { "a selector stays behind what it selects", "1\u{FE0F}\u{20E3}", "1\u{FE0F}\u{20E3}" },
  { "a stray selector goes", "a\u{FE0F}b\u{E0100}\u{2764}\u{FE0F}\u{FE01}", "ab\u{2764}\u{FE0F}" },
  { "what is not UTF-8 is shown", "a\xffb\xe2\x80", "a?b?" },
}

for _, case in ipairs(PLAIN) do
  t.case(case[1], function()
    t.same(text.plain(case[2]), case[3])
    t.same(text.plain(case[3]), case[3])
  end)
end

t.done()
