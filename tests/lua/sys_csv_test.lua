#!/usr/bin/env tests/lua/run
--- sys.csv: tables as text and back.
local csv = require "sys.csv"
local t   = require "check"

t.case("rows of fields", function()
  t.same(csv.decode "a,b\r\n1,2\n3,\n", { { "a", "b" }, { "1", "2" }, { "3", "" } })
  t.same(csv.decode "", {})
  t.same(csv.decode "\u{FEFF}a", { { "a" } })
  t.same(csv.decode "\n\"\"\n", { { "" }, { "" } })
end)

t.case("quotes hold commas, quotes and line ends", function()
  t.same(csv.decode '"a,b","say ""hi""","two\r\nlines"\r\nx', { { "a,b", 'say "hi"', "two\r\nlines" }, { "x" } })
end)

t.case("another separator, also one that patterns know", function()
  for _, separator in ipairs { ";", "\t", "|", "]", "^", "-", "%" } do
    t.same(csv.decode("a" .. separator .. "b,c", { separator = separator }), { { "a", "b,c" } }, separator)
    t.same(csv.encode({ { "a" .. separator, 1 } }, { separator = separator }), ('"a%s"%s1\r\n'):format(separator, separator))
  end
  for _, wrong in ipairs { "", ";;", '"', "\n" } do
    t.raises(function() csv.decode("a", { separator = wrong }) end, "the separator must be one byte")
  end
end)

t.case("text that is not CSV is told by its line", function()
  for text, why in pairs { ['a\n"b'] = "line 2: the quote is not closed", ['"a"b'] = "line 1: something stands behind" } do
    local rows, err, code = csv.decode(text)
    t.same({ rows, code }, { nil, "not_csv" })
    t.has(err, why)
  end
end)

t.case("a heading names the columns", function()
  local rows = csv.decode("name,age\nAnn,7\nJoe\n", { heading = true })
  t.same(rows, { { name = "Ann", age = "7" }, { name = "Joe" } })
  t.same(csv.encode(rows, { heading = true }), "age,name\r\n7,Ann\r\n,Joe\r\n")
  t.same(csv.encode(rows, { heading = true, columns = { "name" } }), "name\r\nAnn\r\nJoe\r\n")
  t.same(csv.decode("", { heading = true }), {})
end)

t.case("written rows are read again", function()
  local seed = 4711
  local function random(n)
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed // 65536 % n + 1
  end
  local pieces = { "a", '"', ",", "\r\n", "\n", "\r", " ", "ü", "", "x;y", "\t" }
  for _ = 1, 500 do
    local rows = {}
    for i = 1, random(4) do
      rows[i] = {}
      for k = 1, random(4) do rows[i][k] = pieces[random(#pieces)] .. pieces[random(#pieces)] end
    end
    t.same(csv.decode(csv.encode(rows)), rows)
  end
end)

t.case("a large text takes no long time", function()
  local rows = {}
  for i = 1, 20000 do rows[i] = { i, "some text", '"quoted"' } end
  t.same(#csv.decode(csv.encode(rows)), 20000)
end)

t.done()
