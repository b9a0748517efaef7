#!/usr/bin/env tests/lua/run
--- sys.text: words and lines, cases and forms, characters and columns.
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

t.case("an argument that is not text is refused", function()
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

-- --- words and lines ------------------------------------------------------------------------------------

t.case("trim takes the white space of all languages from both ends", function()
  t.same(text.trim "  a \u{A0}b\t\r\n\u{3000}\u{2003}\u{85}", "a \u{A0}b")
  t.same(text.trim_start " \u{A0} a ", "a ")
  t.same(text.trim_end " a \u{A0}\u{2029}", " a")
  for _, blank in ipairs { "", " ", "\u{A0}", " \u{A0}\u{3000}\n" } do
    t.same({ text.trim(blank), text.trim_start(blank), text.trim_end(blank) }, { "", "", "" })
  end
  t.same(text.trim "\u{200B}a", "\u{200B}a", "a zero width space is not white space")
  t.same(text.trim "\xA0a\x85", "\xA0a\x85", "half a character is not one")
  t.same(text.trim "ꀠ\u{2820}", "ꀠ\u{2820}", "its bytes end as those of a space do")
end)

t.case("trim of many blanks takes no long time", function()
  t.same(text.trim((" "):rep(300000) .. "x" .. (" "):rep(300000)), "x")
  t.same(#text.trim(("x "):rep(300000)), 599999)
end)

local SPLITS = {
  { "a,,b", ",", nil, { "a", "", "b" } },
  { "", ",", nil, { "" } },
  { ",", ",", nil, { "", "" } },
  { "a.b%c", ".", nil, { "a", "b%c" } },
  { "a=b=c", "=", 2, { "a", "b=c" } },
  { "a=b=c", "=", 1, { "a=b=c" } },
  { "a=b=c", "=", 9, { "a", "b", "c" } },
  { "aXYXYb", "XY", nil, { "a", "", "b" } },
  { "日、本", "、", nil, { "日", "本" } },
}

t.case("split cuts at plain text", function()
  for _, case in ipairs(SPLITS) do t.same(text.split(case[1], case[2], case[3]), case[4], case[1]) end
  t.raises(function() text.split("abc", "") end, "sys_text_test.*separator is empty")
end)

t.case("lines end in any way", function()
  t.same(text.lines "a\nb\r\n\rc\n\nd", { "a", "b", "", "c", "", "d" })
  t.same(text.lines "a\n", { "a" })
  t.same(text.lines "\n", { "" })
  t.same(text.lines "\n\r", { "", "" })
  t.same(text.lines "", {})
  t.same(#text.lines(("x\n"):rep(200000)), 200000)
end)

t.case("starts, ends and replace read plain text", function()
  t.same({ text.starts("a.b", "a."), text.starts("a", "ab"), text.starts("a", "") }, { true, false, true })
  t.same({ text.ends("a.b", ".b"), text.ends("b", "ab"), text.ends("a", "") }, { true, false, true })
  t.same({ text.replace("a.b.c", ".", "%1") }, { "a%1b%1c", 2 })
  t.same({ text.replace("a.b.c", ".", "", 1) }, { "ab.c", 1 })
  t.same({ text.replace("aaa", "aa", "a", 0) }, { "aaa", 0 })
  t.same({ text.replace("abc", "x", "y") }, { "abc", 0 })
  t.raises(function() text.replace("abc", "", "x") end, "nothing to replace")
end)


-- --- cases and forms ----------------------------------------------------------------------------------

t.case("letters of every language have cases", function()
  t.same(text.lower "ÄRGER ΣΊΓΜΑ ЖУК", "ärger σίγμα жук")
  t.same(text.upper "ärger ñ жук ﬁ", "ÄRGER Ñ ЖУК ﬁ")
  t.same({ text.upper "ß", text.lower "ẞ" }, { "ẞ", "ß" })
  t.same({ text.lower "", text.upper "123 日本" }, { "", "123 日本" })
end)

t.case("fold makes alike what differs in case, width and encoding", function()
  for _, pair in ipairs { { "STRASSE", "straße" }, { "é", "E\u{301}" }, { "ＡＢＣ", "abc" }, { "ﬁx", "FIX" }, { "a\u{200B}b", "AB" },
                          { "ΣΊΓΜΑΣ", "σίγμας" } } do
    t.same(text.fold(pair[1]), text.fold(pair[2]))
  end
end)

t.case("the normal forms of Unicode", function()
  t.same(text.normalize "e\u{301}\u{1E9B}\u{323}", "é\u{1E9B}\u{323}")
  t.same(text.normalize("\u{1E9B}\u{323}", "NFD"), "\u{17F}\u{323}\u{307}")
  t.same(text.normalize("\u{1E9B}\u{323}", "NFKC"), "\u{1E69}")
  t.same(text.normalize("\u{1E9B}\u{323}", "NFKD"), "s\u{323}\u{307}")
  t.same(text.normalize("한글", "NFD"), "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}")
  t.raises(function() text.normalize("a", "nfc") end, "sys_text_test.*nfc is not a normal form")
end)

t.case("a byte that is not UTF-8 stays as it is", function()
  for _, convert in ipairs { text.lower, text.fold, text.normalize } do
    t.same(convert "\xffa\xc3\xed\xa0\x80e\u{301}", "\xffa\xc3\xed\xa0\x80" .. convert "e\u{301}")
  end
  t.same(text.upper "\xffä\xc3", "\xffÄ\xc3")
end)

t.case("a long text is worked on in parts, which make no difference", function()
  for _, unit in ipairs { "e\u{301}", "한", "\u{1112}\u{1161}\u{11AB}", "か\u{3099}", "日", "ab ", "\u{AC00}\u{11A8}" } do
    local long = unit:rep(40000)
    t.same(text.normalize(long) == text.normalize(unit):rep(40000), true, unit)
    t.same(text.normalize(long, "NFD") == text.normalize(unit, "NFD"):rep(40000), true, unit)
    t.same(text.upper(long) == text.upper(unit):rep(40000), true, unit)
  end
end)


-- --- characters and columns ---------------------------------------------------------------------------

--- One character each, and its columns.
local CHARACTERS = {
  { "a", 1 }, { "e\u{301}", 1 }, { "日", 2 }, { "ｱ", 1 }, { "Ａ", 2 }, { "👩\u{200D}💻", 2 }, { "🇩🇪", 2 }, { "❤", 1 }, { "❤\u{FE0F}", 2 },
  { "👍\u{1F3FD}", 2 }, { "\u{1112}\u{1161}\u{11AB}", 2 }, { "\r\n", 0 }, { "\t", 0 }, { "\u{7}", 0 }, { "\xff", 1 }, { "\x80", 1 },
  { "1\u{FE0F}\u{20E3}", 2 }, { "각", 2 },
}

t.case("a character is what people see as one, and as wide as a terminal shows it", function()
  for _, case in ipairs(CHARACTERS) do
    t.same({ text.len(case[1]), text.width(case[1]) }, { 1, case[2] }, case[1])
    t.same(text.characters(case[1] .. "x"), { case[1], "x" })
  end
  t.same({ text.len "", text.width "", text.characters "" }, { 0, 0, {} })
end)

t.case("a long text has as many characters and columns as its parts", function()
  local all, columns = "", 0
  for _, case in ipairs(CHARACTERS) do all, columns = all .. case[1], columns + case[2] end
  local long = all:rep(3000)
  t.same({ text.len(long), text.width(long) }, { 3000 * #CHARACTERS, 3000 * columns })
  t.same(text.sub(long, -#CHARACTERS) == all, true)
  t.same(#text.characters(long), 3000 * #CHARACTERS)
end)

t.case("sub counts characters as string.sub counts bytes", function()
  local word = "añe\u{301}👩\u{200D}💻日"
  local list = assert(text.characters(word))
  t.same(#list, 5)
  for first = -7, 7 do
    for last = -7, 7 do
      local ascii = ("abcde"):sub(first, last):gsub(".", function(c) return list[c:byte() - 96] end)
      t.same({ text.sub(word, first, last), text.sub("abcde", first, last) }, { ascii, ("abcde"):sub(first, last) },
        first .. " to " .. last)
    end
    t.same(text.sub(word, first), text.sub(word, first, -1))
  end
end)

t.case("pad fills up to a width", function()
  t.same(text.pad("日本", 6), "日本  ")
  t.same(text.pad("ab", 5, "right"), "   ab")
  t.same(text.pad("ab", 5, "center", "·"), "·ab··")
  t.same(text.pad("abc", 2), "abc")
  t.raises(function() text.pad("a", 9, "middle") end, 'not "middle"')
  t.raises(function() text.pad("a", 9, "left", "日") end, "one column wide")
end)

t.case("truncate keeps what fits, and never half a character", function()
  local CASES_OF_8 = { { "A long title", "A long …" }, { "12345678", "12345678" }, { "日本日本", "日本日本" }, { "日本日本x", "日本日…" },
                       { "", "" } }
  for _, case in ipairs(CASES_OF_8) do t.same(text.truncate(case[1], 8), case[2]) end
  t.same(text.truncate("abcdef", 4, "..."), "a...")
  t.same(text.truncate("abcdef", 2, "..."), "ab")
  t.same(text.truncate("abcdef", 3, ""), "abc")
  t.same(text.truncate("日本", 1), "…")
  t.same({ text.truncate("日本", 0), text.truncate("", 0) }, { "", "" })
  t.same(text.width(text.truncate(("日e\u{301}"):rep(50000), 60001)), 60001)
  t.raises(function() text.truncate("abc", -1) end, "0 or more")
end)

t.done()
