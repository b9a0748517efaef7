local regex = require "sys.regex"

--- compile
local word = assert(regex.compile([[\bgröße\b]], "iu"))
print(word:test "GRÖSSE? Größe!")           --> true

print(select(3, regex.compile "(unclosed"))   --> invalid_pattern

--- escape
print(regex.escape "1+1=2?")   --> 1\+1\=2\?

--- find
print(regex.find("a 12 b", [[\d+]]))   --> 3	4	{ [0] = "12" }

--- match
local m = regex.match("2026-11-26", [[(?<year>\d+)-(\d+)]])
print(m[0], m.year, m[2])   --> 2026-11	2026	11

--- test
print(regex.test("Hello", "(?i)^hello$"))   --> true

--- gmatch
for m, first, last in regex.gmatch("a=1, b=2", [[(\w)=(\d)]]) do
  print(m[1], m[2], first, last)   --> a	1	1	3
end
--> b	2	6	8

--- gsub
print(regex.gsub("John Smith", [[(\w+) (\w+)]], "$2, $1"))                        --> Smith, John	1
print(regex.gsub("1 and 2", [[\d]], function(m) return m[0] * 10 end))            --> 10 and 20	2

--- split
print(regex.split("a, b;c", [[[,;]\s*]]))   --> { "a", "b", "c" }
