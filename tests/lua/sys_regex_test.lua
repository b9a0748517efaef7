#!/usr/bin/env tests/lua/run
--- sys.regex: patterns of PCRE2, what they capture and replace, and that none holds up the loop.
local regex = require "sys.regex"
local t     = require "check"
local task  = require "sys.task"
local time  = require "sys.time"

local function all(text, pattern)
  local found = {}
  for match, first, last in regex.gmatch(text, pattern) do found[#found + 1] = { match[0], first, last } end
  return found
end

local function code_of(...) return (select(3, ...)) end


-- --- one match ----------------------------------------------------------------------------------------

t.case("find gives the place and what the groups captured", function()
  t.same({ regex.find("key = value", [[(\w+)\s*=\s*(\w+)]]) }, { 1, 11, { [0] = "key = value", "key", "value" } })
  t.same({ regex.find("abc", "c") }, { 3, 3, { [0] = "c" } })
  t.same({ regex.find("abc", "x") }, {})
  t.same({ regex.find("abc", "") }, { 1, 0, { [0] = "" } })
  t.same({ regex.find("", "^$") }, { 1, 0, { [0] = "" } })
end)

t.case("match gives the same the other way round", function()
  t.same({ regex.match("a1", [[(?<letter>[a-z])(\d)]]) }, { { [0] = "a1", "a", "1", letter = "a" }, 1, 2 })
  t.same({ regex.match("a1", "b") }, {})
  t.same(regex.match("b", "(a)|(?<second>b)|(c)"), { [0] = "b", [2] = "b", second = "b" })
  t.same(regex.match("Sun", [[(?J)(?<day>Mon)day|(?<day>Sun)]]), { [0] = "Sun", [2] = "Sun", day = "Sun" })
end)

t.case("a search begins where it is told", function()
  for _, case in ipairs { { 1, 1 }, { 2, 4 }, { 4, 4 }, { 5, nil }, { 0, 1 }, { -1, nil }, { -2, 4 }, { -99, 1 }, { 6, nil },
                          { 99, nil } } do
    t.same((regex.find("abcab", "ab", case[1])), case[2], case[1])
  end
  t.same((regex.find("ab", [[\bb]], 2)), nil, "it sees what is before")
  t.same((regex.find("ab", [[(?<=a)b]], 2)), 2)
  t.same((regex.find("ab", "^b", 2)), nil)
  t.same((regex.find("ab", "", 3)), 3)
  t.same((regex.find("aé", ".", 3)), nil, "from inside a character")
end)

t.case("test says yes or no", function()
  t.same({ regex.test("abc", "b"), regex.test("abc", "^b"), regex.test("", "") }, { true, false, true })
end)

t.case("the syntax is that of Perl", function()
  for _, case in ipairs {
    { "((a(b)))", [[(\((?:[^()]|(?1))*\))]], "((a(b)))" }, { "aaab", "a++b", "aaab" }, { "abab", [[(ab)\1]], "abab" },
    { "foobar", [[foo\Kbar]], "bar" }, { "a\nb", [[a\Rb]], "a\nb" }, { "x12", "[[:digit:]]+", "12" }, { "ab", "(?i)A(?-i)b", "ab" },
    { "2026", [[(?<y>\d{4})(?!\d)]], "2026" }, { "price: 5€", [[\p{Sc}]], "€" }, { "aXb", [[(?#comment)X]], "X" },
  } do t.same((regex.match(case[1], case[2]) or {})[0], case[3], case[2]) end
end)


-- --- options ------------------------------------------------------------------------------------------

t.case("options are letters", function()
  local function found(pattern, options, text) return (regex.compile(pattern, options):match(text) or {})[0] end
  t.same({ found("äpfel", "i", "ÄPFEL"), found("äpfel", "", "ÄPFEL") }, { "ÄPFEL", nil })
  t.same({ found("^b$", "m", "a\nb\nc"), found("^b$", "", "a\nb\nc") }, { "b", nil })
  t.same({ found("a.b", "s", "a\nb"), found("a.b", "", "a\nb") }, { "a\nb", nil })
  t.same({ found("a b # comment", "x", "ab"), found("a b", "", "ab") }, { "ab", nil })
  t.same({ found([[^\w+$]], "u", "größe"), found([[^\w+$]], "", "größe") }, { "größe", nil })
  t.same({ found([[\bß]], "u", "aß"), found([[\bß]], "", "aß"), found([[\d]], "u", "٣") }, { nil, "ß", "٣" })
  t.same(found("^ A . B $", "imsxu", "x\na\nb"), "a\nb")
  t.raises(function() regex.compile("a", "g") end, 'sys_regex_test.*the options "g" are not')
  t.same({ tostring(regex.compile("a+", "i")), regex.compile("a+", "i").pattern }, { "/a+/i", "a+" })
end)

t.case("a compiled pattern has the functions as methods, and is kept", function()
  local re = assert(regex.compile([[(\d)]], "u"))
  t.same({ re:find "a1", re:test "a", (re:gsub("1a2", "<$1>")), re:split "a1b2c", regex.find("a1", re) }, {
    2, false, "<1>a<2>", { "a", "b", "c" }, 2, 2, { [0] = "1", "1" } })
  t.same(rawequal(regex.compile([[(\d)]], "u"), re), true)
  t.same(rawequal(regex.compile([[(\d)]], ""), re), false)
  for i = 1, 500 do regex.compile("kept" .. i) end
  t.same(rawequal(regex.compile([[(\d)]], "u"), re), false, "but not for ever")
  t.same(re:test "1", true, "and whoever has it can use it")
end)


-- --- mistakes and limits ------------------------------------------------------------------------------

t.case("a malformed pattern is an error that names the place", function()
  for _, case in ipairs { { "(a", "at character 3: missing closing parenthesis" }, { "ä[b", "at character 4: missing terminating" },
                          { "a**+*", "at character 3: quantifier" }, { [[\p{Nonsense}]], "unknown property" },
                          { "a\\C", "using \\C is disabled" },
                          { [[(?<n>a)(?<n>b)]], "two named" }, { ("(a)"):rep(256), "has 256 groups (limit: 255)" },
                          { ("x"):rep(65537), "longer than the limit" }, { "(((a{0,1000}){0,1000}){0,1000})", "too large" } } do
    local re, err, code = regex.compile(case[1])
    t.same({ re, code }, { nil, "invalid_pattern" })
    t.has(err, case[2])
  end
  t.same(code_of(regex.compile "a\xff"), "invalid_pattern")
  t.raises(function() regex.find("a", "(a") end, "sys_regex_test.lua:%d+: invalid pattern /%(a/ at character 3: missing closing")
  t.raises(function() regex.gsub("a", 1, "") end, "sys_regex_test.lua:%d+: a pattern is text or what compile")
  t.raises(function() regex.find(nil, "a") end)
end)

t.case("a pattern without an end is given up", function()
  local blanks, as = (" "):rep(100000) .. "x", ("a"):rep(1000000)
  for _, case in ipairs { { ("a"):rep(50) .. "!", [[^(a+)+$]] }, { as, "a+[bc]" }, { blanks, [[\s+$]] },
                          { ("ab"):rep(2000000), "^(?:(a)|(b))*c" }, { ("x"):rep(3000), "(x+x+)+[yz]" }, { as, [[\G(?:a|aa)+$b]] } } do
    local begun = time.monotonic()
    t.raises(function() regex.test(case[1], case[2]) end, "sys_regex_test.lua:%d+: the pattern takes too much time or memory")
    t.ok(time.monotonic() - begun < 60, case[2])
  end
  local nested = ("a"):rep(50) .. "!"
  t.raises(function() for _ in regex.gmatch(nested, [[^(a+)+$]]) do error "found" end end, "sys_regex_test.lua:%d+: the pattern takes")
  t.raises(function() regex.gsub(nested, [[^(a+)+$]], "") end, "the pattern takes")
  t.raises(function() regex.split(nested, [[^(a+)+$]]) end, "the pattern takes")
  t.same(regex.test("ab", "b"), true, "the next one works")
end)

t.case("others have their turns while a pattern works", function()
  local naps, done = 0, false
  task.map({ 1, 2 }, function(i)
    if i == 1 then
      pcall(regex.test, (" "):rep(40000) .. "x", [[\s+$]])
      done = true
      return
    end
    while not done do
      time.sleep(0.001)
      naps = naps + 1
    end
  end)
  t.ok(naps >= 10, naps .. " naps")
end)

t.case("a pattern ends with its task", function()
  local begun = time.monotonic()
  t.same(code_of(task.with_timeout(0.05, function()
    while true do pcall(regex.test, (" "):rep(60000) .. "x", [[\s+$]]) end
  end)), "timeout")
  t.ok(time.monotonic() - begun < 20)
end)

t.case("breaks make no difference", function()
  local line = "the quick brown fox, 42 lazy dogs; ünïcode \n"
  local text, count = line:rep(3000), 0
  for match, first in regex.gmatch(text, [[(?m)^(\w+).*?(?<number>\d+)(?=.*$)|(?<=;) ü]]) do
    count = count + 1
    t.same(match.number or match[0], count % 2 == 1 and "42" or " ü")
    t.same(first, (count - 1) // 2 * #line + (count % 2 == 1 and 1 or line:find(" ü", 1, true)))
  end
  t.same(count, 6000)
  -- One search over all of it, without a match before the end.
  t.same((regex.find(text .. "END", [[(\w+[ ,;]+)*END|\d+E]])), #text + 1)
end)


-- --- all matches --------------------------------------------------------------------------------------

t.case("gmatch finds all, and empty matches as Perl does", function()
  t.same(all("a1b22", [[\d+]]), { { "1", 2, 2 }, { "22", 4, 5 } })
  t.same(all("aab", "a*"), { { "aa", 1, 2 }, { "", 3, 2 }, { "", 4, 3 } })
  t.same(all("é", ""), { { "", 1, 0 }, { "", 3, 2 } })
  t.same(all("ab", "^"), { { "", 1, 0 } })
  t.same(all("a\nb", "(?m)$"), { { "", 2, 1 }, { "", 4, 3 } })
  t.same(all("aaa", [[\Ga(?=a)]]), { { "a", 1, 1 }, { "a", 2, 2 } })
  t.same(all("abc", [[b\K]]), { { "", 3, 2 } })
  t.same(all("", "a"), {})
end)

t.case("gsub replaces by text", function()
  for _, case in ipairs {
    { "John Smith", [[(\w+) (\w+)]], "$2, $1", "Smith, John", 1 }, { "abc", "b", "[$0]", "a[b]c", 1 }, { "abc", "x", "y", "abc", 0 },
    { "a1", [[(?<letter>\w)(?<digit>\d)]], "${digit}${letter}$$${1}0", "1a$a0", 1 }, { "abc", "", "-", "-a-b-c-", 4 },
    { "aab", "a*", "<$0>", "<aa><>b<>", 3 }, { "5 %", "%", "%1", "5 %1", 1 }, { "b", "(a)|b", "[$1]", "[]", 1 }, { "x", "x", 12, "12", 1 },
    { "日本", ".", "$0 ", "日 本 ", 2 },
  } do t.same({ regex.gsub(case[1], case[2], case[3]) }, { case[4], case[5] }, case[2]) end
  t.same({ regex.gsub("aaa", "a", "b", 2) }, { "bba", 2 })
  t.same({ regex.gsub("aaa", "a", "b", 0) }, { "aaa", 0 })
  for _, template in ipairs { "$2", "$x", "$", "${", "${name}", "${}", "100$ " } do
    t.raises(function() regex.gsub("a", "(a)", template) end, "replacement", template)
  end
end)

t.case("gsub replaces by what a function returns, which may wait", function()
  local seen = {}
  local changed, count = regex.gsub("a=1 b=2 c=3", [[(?<name>\w)=(\d)]], function(match, first, last)
    seen[#seen + 1] = { match.name, match[2], first, last }
    time.sleep(0.001)
    if match.name == "a" then return 10 end
    return match.name == "b" and "" or nil
  end)
  t.same({ changed, count }, { "10  c=3", 3 })
  t.same(seen, { { "a", "1", 1, 3 }, { "b", "2", 5, 7 }, { "c", "3", 9, 11 } })
  t.raises(function() regex.gsub("a", "a", function() return {} end) end, "invalid replacement value %(a table%)")
end)

t.case("gsub replaces by a table", function()
  t.same(regex.gsub("$HOME and ${x}", [[\$(\w+)]], { HOME = "/home" }), "/home and ${x}")
  t.same(regex.gsub("abc", "[ab]", { a = 1, b = false }), "1bc")
end)

t.case("split cuts at the matches", function()
  t.same(regex.split("a, b;c", [[[,;]\s*]]), { "a", "b", "c" })
  t.same(regex.split(",a,,b,", ","), { "", "a", "", "b", "" })
  t.same(regex.split("aüc", ""), { "a", "ü", "c" })
  t.same(regex.split("a1b2c", [[(\d)]], 2), { "a", "b2c" })
  t.same(regex.split("abc", ",", 1), { "abc" })
  t.same(regex.split("", ","), { "" })
  t.same(regex.split("oneTwoThree", "(?=[A-Z])"), { "one", "Two", "Three" })
end)

t.case("escape makes any text a pattern for itself", function()
  local bytes = {}
  for i = 0, 127 do bytes[#bytes + 1] = string.char(i) end
  local text = table.concat(bytes) .. "äö"
  for _, options in ipairs { "", "x", "imsxu" } do
    t.same({ regex.compile("^" .. regex.escape(text) .. "$", options):find(text) }, { 1, #text, { [0] = text } })
  end
  t.same(regex.gsub("1+1=2", regex.escape "1+1", "$0$0"), "1+11+1=2")
end)

t.case("a byte that is not UTF-8 is a character like any other", function()
  t.same(all("a\xffb\xc3", "."), { { "a", 1, 1 }, { "\xff", 2, 2 }, { "b", 3, 3 }, { "\xc3", 4, 4 } })
  t.same(regex.gsub("a\xff\xfeb", "[^a-z]+", "-"), "a-b")
  t.same((regex.match("\xffä\xff", "(?i)Ä") or {})[0], "ä")
  t.same(regex.test("\xff", [[\w|\x{ff}|ÿ]]), false)
end)

t.case("many matches take no long time", function()
  local text = ("hello wörld "):rep(50000)
  t.same({ #regex.gsub(text, [[\w+]], "<$0>"), #regex.split(text, " ") }, { #text + 2 * 150000, 100001 })
end)

t.done()
