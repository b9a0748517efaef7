-- The corners of the patterns' language, wrong arguments, and string.rep.
local compare = ...

local a = ("a"):rep(300)
local rows = {
  { a, ("a?"):rep(199) }, { a, ("a?"):rep(200) }, { a, ("a?"):rep(201) }, { "", ("a*"):rep(500) },
  { "b", ("a-"):rep(300) .. "b" }, { a, ("a"):rep(400) }, { a, ("a*"):rep(210) },
  { a, ("("):rep(32) .. "a" .. (")"):rep(32) }, { a, ("("):rep(33) .. "a" .. (")"):rep(33) },
  { a, ("()"):rep(32) }, { a, ("()"):rep(33) }, { a, "(" }, { a, ")" }, { a, "(()" }, { a, "a)" },
  { a, "%" }, { a, "[" }, { a, "[^" }, { a, "[]" }, { a, "[^]" }, { a, "[a" }, { a, "[%a" }, { a, "[%" },
  { a, "%b" }, { a, "%ba" }, { a, "%baa" }, { a, "%f" }, { a, "%fa" }, { a, "%f[" }, { a, "%1" }, { a, "(a%1)" },
  { a, "%0" }, { a, "()%1" }, { "aa", "(a)%1" }, { "aXa", "(a)X%1" }, { a, "^" }, { a, "^$" }, { "", "^$" },
  { "a$b", "a$b" }, { "a^b", "a^b" }, { "", "" }, { "a", "" }, { "abc", "", 4 }, { "abc", "", 5 },
  { "abc", "", -10 }, { "abc", "b", math.mininteger }, { "abc", "b", math.maxinteger }, { "\0a\0", "\0" },
  { "\0a\0", "%z" }, { "a\0b", "%f[%z]" }, { "THE (quick) fox", "%((%a+)%)" }, { "x", "\0" }, { "a]b", "[]]" },
  { "a-b", "[a-]" }, { "a-b", "[-a]" }, { "a%b", "[%%]" }, { "a.b", "a.b", 1, true }, { "abc", "c", -1 },
  { "x\0", "%b\0\0" }, { "", "%b\0x" }, { 12, 1 }, { 12, "2" }, { "abc", "b", "2" }, { "abc", "b", 2.0 },
  { "abc", "b", 2.5 }, { "abc", "b", "x" }, { "abc", "b", {} }, { nil, "b" }, { "abc" }, { "abc", {} }, {}, { {} },
}
local replacements = { "<%0>", "<%1>", "x", "%", "%2", 5, true, {}, { a = true }, function() return {} end }

for _, row in ipairs(rows) do
  for _, name in ipairs { "find", "match", "gmatch" } do compare("string", name, table.unpack(row, 1, 4)) end
  for _, replacement in ipairs(replacements) do
    compare("string", "gsub", row[1], row[2], replacement)
    compare("string", "gsub", row[1], row[2], replacement, 1)
  end
  compare("string", "gsub", row[1], row[2])
  for _, most in ipairs { "y", 1.5, 0, -1, "2" } do compare("string", "gsub", row[1], row[2], "x", most) end
end
for _, name in ipairs { "find", "match", "gmatch", "gsub", "rep" } do
  compare("string", name)
  compare("string", name, "a")
  compare("string", name, true, "a")
end
compare("string", "gsub", "abc", "b", setmetatable({}, { __index = function(_, k) return k .. k end }))
compare("string", "gsub", "abc", "", "-")
compare("string", "gsub", "a b", "%s*", "-")
compare("string", "gsub", "abc", "^a", "x")
compare("string", "gsub", ("ab"):rep(900), "b", "%0%0%0")
compare("string", "gsub", ("ab"):rep(900), "b", function(b) return b:rep(500) end)

for _, row in ipairs { { "ab", 3 }, { "ab", 3, "," }, { "", 3, "," }, { "ab", 0 }, { "ab", -1, "x" }, { "ab", 1, "," },
  { "", 9 }, { "ab", 1 << 40 }, { "ab", math.maxinteger }, { "ab", 1000, ", " }, { "abc", 2.5 }, { "abc", "2" },
  { 7, 2 }, { "x", 2, {} }, { "x", math.maxinteger, "" } } do
  compare("string", "rep", table.unpack(row, 1, 3))
end
