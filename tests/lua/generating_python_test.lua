#!/usr/bin/env tests/lua/run
--- generating.python: the code in a model's reply, in fences or without, and the tools that it calls. Nothing of it runs.
local fences = require "generating.fences"
local python = require "generating.python"
local t      = require "check"

local F, T = "```", "~~~"

--- A reply of several lines.
local function reply(...) return table.concat({ ... }, "\n") end

-- A title, a reply, and the code in it.
local FOUND = {
  { "a fence", reply(F .. "python", "print(1)", F), "print(1)\n" },
  { "a fence without a language", reply(F, "print(1)", F), "print(1)\n" },
  { "other names of the language", reply(F .. "Python3", "print(1)", F), "print(1)\n" },
  { "a short name", reply(F .. "py", "print(1)", F), "print(1)\n" },
  { "a name and more", reply(F .. 'python title="a.py"', "print(1)", F), "print(1)\n" },
  { "a name in braces", reply(F .. "{.python .numberLines}", "print(1)", F), "print(1)\n" },
  { "a blank before the name", reply(F .. " python", "print(1)", F), "print(1)\n" },
  { "tildes", reply(T .. "python", "print(1)", T), "print(1)\n" },
  { "a longer fence around a shorter one", reply(F .. F .. "python", 'x = """', F, '"""', "print(x)", F .. F),
    'x = """\n```\n"""\nprint(x)\n' },
  { "tildes around backticks", reply(T .. "python", 'x = """', F .. "sh", "ls", F, '"""', T), 'x = """\n```sh\nls\n```\n"""\n' },
  { "words before and behind", reply("Sure! Here is it:", "", F .. "python", "print(1)", F, "", "It prints 1. Call f() to go on."),
    "print(1)\n" },
  { "words right beside the fences", reply("Here is it:", F .. "python", "print(1)", F, "Done."), "print(1)\n" },
  { "no fence", "print(1)", "print(1)\n" },
  { "no fence, several paragraphs", "import os\n\n\ndef f():\n    return 1\n", "import os\n\n\ndef f():\n    return 1\n" },
  { "no fence, words before", reply("Here is the code:", "", "x = 1", "", "print(x)"), "x = 1\n\nprint(x)\n" },
  { "no fence, words right above", reply("Here is the code:", "x = 1", "print(x)"), "x = 1\nprint(x)\n" },
  { "no fence, words before and behind", reply("Here is it:", "", "x = 1", "print(x)", "", "It prints the value of x."),
    "x = 1\nprint(x)\n" },
  { "no fence, a fence in a text", reply('HELP = """', F .. "sh", "ls", F, '"""', "print(HELP)"),
    'HELP = """\n```sh\nls\n```\n"""\nprint(HELP)\n' },
  { "a fence with a language in a text", reply(F .. "python", 'HELP = """', F .. "bash", "pip install x", F, '"""', "print(HELP)", F),
    'HELP = """\n```bash\npip install x\n```\n"""\nprint(HELP)\n' },
  { "a fence without a language in a text", reply(F .. "python", 'HELP = """', F, "ls", F, '"""', "print(HELP)", F, "That is all."),
    'HELP = """\n```\nls\n```\n"""\nprint(HELP)\n' },
  { "a fence of Python in a text", reply(F .. "python", 'HELP = """', F .. "python", "f()", F, '"""', "print(HELP)", F),
    'HELP = """\n```python\nf()\n```\n"""\nprint(HELP)\n' },
  { "one fence in a text that no other ends", reply(F .. "python", "x = '''", F, "'''", "print(x)", F, "Done."),
    "x = '''\n```\n'''\nprint(x)\n" },
  { "a fence in a line of a text", reply(F .. "python", 'x = "' .. F .. 'python"', "print(x)", F), 'x = "```python"\nprint(x)\n' },
  { "a fence in a comment", reply(F .. "python", "# " .. F, "print(1)", "# " .. F, F), "# ```\nprint(1)\n# ```\n" },
  { "other languages beside it", reply(F .. "bash", "pip install a b c d e f g h", "pip list", "pip check", F, "", F .. "python",
    "print(1)", F, F .. "json", "[1]", F), "print(1)\n" },
  { "the output behind it, without a language", reply(F .. "python", "print(1)", F, "Output:", F, "1", "2", "3", F), "print(1)\n" },
  { "the longest of several", reply(F .. "python", "import a", F, F .. "python", "import a", "a.f()", F), "import a\na.f()\n" },
  { "the last of several", reply(F .. "python", "x = 1", F, "Better:", F .. "python", "x = 2", F), "x = 2\n" },
  { "the one that compiles", reply(F .. "python", "x = = 1", "y = 2", F, "Better:", F .. "python", "x = 2", F), "x = 2\n" },
  { "no end of the fence", reply(F .. "python", "print(1)", "print(2)"), "print(1)\nprint(2)\n" },
  { "the end behind the last line", reply(F .. "python", "print(1)" .. F), "print(1)\n" },
  { "the fence behind words", reply("Here: " .. F .. "python", "print(1)", F), "print(1)\n" },
  { "a fence in one line", F .. "python print(1)" .. F, "print(1)\n" },
  { "a fence in one line, no language", F .. "print(1)" .. F, "print(1)\n" },
  { "one word of code", "`print(1)`", "print(1)\n" },
  { "an indented fence", reply("1. Do it:", "", "   " .. F .. "python", "   if x:", "       y()", "   " .. F), "if x:\n    y()\n" },
  { "a fence of a list", reply("- " .. F .. "python", "  print(1)", "  " .. F), "print(1)\n" },
  { "a quotation", reply("> " .. F .. "python", "> print(1)", "> " .. F), "print(1)\n" },
  { "code with an indentation of its own", reply(F .. "python", "    if x:", "        y()", F), "if x:\n    y()\n" },
  { "tabs", reply(F .. "python", "if x:", "\ty()", F), "if x:\n\ty()\n" },
  { "lines of Windows", "Here:\r\n\r\n```python\r\nprint(1)\r\nprint(2)\r\n```\r\n", "print(1)\nprint(2)\n" },
  { "the mark that a file may begin with", "\239\187\191print(1)", "print(1)\n" },
  { "thoughts before it", reply("<think>", F .. "python", "wrong()", F, "</think>", F .. "python", "print(1)", F), "print(1)\n" },
  { "blank lines in the fence", reply(F .. "python", "", "", "print(1)", "", F), "print(1)\n" },
  { "words with apostrophes", reply("Here's what you'd use. It's simple:", F .. "python", "print('it''s')", F, "Don't forget."),
    "print('it''s')\n" },
  { "await outside of functions", reply(F .. "python", "x = await f()", "print(x)", F), "x = await f()\nprint(x)\n" },
  { "blanks behind the fence", reply(F .. "python  ", "print(1)", F .. "  "), "print(1)\n" },
  { "characters of other languages", reply(F .. "python", "print('Grüße, 世界 🎉')", F), "print('Grüße, 世界 🎉')\n" },
  { "characters that nobody sees", reply(F .. "python", "if x:", "\ty('a\u{202e}b\u{200b}c')", F),
    "if x:\n\ty('abc')\n" },
  { "a decorator, a class, a match", reply(F .. "python", "@d", "class A:", "    x: int = 1", "match A:", "    case _: pass", F),
    "@d\nclass A:\n    x: int = 1\nmatch A:\n    case _: pass\n" },
  { "a long text", F .. "python\n" .. ("print('a line of it')\n"):rep(5000) .. F, ("print('a line of it')\n"):rep(5000) },
}

-- A title, a reply, and a part of what the model is told.
local NONE = {
  { "words", "I cannot do that.", "no Python code in a fence, and the reply as a whole does not compile: line 1, column 3" },
  { "one word", "Sorry", "no Python code" },
  { "words that Python reads", "yes, no", "no Python code" }, { "nothing", "", "no Python code" },
  { "an empty fence", reply(F .. "python", F), "no Python code" }, { "a comment", reply(F .. "python", "# to do", F), "no Python code" },
  { "another language", reply(F .. "bash", "pip install x", F), "" },
  { "a fault, with its line", reply("Here:", F .. "python", "x = 1", "y = = 2", F), "line 2, column 5: invalid syntax\n    y = = 2" },
  { "a fault in the fence and not in the words", reply("It's so:", "", F .. "python", "return 1", F),
    "line 1, column 1: 'return' outside function" },
  { "deep nesting", reply(F .. "python", "-" .. ("-"):rep(100000) .. "1", F), "too deeply" },
  { "half a text", reply(F .. "python", 'x = """', F), "unterminated" },
}

-- Code, and the calls of tools in it: the line, the name, the way.
local CALLS = {
  { 'await _call_mcp_tool("a", {})', { { 1, "a", "name" } } },
  { "await _call_mcp_tool(tool_name='a', arguments={})", { { 1, "a", "name" } } },
  { "x = 1\nawait tools.list_windows(app='x')", { { 2, "list_windows", "attribute" } } },
  { 'await tools["a-b"]()', { { 1, "a-b", "name" } } },
  { "f = tools.a\nawait f()", { { 1, "a", "attribute" } } },
  { "async def f():\n  return [await tools.a(), await tools.b()]", { { 2, "a", "attribute" }, { 2, "b", "attribute" } } },
  { "for n in 'ab':\n  await _call_mcp_tool(n, {})", { { 2, false, "name" } } },
  { "getattr(tools, 'x')()", { { 1, false, "name" } } },
  { "c = _call_mcp_tool\nawait c('a', {})", { { 1, false, "name" } } },
  { "tools = []\ntools.append(1)", {} }, { "import tools\ntools.a()", {} }, { "def f(tools):\n  tools.a()", {} },
  { "print('await tools.a()')  # tools.b()", {} }, { "x.tools.a()", {} }, { "'''\n_call_mcp_tool('a', {})\n'''\nf()", {} },
}


t.case("code is found, whatever is around it", function()
  for _, each in ipairs(FOUND) do
    local found = assert(python.read(each[2]))
    t.same({ each[1], found.code, found.fault }, { each[1], each[3] })
  end
end)

t.case("without code, it says why", function()
  for _, each in ipairs(NONE) do
    local found = assert(python.read(each[2]))
    t.same({ each[1], found.code }, { each[1] })
    t.ok(found.fault:find(each[3], 1, true), ("%s: %s"):format(each[1], found.fault))
  end
end)

t.case("calls of tools are found in the code, not in its words", function()
  for _, each in ipairs(CALLS) do
    local found, list = assert(python.read(each[1])), {}
    for i, call in ipairs(found.calls) do list[i] = { call.line, type(call.name) == "string" and call.name, call.way } end
    t.same({ each[1], list, found.replaces }, { each[1], each[2], false })
  end
  t.same(assert(python.read "async def _call_mcp_tool(a, b):\n  return {}\nawait _call_mcp_tool('a', {})").replaces, true)
end)

t.case("blocks that are left out are counted", function()
  local one = reply(F .. "python", "import a", "a.f()", F)
  t.same(assert(python.read(one)).others, 0)
  t.same(assert(python.read(reply(one, "Use:", F .. "python", "f()", F, F .. "sh", "ls", F, F, "1", F))).others, 1)
  t.same(assert(python.read(FOUND[21][2])).others, 0, "one in a text is not one of its own")
end)

t.case("nothing of a reply runs", function()
  local found = assert(python.read(reply(F .. "python", "import os", "os.kill(os.getppid(), 9)", "raise SystemExit(3)", F)))
  t.same(found.code, "import os\nos.kill(os.getppid(), 9)\nraise SystemExit(3)\n")
end)

t.case("a text is fenced by more than it has", function()
  t.same(fences.fenced("a\n", "python"), "```python\na\n```")
  t.same(fences.fenced("````\n```", "python"), "`````python\n````\n```\n`````")
end)

t.done()
