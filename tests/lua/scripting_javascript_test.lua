#!/usr/bin/env tests/lua/run
--- scripting.javascript: the structure of JavaScript, and no false alarm about what an engine takes.
local javascript = require "scripting.javascript"
local t          = require "check"

local SOUND = {
  "", "1", "a / b / c", "a /b/ c", "x = /[/'\"`]/g.test(y)", "return /'/", "f(/\"/)", "[/a/, /b\\//]", "!/'/.test(x)",
  "x ? /'/ : /\"/",
  "if (x) /'/.exec(y)", "while (x) /'/.exec(y)", "(a + b) / c / 'x'.length", "a[0] / b / \"x\".length", "i++ / 2; '/'",
  "i-- / 2; j / 3",
  "`a${b}c`", "`${`${1}`}`", "`${ {a: 1}.a }`", "`\\`` + `\\${`", "`$`", "`$${x}`", "`line\nline`", "`${x /* } */}`", "`${'}'}`",
  "'a\\\nb'", "'a\\\r\nb'", "\"it's\"", "'\\''", "'\u{2028}'", "/* ' \" ` ( */", "// ' ( `", "a // '\n/ b",
  "#!/usr/bin/env node '\nx",
  "class A { #p = 1; get q() { return this.#p / 2 } }", "x.return / 2 / y.in", "x?.return / 1", "typeof /'/",
  "a => /'/", "a => { } \n/'/.x",
  "function f() { } /'/.test(x)", "x = { a: 1 }\n/'/.test(y)", "label: for (;;) { }", "1.5e-3 / 2", "0x1F / 2",
  "1..toString()", "1_000n / 2n",
  "a\n/ 2", "async () => { for await (const x of y) /'/.test(x) }", "\u{FEFF}x = 1", "é = 'ü' / 2", "x = y / /'/.lastIndex",
  "switch (x) { case /'/: break; default: }", "yield /'/", "do /'/.x; while (y)", "x=a++/b/c", "x = +/'/",
  "let of = 1; [...a]", "a ||= /'/",
  "throw /'/", "delete /'/.x", "`a` / 2", "x = 'a' / 2 / 3", "(function () {})() / 2", "if (x) { } else /'/.x", "/[\\]/']/", "/\\//", "/=/",
}

-- Text, line, column, code.
local UNSOUND = {
  { "'abc", 1, 1, "open_string" }, { "x = \"a\nb\"", 1, 5, "open_string" }, { "'a\\", 1, 1, "open_string" },
  { "a\n  /* b", 2, 3, "open_comment" }, { "`abc", 1, 1, "open_template" }, { "x = `a${1}", 1, 5, "open_template" },
  { "`a${1", 1, 3, "unbalanced" }, { "x = /abc\n/", 1, 5, "open_expression" }, { "x = /[/]", 1, 5, "open_expression" },
  { "f(1", 1, 2, "unbalanced" }, { "f(1]", 1, 4, "unbalanced" }, { "x)", 1, 2, "unbalanced" }, { "{ [ }", 1, 5, "unbalanced" },
  { "function f() {\n  if (x) {\n}\n", 1, 14, "unbalanced" }, { "ü = '", 1, 5, "open_string" }, { "a\r\nb\u{2028}(", 3, 1, "unbalanced" },
}

t.case("sound texts have no findings", function()
  for _, text in ipairs(SOUND) do t.same({ text, javascript.check(text) }, { text, {} }) end
end)

t.case("each fault has its place and code", function()
  for _, each in ipairs(UNSOUND) do
    local found = javascript.check(each[1])
    t.same(#found, 1)
    t.same({ each[1], found[1].line, found[1].column, found[1].code }, each)
  end
end)

t.case("a long text takes time by its length only", function()
  for _, part in ipairs { "a / b ", "x.y.", "`${a}`", "{}", "(1)", "'a' + ", "/a/.b;\n", "i++ " } do
    t.same(javascript.check(part:rep(100000)), {})
  end
  t.same(#javascript.check(("("):rep(300000)), 1)
end)

t.done()
